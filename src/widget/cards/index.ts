// What an answer can bring beside its text: fetched with the first that brings some.
export { CallActions } from './call-actions.tsx';
export { CardList } from './card-list.tsx';
export { default as css } from './cards.css?inline';
