import {
  type EventBody,
  NOT_DECODABLE,
  readEventBody,
  readJson,
} from '../../../src/realtime/external-events/event-body.ts';
import { readForm } from '../../../src/realtime/external-events/read-form.ts';
import type { Slices } from '../../../src/realtime/external-events/run-in-slices.ts';

/** A body as the route has it in the end, or why it was refused. */
export type WholeBody =
  | { readonly status: 'read'; readonly contentType: string; readonly body: EventBody }
  | { readonly status: 'refused'; readonly reason: string };

/** Reads a body at once: a form or JSON slice after slice, without turns for others. */
export function readWholeBody(bytes: Uint8Array, contentType: string | null): WholeBody {
  const read = readEventBody(bytes, contentType);
  if (read.status === 'json') {
    const body = atOnce(readJson(read.text));
    return typeof body === 'string'
      ? { status: 'refused', reason: body }
      : { status: 'read', contentType: read.contentType, body };
  }
  if (read.status !== 'form') return read;
  const fields = atOnce(readForm(read.form));
  return fields === null
    ? { status: 'refused', reason: NOT_DECODABLE }
    : { status: 'read', contentType: read.contentType, body: { kind: 'form', fields } };
}

/** Does work that is made in slices without turns for others. */
export function atOnce<Result>(work: Slices<Result>): Result {
  for (;;) {
    const slice = work.next();
    if (slice.done === true) return slice.value;
  }
}
