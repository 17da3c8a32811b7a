// The question how the conversation was: fetched when a platform asks it.
export { default as css } from './survey.css?inline';
export { Survey } from './survey.tsx';
