import { EVENT_ID_MAX_CHARACTERS, EXTERNAL_EVENT_PARAMETERS, type ExternalEventQuery } from '@natter/sdk';
import type { EventBody } from './event-body.ts';
import { findElementText } from './find-element-text.ts';

/** Where an id may stand. */
export type EventRequest = {
  readonly headers: Headers;
  readonly query: URLSearchParams;
  readonly body: EventBody;
};

/** The event id of a request, or null when there is none that could be one. Source: EE-2. */
export function findEventId(
  request: EventRequest,
  { event_id_location: location, event_id_path: path }: ExternalEventQuery,
): string | null {
  switch (location) {
    case 'headers':
      return firstId([readHeader(request.headers, path)]);
    case 'querystring':
      return firstId([EXTERNAL_EVENT_PARAMETERS.includes(path) ? null : request.query.get(path)]);
    case 'payload':
      return firstId(candidates(request.body, path));
  }
}

function candidates(body: EventBody, path: string): readonly unknown[] {
  switch (body.kind) {
    case 'json':
      return [readOwn(body.data, path), path.split('.').reduce(readOwn, body.data)];
    case 'form':
      return [[body.fields.get(path) ?? []].flat()[0]];
    case 'xml':
      return [findElementText(body.data, path.split('.'))];
    case 'text':
      return [readPairs(body.data).get(path)];
  }
}

function firstId(values: readonly unknown[]): string | null {
  for (const value of values) {
    const id = typeof value === 'number' ? String(value) : value;
    if (typeof id === 'string' && id !== '' && [...id].length <= EVENT_ID_MAX_CHARACTERS) return id;
  }
  return null;
}

/** Own properties only; the elements of a list by number. */
function readOwn(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  if (Array.isArray(value) && !/^\d+$/.test(key)) return undefined;
  return Reflect.get(value, key);
}

function readHeader(headers: Headers, name: string): string | null {
  // `Headers` throws at what is no header name.
  return /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(name) ? headers.get(name) : null;
}

function readPairs(text: string): ReadonlyMap<string, string> {
  const pairs = new Map<string, string>();
  for (const part of text.split(/&|\r\n|\n|\r/)) {
    const at = part.indexOf('=');
    const key = part.slice(0, at).trim();
    if (at > 0 && !pairs.has(key)) pairs.set(key, part.slice(at + 1).trim());
  }
  return pairs;
}
