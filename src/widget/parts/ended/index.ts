// The lines above the composer after the end of a conversation. Loaded when it is over.
export { default as css } from './ended.css?inline';
export { EndedLines } from './ended-lines.tsx';
