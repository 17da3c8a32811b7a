// Attachments of answers. Loaded with the first one.
export { CallActions } from './call-actions.tsx';
export { CardList, LinkCard } from './card-list.tsx';
export { default as css } from './cards.css?inline';
