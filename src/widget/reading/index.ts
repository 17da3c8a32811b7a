// Reading closely: going back by keys and by scrolling, exact times, and all of it on paper. Fetched when somebody may.
export { readBack } from './read-back.ts';
export { default as css } from './reading.css?inline';
