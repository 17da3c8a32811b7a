// The bar after the end of a conversation. Loaded when it is over.
export { default as css } from './ended.css?inline';
export { EndedBar } from './ended-bar.tsx';
