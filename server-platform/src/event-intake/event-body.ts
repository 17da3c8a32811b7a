import { isNestedTooDeeply } from '../http/index.ts';
import type { FormFields } from './read-form.ts';

/** What an event says, as its id is looked for in it. Source: EE-6. */
export type EventBody =
  | { readonly kind: 'json'; readonly data: unknown }
  | { readonly kind: 'form'; readonly fields: FormFields }
  | { readonly kind: 'xml' | 'text'; readonly data: string };

/** What an event says, as it is stored: a form as an object of its fields. */
export function dataOf(body: EventBody): unknown {
  return body.kind === 'form' ? Object.fromEntries(body.fields) : body.data;
}

/** A body, a form that is still to be read with `readForm`, or why it cannot be taken. */
export type ReadEventBody =
  | { readonly status: 'read'; readonly contentType: string; readonly body: EventBody }
  | { readonly status: 'form'; readonly contentType: string; readonly text: string }
  | { readonly status: 'refused'; readonly reason: string };

/**
 * Reads a body by its content type. `text/xml` and `application/…+json` are read as their plain kin, no content type
 * as `text/plain`. Source: section 6.
 */
export function readEventBody(bytes: Uint8Array, contentType: string | null): ReadEventBody {
  const [type = '', ...parameters] = (contentType ?? '').split(';').map((part) => part.trim().toLowerCase());
  const kind = kindOf(type);
  const decoder = kind === null ? null : decoderFor(parameters);
  if (kind === null || decoder === null) return { status: 'refused', reason: 'Unsupported content type' };
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    return { status: 'refused', reason: 'Request body is not text in the character set it names' };
  }
  if (kind === 'form') return { status: 'form', contentType: type, text };
  const body = parse(kind, text);
  return typeof body === 'string'
    ? { status: 'refused', reason: body }
    : { status: 'read', contentType: type === '' ? 'text/plain' : type, body };
}

function kindOf(type: string): EventBody['kind'] | null {
  if (type === 'application/json' || /^application\/[\w.-]+\+json$/.test(type)) return 'json';
  if (type === 'application/x-www-form-urlencoded') return 'form';
  if (type === 'application/xml' || type === 'text/xml') return 'xml';
  return type === 'text/plain' || type === '' ? 'text' : null;
}

function decoderFor(parameters: readonly string[]): InstanceType<typeof TextDecoder> | null {
  const charset = parameters.find((parameter) => parameter.startsWith('charset='));
  const label = charset === undefined ? 'utf-8' : charset.slice('charset='.length).replaceAll('"', '');
  try {
    return new TextDecoder(label, { fatal: true });
  } catch {
    return null;
  }
}

/** The body, or what is wrong with it. */
function parse(kind: Exclude<EventBody['kind'], 'form'>, text: string): EventBody | string {
  if (kind !== 'json') return { kind, data: text };
  if (isNestedTooDeeply(text)) return 'Request body is nested too deeply';
  try {
    return { kind, data: JSON.parse(text) };
  } catch {
    return 'Request body is not valid JSON';
  }
}
