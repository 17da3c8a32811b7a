import { CHAT_MESSAGE_MAX_BYTES } from '@natter/sdk';
import * as v from 'valibot';
import { isRecord } from './is-record.ts';
import { ProxyFailure } from './proxy-failure.ts';
import type { HelpQuery } from './search-route.ts';
import type { ContactRequest, VisitorFeedback } from './visitor-hooks.ts';

const PLATFORMS = ['web', 'ios', 'android', 'custom', 'ios-web', 'android-web'] as const;
const DEVICE_TYPES = ['mobile', 'tablet', 'desktop'] as const;

const connectorSchema = v.pipe(v.string(), v.minLength(1), v.maxLength(64));

const sessionSchema = v.strictObject({
  connector: v.optional(connectorSchema, 'default'),
  platform: v.optional(v.picklist(PLATFORMS), 'web'),
  device_type: v.optional(v.picklist(DEVICE_TYPES)),
  streaming: v.optional(v.boolean(), true),
});

const ticketSchema = v.strictObject({
  connector: v.optional(connectorSchema, 'default'),
  resume_ticket: v.optional(v.pipe(v.string(), v.minLength(1))),
});

const probeSchema = v.strictObject({
  connector: v.optional(connectorSchema, 'default'),
  session_id: v.pipe(v.string(), v.minLength(1), v.maxLength(512)),
  // What a session answer can carry; it goes into a URL next.
  access_token: v.pipe(v.string(), v.regex(/^[\x21-\x7e]{1,8192}$/)),
});

const contextSchema = v.strictObject({
  ...ticketSchema.entries,
  token: v.pipe(v.string(), v.minLength(1)),
});

const MAX_REASON_CHARACTERS = 1_000;

const MAX_CONTACT_TEXT_CHARACTERS = 2_000;

/** Also keeps line breaks out of the heads of a mail. */
const ONE_LINE = /^[^\p{Cc}]*$/u;
const EMAIL = /^[^\s@\p{Cc}<>,;:"]+@[^\s@\p{Cc}<>,;:".]+(?:\.[^\s@\p{Cc}<>,;:".]+)+$/u;

const contactSchema = v.strictObject({
  ...ticketSchema.entries,
  name: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(100), v.regex(ONE_LINE)), ''),
  email: v.pipe(v.string(), v.trim(), v.maxLength(254), v.regex(EMAIL)),
  text: v.pipe(
    v.string(),
    v.trim(),
    v.nonEmpty(),
    v.maxLength(MAX_CONTACT_TEXT_CHARACTERS),
    // No platform stores it.
    v.check((text) => !text.includes('\0')),
  ),
});

const feedbackSchema = v.strictObject({
  ...ticketSchema.entries,
  message_id: v.pipe(v.string(), v.minLength(1), v.maxLength(512)),
  rating: v.nullable(v.picklist(['up', 'down'])),
  reason: v.optional(
    v.nullable(
      v.pipe(
        v.string(),
        v.check((text) => [...text].length <= MAX_REASON_CHARACTERS),
      ),
    ),
    null,
  ),
});

/** How long a search for help articles may be. */
export const MAX_QUERY_CHARACTERS = 200;

const searchSchema = v.strictObject({
  connector: v.optional(connectorSchema, 'default'),
  query: v.pipe(
    v.string(),
    v.trim(),
    v.nonEmpty(),
    v.regex(ONE_LINE),
    v.check((text) => [...text].length <= MAX_QUERY_CHARACTERS),
  ),
  language: v.optional(v.pipe(v.string(), v.regex(/^[A-Za-z0-9-]{1,35}$/)), 'en'),
});

const chatCreateSchema = v.strictObject({ connector: v.optional(connectorSchema, 'default') });

const chatReferenceEntries = {
  connector: v.optional(connectorSchema, 'default'),
  chat: v.optional(v.pipe(v.string(), v.minLength(1))),
};
const chatRespondSchema = v.strictObject({
  ...chatReferenceEntries,
  text: v.pipe(v.string(), v.regex(/\S/), v.maxBytes(CHAT_MESSAGE_MAX_BYTES)),
});
const chatCloseSchema = v.strictObject(chatReferenceEntries);

