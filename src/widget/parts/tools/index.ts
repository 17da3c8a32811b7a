// What a site adds to the composer: files, dictation, emoji. Loaded where one of the features is on.
export { ChosenFiles } from './chosen-files.tsx';
export { SentFiles } from './sent-files.tsx';
export { splitFiles } from './split-files.ts';
export { takeText } from './take-text.ts';
export { ToolButtons } from './tool-buttons.tsx';
export { default as css } from './tools.css?inline';
