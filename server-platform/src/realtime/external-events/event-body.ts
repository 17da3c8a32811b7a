import { findExcess, findLossyNumber, LOSSY_NUMBER } from '../../kit/http/index.ts';
import { findEncoding } from './find-encoding.ts';
import type { FormFields, UnreadForm } from './read-form.ts';
import type { Slices } from './run-in-slices.ts';

/** The content of an event, in which its id is searched. Source: EE-6. */
export type EventBody =
  | { readonly kind: 'json'; readonly data: unknown }
  | { readonly kind: 'form'; readonly fields: FormFields }
  | { readonly kind: 'xml' | 'text'; readonly data: string };

/** Returns an event's content as stored; a form becomes an object of its fields. */
export function dataOf(body: EventBody): unknown {
  return body.kind === 'form' ? Object.fromEntries(body.fields) : body.data;
}

/** A body, a form or JSON yet to be parsed with `readForm` or `readJson`, or the reason for its rejection. */
export type ReadEventBody =
  | { readonly status: 'read'; readonly contentType: string; readonly body: EventBody }
  | { readonly status: 'form'; readonly contentType: string; readonly form: UnreadForm }
  | { readonly status: 'json'; readonly contentType: string; readonly text: string }
  | { readonly status: 'refused'; readonly reason: string };

/** Error text for a body that does not match its declared encoding. */
export const NOT_DECODABLE = 'Request body is not text in the character set it names';

/**
 * Reads a body by its content type. `text/xml` and `application/…+json` are read as XML and JSON, a missing content
 * type as `text/plain`. Undecodable characters are rejected, never replaced. Source: section 6.
 */
export function readEventBody(bytes: Uint8Array, contentType: string | null): ReadEventBody {
  const [type = '', ...parameters] = (contentType ?? '').split(';').map((part) => part.trim().toLowerCase());
  const kind = kindOf(type);
  const decoder =
    kind === null ? null : decoderFor(findEncoding(bytes, charsetOf(parameters), kind === 'xml'));
  if (kind === null || decoder === null) return { status: 'refused', reason: 'Unsupported content type' };
  if (kind === 'form') {
    if (decoder.encoding.startsWith('utf-16'))
      return { status: 'refused', reason: 'Unsupported content type' };
    return {
      status: 'form',
      contentType: type,
      form: { bytes: Buffer.from(bytes).toString('latin1'), decoder },
    };
  }
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    return { status: 'refused', reason: NOT_DECODABLE };
  }
  if (kind === 'json') return { status: 'json', contentType: type, text };
  return { status: 'read', contentType: type === '' ? 'text/plain' : type, body: { kind, data: text } };
}

function kindOf(type: string): EventBody['kind'] | null {
  if (type === 'application/json' || /^application\/[\w.-]+\+json$/.test(type)) return 'json';
  if (type === 'application/x-www-form-urlencoded') return 'form';
  if (type === 'application/xml' || type === 'text/xml') return 'xml';
  return type === 'text/plain' || type === '' ? 'text' : null;
}

function charsetOf(parameters: readonly string[]): string | null {
  const charset = parameters.find((parameter) => parameter.startsWith('charset='));
  return charset === undefined ? null : charset.slice('charset='.length).replaceAll('"', '');
}

function decoderFor(encoding: string): InstanceType<typeof TextDecoder> | null {
  try {
    return new TextDecoder(encoding, { fatal: true });
  } catch {
    return null;
  }
}

/** Parses JSON or returns its fault, yielding between steps. */
export function* readJson(text: string): Slices<EventBody | string> {
  const excess = findExcess(text);
  if (excess !== null) return `Request body ${excess}`;
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    return 'Request body is not valid JSON';
  }
  yield;
  const lossy = findLossyNumber(text);
  // Gives the caller's work with the value its own slice.
  yield;
  return lossy === null ? { kind: 'json', data } : [lossy, LOSSY_NUMBER].filter(Boolean).join(' ');
}
