// The Markdown of answers. Loaded when the browser is idle, when the visitor writes, or with the first answer that has some.
export { default as css } from './markdown.css?inline';
export { createMarkdownStream } from './markdown-stream.ts';
export { type ReadTextOptions, readText } from './read-text.ts';
export { RichText } from './rich-text.tsx';