/** What a page may say about the session it wants. Source: messaging.md 3.4. */
export interface SessionRequest {
  readonly connector: string;
  readonly platform: (typeof PLATFORMS)[number];
  readonly deviceType: (typeof DEVICE_TYPES)[number] | null;
  readonly streaming: boolean;
}

const FIELD_RULES: Readonly<Record<string, string>> = {
  connector: 'a name of 1 to 64 characters',
  platform: `one of ${PLATFORMS.join(', ')}`,
  device_type: `one of ${DEVICE_TYPES.join(', ')}`,
  streaming: 'true or false',
  session_id: 'the one of a session answer',
  access_token: 'the one of a session answer',
  chat: 'the one of the last answer',
  text: `what the visitor wrote, not blank and at most ${CHAT_MESSAGE_MAX_BYTES} bytes`,
  resume_ticket: 'the non-empty string that the session answer carried',
  token: 'the signed context, a non-empty string',
  name: 'one line of at most 100 characters',
  email: 'an e-mail address such as name@example.com',
  message_id: 'the id of a message of the automated agent',
  rating: 'up, down or null',
  query: `one line of 1 to ${MAX_QUERY_CHARACTERS} characters`,
  language: 'a BCP-47 tag such as en',
  reason: `a text of at most ${MAX_REASON_CHARACTERS} characters, or null`,
};

const CONTACT_RULES: typeof FIELD_RULES = {
  ...FIELD_RULES,
  text: `what the visitor asks, not blank and at most ${MAX_CONTACT_TEXT_CHARACTERS} characters`,
};

function refuse(message: string): ProxyFailure {
  return new ProxyFailure('INVALID_REQUEST', message);
}

/** The field's name, cut and stripped: it comes from outside and goes into a message. */
function quote(field: string): string {
  return JSON.stringify(field.length > 64 ? `${field.slice(0, 64)}…` : field);
}

function parseObject<const TSchema extends v.GenericSchema>(
  schema: TSchema,
  knownFields: readonly string[],
  body: unknown,
  rules: Readonly<Record<string, string>> = FIELD_RULES,
): v.InferOutput<TSchema> {
  if (!isRecord(body))
    throw refuse('The body must be a JSON object. Send {} to start a session with the defaults.');
  const result = v.safeParse(schema, body);
  if (result.success) return result.output;
  const field = v.getDotPath(result.issues[0]);
  const name = field ?? '';
  if (!knownFields.includes(name)) {
    throw refuse(`Unknown field ${quote(name)}. Known fields: ${knownFields.join(', ')}.`);
  }
  if (!Object.hasOwn(body, name))
    throw refuse(`The field ${quote(name)} is missing: it must be ${rules[name]}.`);
  throw refuse(`The field ${quote(name)} must be ${rules[name]}.`);
}

/** Parses the bytes of a request as JSON. Throws `INVALID_REQUEST`. */
export function parseJsonBody(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    // The parser's own message quotes the body, which may hold a ticket.
    throw refuse('The body is not valid JSON in UTF-8. Send an object, for instance {}.');
  }
}

/** Reads the body of `POST /v1/session`. Throws `INVALID_REQUEST` naming the field that is unknown or wrong. */
export function parseSessionRequest(body: unknown): SessionRequest {
  const fields = parseObject(sessionSchema, Object.keys(sessionSchema.entries), body);
  return {
    connector: fields.connector,
    platform: fields.platform,
    deviceType: fields.device_type ?? null,
    streaming: fields.streaming,
  };
}

/** The pair that a page could not open a socket with. */
export interface ProbeRequest {
  readonly connector: string;
  readonly sessionId: string;
  readonly accessToken: string;
}

/** Reads the body of `POST /v1/probe`. Throws `INVALID_REQUEST` naming the field that is unknown or wrong. */
export function parseProbeRequest(body: unknown): ProbeRequest {
  const fields = parseObject(probeSchema, Object.keys(probeSchema.entries), body);
  return { connector: fields.connector, sessionId: fields.session_id, accessToken: fields.access_token };
}

