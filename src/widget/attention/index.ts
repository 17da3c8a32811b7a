// What tells a visitor of news: fetched when there is a conversation and its visitor is elsewhere.
export { attend } from './attend.ts';
export { soundOf, switchSound } from './sound.ts';
