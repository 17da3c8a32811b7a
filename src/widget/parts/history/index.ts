// Keys and scrolling through a long conversation, exact times, and print. Loaded before a reader can need it.
export { default as css } from './history.css?inline';
export { startHistoryNavigation } from './start-history-navigation.ts';
