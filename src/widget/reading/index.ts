// Going back through a conversation by keys and by scrolling, and all of it on paper: fetched when somebody may.
export { readBack } from './read-back.ts';
export { default as css } from './reading.css?inline';
