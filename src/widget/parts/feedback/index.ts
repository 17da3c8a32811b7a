// What a visitor thinks of an answer: fetched where the site asks for it, with the first answer.
export { default as css } from './feedback.css?inline';
export { FeedbackRow } from './feedback-row.tsx';
