export const FENCE: RegExp = /^(?:(`{3,})[^`]*|(~{3,})[\s\S]*)$/;
export const HEADING: RegExp = /^(#{1,6})(?:[ \t]+([\s\S]*))?$/;
export const SETEXT: RegExp = /^(?:=+|-+)[ \t]*$/;
export const MARKER: RegExp = /^(?:[-*+•]|(\d{1,9})([.)]))(?=[ \t]|$)/;
export const TASK: RegExp = /^\[([ x])\][ \t]+(?=\S)/i;
/** The last line of a stream that may become a rule, a heading's line, a list item or emphasis. */
export const UNDECIDED: RegExp = /^[ \t]*(?:[-*_+][-*_+ \t]*|=+)$/;
export const OPEN_TASK: RegExp = /^\[[ x]?\]?$/i;

/** True for a marker that can begin a list. A number other than 1 cannot, because it is more often a year. */
export function isFirstMarker(text: string): boolean {
  const marker = MARKER.exec(text);
  return marker !== null && (!marker[1] || Number(marker[1]) === 1);
}

/** Three or more of one sign, with any spaces between. */
export function isRule(text: string): boolean {
  return /^[-*_]/.test(text) && /^(?:-{3,}|\*{3,}|_{3,})$/.test(text.replace(/[ \t]+/g, ''));
}
