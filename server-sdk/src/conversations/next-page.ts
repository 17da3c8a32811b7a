import { NatterError } from '../errors/natter-error.ts';
import type { PageEnd } from './conversations-page.ts';

/** How a list goes on: by cursor where the answer has one, otherwise by offset. */
export type Position =
  | { readonly by: 'cursor'; readonly cursor: string }
  | { readonly by: 'offset'; readonly offset: number };

/**
 * Where the next page begins; null when there is none. `previous` is where this page began. A server whose position
 * does not move would keep the caller busy for ever, so that is an error. Source: CV-5, CV-6.
 * @throws NatterError `INVALID_RESPONSE` when the position does not move
 */
export function nextPosition(end: PageEnd, previous: Position): Position | null {
  if (typeof end.cursor === 'string') {
    if (previous.by === 'cursor' && previous.cursor === end.cursor) {
      throw standsStill('the cursor of the next page is that of this page');
    }
    return { by: 'cursor', cursor: end.cursor };
  }
  // A null cursor is the end of a list that was read by cursor, whatever else the answer says.
  if (end.next_offset === undefined || previous.by === 'cursor') return null;
  if (end.next_offset <= previous.offset) throw standsStill('next_offset does not go forward');
  return { by: 'offset', offset: end.next_offset };
}

function standsStill(text: string): NatterError {
  return new NatterError({ code: 'INVALID_RESPONSE', text: `The list cannot go on: ${text}` });
}
