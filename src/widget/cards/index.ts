// Attachments of answers. Loaded with the first one.
export { CallActions } from './call-actions.tsx';
export { CardList } from './card-list.tsx';
export { default as css } from './cards.css?inline';
