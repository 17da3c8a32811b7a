// What a panel over a whole small screen needs: fetched when it opens as one.
export { coverVisibleArea } from './cover-visible-area.ts';
export { default as css } from './sheet.css?inline';
