import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, type ZlibOptions } from 'node:zlib';
import { findExcess } from './find-excess.ts';
import { findLossyNumber } from './lossy-number.ts';
import { createRunExclusive, type RunExclusive } from './stream-pieces.ts';

/** The error for a number that would lose precision. */
export const LOSSY_NUMBER = 'is a number that cannot be stored exactly: send it as a string';

/** A request body as read: an object, absent, too large, or invalid. */
export type JsonBody =
  | {
      readonly kind: 'object';
      readonly fields: Readonly<Record<string, unknown>>;
      /** Path of the first number that lost precision; `null`: none did. */
      readonly lossyField: string | null;
    }
  | { readonly kind: 'absent' }
  | { readonly kind: 'too_large' }
  /** A `Content-Encoding` that is not read. */
  | { readonly kind: 'unknown_encoding' }
  /** `excess`: the limit of depth or fields that JSON is above, as the end of a sentence; null: it is no JSON object. */
  | { readonly kind: 'malformed'; readonly excess: string | null };

/**
 * Reads a body of at most `maxBytes`, ignoring its `Content-Type` (TOK-1). Only white space counts as absent. Stops
 * reading above the limit.
 */
export async function readJsonBody(request: Request, maxBytes: number): Promise<JsonBody> {
  const bytes = await readBodyBytes(request, maxBytes);
  if (typeof bytes === 'string') return bytes === 'malformed' ? NO_JSON : { kind: bytes };
  const inTurn = bytes.length > LARGE_BYTES ? runExclusive : atOnce;
  let value: unknown;
  let lossy: string | null;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (text.trim() === '') return { kind: 'absent' };
    const excess = findExcess(text);
    if (excess !== null) return { kind: 'malformed', excess };
    value = await inTurn(async () => JSON.parse(text));
    lossy = await inTurn(async () => findLossyNumber(text));
    // Yields before the caller's work with the value.
    await inTurn(async () => undefined);
  } catch {
    // Invalid UTF-8 and invalid JSON are refused alike.
    return NO_JSON;
  }
  return isObject(value) ? { kind: 'object', fields: value, lossyField: lossy } : NO_JSON;
}

// A body of this size is parsed within a few milliseconds. Larger ones take turns, one step at a time.
const LARGE_BYTES = 65_536;
const runExclusive = createRunExclusive();
const atOnce: RunExclusive = (work) => work();

const NO_JSON: JsonBody = { kind: 'malformed', excess: null };

/** The peer disconnected or was too slow before its request was complete. Not a failure of the server. */
export class UploadAborted extends Error {
  override readonly name = 'UploadAborted';
}

/** Recognises an {@link UploadAborted}. */
export function isUploadAborted(error: unknown): error is UploadAborted {
  return error instanceof Error && error.name === 'UploadAborted';
}

type Decompress = (bytes: Uint8Array, options: ZlibOptions) => Promise<Uint8Array>;

const DECOMPRESSIONS: Readonly<Record<string, Decompress>> = {
  gzip: promisify<Uint8Array, ZlibOptions, Uint8Array>(gunzip),
  'x-gzip': promisify<Uint8Array, ZlibOptions, Uint8Array>(gunzip),
  deflate: promisify<Uint8Array, ZlibOptions, Uint8Array>(inflate),
  br: promisify<Uint8Array, ZlibOptions, Uint8Array>(brotliDecompress),
  identity: async (bytes) => bytes,
};

/**
 * Reads and decompresses a body: `too_large` when it exceeds `maxBytes` before or after, `malformed` when it cannot be
 * decompressed, `unknown_encoding` for another `Content-Encoding`. Stops above the limit. Rejects with
 * {@link UploadAborted} when the body is incomplete.
 */
export async function readBodyBytes(
  request: Request,
  maxBytes: number,
): Promise<Uint8Array | 'too_large' | 'malformed' | 'unknown_encoding'> {
  const encoding = request.headers.get('content-encoding')?.toLowerCase() ?? 'identity';
  const decompress = Object.hasOwn(DECOMPRESSIONS, encoding) ? DECOMPRESSIONS[encoding] : undefined;
  if (decompress === undefined) return 'unknown_encoding';
  const bytes = await readRawBytes(request, maxBytes);
  if (bytes === null) return 'too_large';
  try {
    return await decompress(bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? 'too_large' : 'malformed';
  }
}

async function readRawBytes(request: Request, maxBytes: number): Promise<Uint8Array | null> {
  const announced = request.headers.get('content-length');
  if (Number(announced ?? 0) > maxBytes) return null;
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    // The HTTP parser delivers no more than was announced. At once, it needs no stream.
    if (announced !== null) return new Uint8Array(await request.arrayBuffer());
    if (request.body === null) return new Uint8Array();
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
