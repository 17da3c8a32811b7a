import { isNestedTooDeeply } from './json-depth.ts';

/** A request body as read: an object, nothing at all, too many bytes, or something else. */
export type JsonBody =
  | { readonly kind: 'object'; readonly fields: Readonly<Record<string, unknown>> }
  | { readonly kind: 'absent' }
  | { readonly kind: 'too_large' }
  | { readonly kind: 'malformed'; readonly isTooDeep: boolean };

/**
 * Reads a body of at most `maxBytes`, whatever its `Content-Type` says (TOK-1). White space alone counts as absent.
 * Stops reading as soon as there is too much.
 */
export async function readJsonBody(request: Request, maxBytes: number): Promise<JsonBody> {
  const bytes = await readBodyBytes(request, maxBytes);
  if (bytes === null) return { kind: 'too_large' };
  let value: unknown;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (text.trim() === '') return { kind: 'absent' };
    if (isNestedTooDeeply(text)) return { kind: 'malformed', isTooDeep: true };
    value = JSON.parse(text);
  } catch {
    // Bytes that are not UTF-8 and text that is not JSON are the same refusal.
    return { kind: 'malformed', isTooDeep: false };
  }
  return isObject(value) ? { kind: 'object', fields: value } : { kind: 'malformed', isTooDeep: false };
}

/** The peer went away, or took too long, before its request was complete. No failure of the server's. */
export class UploadAborted extends Error {
  override readonly name = 'UploadAborted';
}

/** Recognises an {@link UploadAborted}. */
export function isUploadAborted(error: unknown): error is UploadAborted {
  return error instanceof Error && error.name === 'UploadAborted';
}

/**
 * Reads a body; null when it has more than `maxBytes`. Stops reading as soon as there is too much. Rejects with
 * {@link UploadAborted} when the body does not come to its end.
 */
export async function readBodyBytes(request: Request, maxBytes: number): Promise<Uint8Array | null> {
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) return null;
  if (request.body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of request.body) {
      length += chunk.length;
      if (length > maxBytes) return null;
      chunks.push(chunk);
    }
  } catch (error) {
    throw new UploadAborted('The request ended before its body was complete.', { cause: error });
  }
  return Buffer.concat(chunks);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