/** Reads the body of `POST /v1/chat/create`: the connector. Throws `INVALID_REQUEST` naming the field that is unknown or wrong. */
export function parseChatCreateRequest(body: unknown): string {
  return parseObject(chatCreateSchema, Object.keys(chatCreateSchema.entries), body).connector;
}

/** Which conversation without a socket is meant: the one given, or, without one, the one in the cookie of this connector. */
export interface ChatReference {
  readonly connector: string;
  /** The sealed reference of the last answer; null for none. */
  readonly chat: string | null;
}

/** Something the visitor says in a conversation without a socket. */
export interface ChatRespondRequest extends ChatReference {
  readonly text: string;
}

/** Reads the body of `POST /v1/chat/respond`. Throws `INVALID_REQUEST` naming the field that is unknown or wrong. */
export function parseChatRespondRequest(body: unknown): ChatRespondRequest {
  const { chat = null, ...said } = parseObject(
    chatRespondSchema,
    Object.keys(chatRespondSchema.entries),
    body,
  );
  return { ...said, chat };
}

/** Reads the body of `POST /v1/chat/close`. Throws `INVALID_REQUEST` naming the field that is unknown or wrong. */
export function parseChatCloseRequest(body: unknown): ChatReference {
  const { connector, chat = null } = parseObject(chatCloseSchema, Object.keys(chatCloseSchema.entries), body);
  return { connector, chat };
}

/** Whose ticket is meant: the one given, or, without one, the cookie of this connector. */
export interface TicketRequest {
  readonly connector: string;
  readonly ticket: string | null;
}

/** Reads the body of `POST /v1/resume` and `POST /v1/logout`. Throws `INVALID_REQUEST` naming the field that is unknown or wrong. */
export function parseTicketRequest(body: unknown): TicketRequest {
  const fields = parseObject(ticketSchema, Object.keys(ticketSchema.entries), body);
  return { connector: fields.connector, ticket: fields.resume_ticket ?? null };
}

/** A verified-context token, and whose conversation it is for. */
export interface ContextRequest extends TicketRequest {
  readonly token: string;
}

/** Reads the body of `POST /v1/context`. Throws `INVALID_REQUEST` naming the field that is unknown or wrong. */
export function parseContextRequest(body: unknown): ContextRequest {
  const fields = parseObject(contextSchema, Object.keys(contextSchema.entries), body);
  return { connector: fields.connector, ticket: fields.resume_ticket ?? null, token: fields.token };
}

/** A rating, and whose conversation it belongs to. */
export interface FeedbackRequest extends TicketRequest {
  readonly feedback: VisitorFeedback;
}

/** Reads the body of `POST /v1/feedback`. Throws `INVALID_REQUEST` naming the field that is unknown or wrong. */
export function parseFeedbackRequest(body: unknown): FeedbackRequest {
  const fields = parseObject(feedbackSchema, Object.keys(feedbackSchema.entries), body);
  const { connector, resume_ticket: ticket = null, message_id: messageId, rating, reason } = fields;
  return { connector, ticket, feedback: { messageId, rating, reason } };
}

/** What a visitor asks by e-mail, and whose conversation it belongs to. */
export interface ContactRequestBody extends TicketRequest {
  readonly contact: ContactRequest;
}

/** Reads the body of `POST /v1/contact`. Throws `INVALID_REQUEST` naming the field that is unknown or wrong. */
export function parseContactRequest(body: unknown): ContactRequestBody {
  const fields = parseObject(contactSchema, Object.keys(contactSchema.entries), body, CONTACT_RULES);
  const { connector, resume_ticket: ticket = null, ...contact } = fields;
  return { connector, ticket, contact };
}

/** A search for help articles, and at which connector. */
export interface SearchRequest extends HelpQuery {
  readonly connector: string;
}

/** Reads the body of `POST /v1/search`. Throws `INVALID_REQUEST` naming the field that is unknown or wrong. */
export function parseSearchRequest(body: unknown): SearchRequest {
  return parseObject(searchSchema, Object.keys(searchSchema.entries), body);
}
