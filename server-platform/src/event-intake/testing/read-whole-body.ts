import { type EventBody, readEventBody } from '../event-body.ts';
import type { Slices } from '../in-slices.ts';
import { readForm } from '../read-form.ts';

/** A body as the route has it in the end, or why it was refused. */
export type WholeBody =
  | { readonly status: 'read'; readonly contentType: string; readonly body: EventBody }
  | { readonly status: 'refused'; readonly reason: string };

/** Reads a body at once: a form slice after slice, without turns for others. */
export function readWholeBody(bytes: Uint8Array, contentType: string | null): WholeBody {
  const read = readEventBody(bytes, contentType);
  if (read.status !== 'form') return read;
  return {
    status: 'read',
    contentType: read.contentType,
    body: { kind: 'form', fields: atOnce(readForm(read.text)) },
  };
}

/** Does work that is made in slices without turns for others. */
export function atOnce<Result>(work: Slices<Result>): Result {
  for (;;) {
    const slice = work.next();
    if (slice.done === true) return slice.value;
  }
}
