import { EVENT_ID_MAX_CHARACTERS, EXTERNAL_EVENT_PARAMETERS, type ExternalEventQuery } from '@natter/sdk';
import type { EventBody } from './event-body.ts';
import { findElementText } from './find-element-text.ts';
import { SLICE_CHARACTERS, type Slices } from './run-in-slices.ts';

/** The parts of a request that may contain an id. */
export type EventRequest = {
  readonly headers: Headers;
  readonly query: URLSearchParams;
  readonly body: EventBody;
};

/** Returns the event id of a request; null if there is no plausible one. Source: EE-2. */
export function* findEventId(
  request: EventRequest,
  { event_id_location: location, event_id_path: path }: ExternalEventQuery,
): Slices<string | null> {
  switch (location) {
    case 'headers':
      return firstId([readHeader(request.headers, path)]);
    case 'querystring':
      return firstId([EXTERNAL_EVENT_PARAMETERS.includes(path) ? null : request.query.get(path)]);
    case 'payload':
      return firstId(yield* candidates(request.body, path));
  }
}

function* candidates(body: EventBody, path: string): Slices<readonly unknown[]> {
  switch (body.kind) {
    case 'json':
      return [readOwn(body.data, path), splitPath(path).reduce(readOwn, body.data)];
    case 'form':
      return [[body.fields.get(path) ?? []].flat()[0]];
    case 'xml':
      return [
        yield* findElementText(body.data, splitPath(path)),
        path.includes('.') ? yield* findElementText(body.data, [path]) : null,
      ];
    case 'text':
      return [yield* findPair(body.data, path)];
  }
}

function firstId(values: readonly unknown[]): string | null {
  for (const value of values) {
    const id = typeof value === 'number' ? String(value) : value;
    if (typeof id === 'string' && id !== '' && !isTooLong(id)) return id;
  }
  return null;
}

function isTooLong(id: string): boolean {
  // Compares lengths first, because counting the characters of a megabyte takes 25 ms.
  return id.length > 2 * EVENT_ID_MAX_CHARACTERS || [...id].length > EVENT_ID_MAX_CHARACTERS;
}

/** Splits a dotted path; a dot within a name is escaped with a backslash. */
function splitPath(path: string): readonly string[] {
  return path.split(/(?<!\\)\./).map((name) => name.replaceAll('\\.', '.'));
}

/** Reads own properties only; list elements by index. */
function readOwn(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  if (Array.isArray(value) && !/^\d+$/.test(key)) return undefined;
  return Reflect.get(value, key);
}

export function readHeader(headers: Headers, name: string): string | null {
  // `Headers` throws on an invalid header name.
  return /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(name) ? headers.get(name) : null;
}

/** Returns the value of the first pair of that name. */
function* findPair(text: string, name: string): Slices<string | undefined> {
  let pause = SLICE_CHARACTERS;
  for (const { 0: pair, index } of text.matchAll(/[^&\r\n]+/g)) {
    if (index >= pause) {
      pause = index + SLICE_CHARACTERS;
      yield;
    }
    const at = pair.indexOf('=');
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return undefined;
}
