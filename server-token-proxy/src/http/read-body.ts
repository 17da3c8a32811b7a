import * as v from 'valibot';
import { isRecord } from '../kit/is-record.ts';
import { readLimited } from '../kit/read-limited.ts';
import { ProxyFailure } from '../proxy-failure.ts';
import type { AdmittedRequest } from './admitted-request.ts';

/** The fields of a body. Each has its rule as description, which a refusal quotes. */
type BodySchema = v.StrictObjectSchema<v.ObjectEntries, undefined>;

/** Fields of several routes. */
export const connectorField = v.pipe(
  v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(64)), 'default'),
  v.description('a name of 1 to 64 characters'),
);
export const ticketFields = {
  connector: connectorField,
  resume_ticket: v.pipe(
    v.optional(v.pipe(v.string(), v.minLength(1))),
    v.description('the non-empty string that the session answer carried'),
  ),
};

/** The body of routes that only need the session of a ticket. */
export const ticketSchema = v.strictObject(ticketFields);

/** Identifies the ticket: the given one, or else the cookie of this connector. */
export type TicketRequest = v.InferOutput<typeof ticketSchema>;

/** One line, which keeps line breaks out of email headers, among others. */
export const ONE_LINE = /^[^\p{Cc}]*$/u;

// A ticket contains an encrypted access token in base64: an 8 kB token, the longest accepted from upstream, fits. 4 kB
// would refuse tickets of platforms with average tokens.
/** Longest body in bytes with a ticket and no other long field. */
export const MAX_TICKET_BODY_BYTES = 16_384;

const refuse = (message: string, cause?: unknown): ProxyFailure =>
  new ProxyFailure('INVALID_REQUEST', message, { cause });

/**
 * Throws `UNSUPPORTED_MEDIA_TYPE` unless the body is declared as plain JSON, a type that pages cannot send without a
 * preflight.
 */
export function requireJsonContentType(headers: Headers): void {
  const [essence = '', ...parameters] = (headers.get('content-type') ?? '')
    .split(';')
    .map((part) => part.trim());
  const charset = parameters.find((parameter) => /^charset=/i.test(parameter))?.slice('charset='.length);
  const isUtf8 = charset === undefined || /^"?utf-?8"?$/i.test(charset);
  const encoding = headers.get('content-encoding');
  if (
    essence.toLowerCase() === 'application/json' &&
    isUtf8 &&
    (encoding === null || encoding === 'identity')
  )
    return;
  throw new ProxyFailure(
    'UNSUPPORTED_MEDIA_TYPE',
    'Send the body uncompressed with Content-Type: application/json.',
  );
}

/**
 * Reads a small JSON body. Throws `PAYLOAD_TOO_LARGE`, `REQUEST_TIMEOUT` when the signal aborts before the end of the
 * body, or `INVALID_REQUEST` naming the unknown or wrong field. A late body is never reported as a failure of the
 * platform.
 */
export async function readBody<Schema extends BodySchema>(
  { request, budget: { signal } }: Pick<AdmittedRequest, 'request' | 'budget'>,
  schema: Schema,
  maxBytes: number = MAX_TICKET_BODY_BYTES,
): Promise<v.InferOutput<Schema>> {
  const tooLarge = (): ProxyFailure =>
    new ProxyFailure('PAYLOAD_TOO_LARGE', `The body is larger than the ${maxBytes} bytes accepted here.`);
  if (Number(request.headers.get('content-length')) > maxBytes) throw tooLarge();
  let body: Awaited<ReturnType<typeof readLimited>>;
  try {
    body = await readLimited(request.body, maxBytes, signal);
  } catch (cause) {
    if (signal.aborted && !request.signal.aborted) {
      throw new ProxyFailure('REQUEST_TIMEOUT', 'The body did not arrive in time. Send the request again.', {
        cause,
      });
    }
    throw refuse('The body ended early. Send it again.', cause);
  }
  if (body.status === 'too-large') throw tooLarge();
  return parseFields(schema, parseJson(body.bytes));
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    // The parser's message quotes the body, which may contain a ticket.
    throw refuse('The body is not valid JSON in UTF-8. Send an object, for instance {}.');
  }
}

/** Parses the fields of a body. Throws `INVALID_REQUEST` naming the unknown or wrong one. */
export function parseFields<Schema extends BodySchema>(schema: Schema, body: unknown): v.InferOutput<Schema> {
  if (!isRecord(body))
    throw refuse('The body must be a JSON object. Send {} to start a session with the defaults.');
  const result = v.safeParse(schema, body);
  if (result.success) return result.output;
  const name = v.getDotPath(result.issues[0]) ?? '';
  const field = Object.entries(schema.entries).find(([known]) => known === name)?.[1];
  if (field === undefined) {
    throw refuse(`Unknown field ${quote(name)}. Known fields: ${Object.keys(schema.entries).join(', ')}.`);
  }
  const state = Object.hasOwn(body, name) ? 'must be' : 'is missing: it must be';
  throw refuse(`The field ${quote(name)} ${state} ${v.getDescription(field)}.`);
}

/** The field's name, shortened and stripped, because it is external input in a message. */
const quote = (field: string): string => JSON.stringify(field.length > 64 ? `${field.slice(0, 64)}…` : field);
