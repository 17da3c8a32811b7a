import { SETUP_ERRORS } from 'natter/protocol';
import { isRecord } from '../kit/is-record.ts';

/** What the token endpoint granted. */
export interface GrantedToken {
  readonly accessToken: string;
  readonly expiresInSeconds: number;
}

// 3.2: what a missing expires_in means.
const ASSUMED_LIFETIME_SECONDS = 3_600;
// Beyond this a date cannot be written any more, and no token is valid for ten years.
const MAX_LIFETIME_SECONDS = 315_360_000;
// The token travels in the socket's query; servers refuse longer request lines, so a longer one could never connect.
const MAX_TOKEN_LENGTH = 8_192;
const MAX_SESSION_ID_LENGTH = 512;

function firstPresent(body: Readonly<Record<string, unknown>>, names: readonly string[]): unknown {
  for (const name of names) {
    if (Object.hasOwn(body, name) && body[name] !== null) return body[name];
  }
  return undefined;
}

function readLifetime(value: unknown): number {
  const seconds = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof seconds !== 'number' || !Number.isFinite(seconds) || seconds <= 0)
    return ASSUMED_LIFETIME_SECONDS;
  return Math.min(seconds, MAX_LIFETIME_SECONDS);
}

/** Reads a token answer in either spelling; null when it holds no token that could be used. Source: messaging.md 3.2. */
export function readGrantedToken(body: unknown): GrantedToken | null {
  if (!isRecord(body)) return null;
  const accessToken = firstPresent(body, ['access_token', 'accessToken']);
  // Printable ASCII only: it goes into a header next, where anything else would throw.
  if (typeof accessToken !== 'string' || !/^[\x21-\x7e]+$/.test(accessToken)) return null;
  if (accessToken.length > MAX_TOKEN_LENGTH) return null;
  return { accessToken, expiresInSeconds: readLifetime(firstPresent(body, ['expires_in', 'expiresIn'])) };
}

/** Reads a session answer: `session_id`, then `sessionId`, then `id`; null when none is a non-empty string. Source: messaging.md 3.4. */
export function readSessionId(body: unknown): string | null {
  if (!isRecord(body)) return null;
  const id = firstPresent(body, ['session_id', 'sessionId', 'id']);
  return typeof id === 'string' && id.trim() !== '' && id.length <= MAX_SESSION_ID_LENGTH ? id : null;
}

/** The agent that our platform says it does not have, shortened; null where it says nothing of that kind. */
export function readMissingAgent(body: unknown): string | null {
  const name = isRecord(body) ? body['missing_agent'] : undefined;
  return typeof name === 'string' && name !== '' ? name.slice(0, 100) : null;
}

/** Whether our platform says that it stores contact requests and shows them to staff. Source: messaging.md 3.8. */
export function readStoresContact(body: unknown): boolean {
  const offers = isRecord(body) ? body['offers'] : undefined;
  return Array.isArray(offers) && offers.includes('contact');
}

// TOK-2's extra text of the reference service, in addition to the tables' texts.
const AGENT_DETAILS_TEXT = 'Unable to get agent details from connector service';

/** Texts that mean "this connector token cannot be used", with any status. Source: messaging.md 3.2, TOK-2. */
export const CONNECTOR_TEXTS: ReadonlySet<string> = new Set([
  SETUP_ERRORS.missingAuthHeaders.text,
  SETUP_ERRORS.invalidBody.text,
  SETUP_ERRORS.connectorNotFound.text,
  SETUP_ERRORS.connectorHostMissing.text,
  SETUP_ERRORS.connectorHostMismatch.text,
  AGENT_DETAILS_TEXT,
]);

const KNOWN_TEXTS: ReadonlySet<string> = new Set([
  ...Object.values(SETUP_ERRORS).map((error) => error.text),
  AGENT_DETAILS_TEXT,
]);

/**
 * The text of an upstream error when it is one the contract lists, else null: an unknown text is foreign and goes neither
 * into a response nor into a log. Source: HTTP-4.
 */
export function readKnownErrorText(body: unknown): string | null {
  if (!isRecord(body)) return null;
  for (const name of ['message', 'error', 'error_message']) {
    const text = body[name];
    if (typeof text === 'string') return KNOWN_TEXTS.has(text) ? text : null;
  }
  return null;
}
