// The survey after a conversation. Loaded when the platform sends one.
export { default as css } from './survey.css?inline';
export { Survey } from './survey.tsx';
