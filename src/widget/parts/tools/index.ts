// The composer's tools: files, dictation, emoji. Loaded if the site has enabled one of them.
export { ChosenFiles } from './chosen-files.tsx';
export { composeMessage } from './compose-message.ts';
export { SentFiles } from './sent-files.tsx';
export { splitFiles } from './split-files.ts';
export { ToolButtons } from './tool-buttons.tsx';
export { default as css } from './tools.css?inline';
