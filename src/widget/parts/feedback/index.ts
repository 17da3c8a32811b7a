// Ratings of answers. Loaded with the first answer, if the site has enabled them.
export { default as css } from './feedback.css?inline';
export { FeedbackRow } from './feedback-row.tsx';
