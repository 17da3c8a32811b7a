// What an ended conversation says of its end: fetched when it is over.
export { default as css } from './ended.css?inline';
export { EndedBar } from './ended-bar.tsx';
