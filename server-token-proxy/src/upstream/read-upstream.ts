import { SETUP_ERRORS } from 'natter/protocol';
import { isRecord } from '../kit/is-record.ts';

/** A token granted by the token endpoint. */
export interface GrantedToken {
  readonly accessToken: string;
  readonly expiresInSeconds: number;
}

// Meaning of a missing expires_in according to 3.2.
const ASSUMED_LIFETIME_SECONDS = 3_600;
// Larger values cannot be represented as a date, and no token is valid for ten years.
const MAX_LIFETIME_SECONDS = 315_360_000;
// The token is sent in the socket's query; servers refuse longer request lines, so a longer token could never connect.
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

/** Parses a token response in either spelling; null without a usable token. Source: messaging.md 3.2. */
export function readGrantedToken(body: unknown): GrantedToken | null {
  if (!isRecord(body)) return null;
  const accessToken = firstPresent(body, ['access_token', 'accessToken']);
  // Printable ASCII only, because a header with anything else would throw.
  if (typeof accessToken !== 'string' || !/^[\x21-\x7e]+$/.test(accessToken)) return null;
  if (accessToken.length > MAX_TOKEN_LENGTH) return null;
  return { accessToken, expiresInSeconds: readLifetime(firstPresent(body, ['expires_in', 'expiresIn'])) };
}

/**
 * Parses a session response: `session_id`, then `sessionId`, then `id`; null if none is a non-empty string. Source:
 * messaging.md 3.4.
 */
export function readSessionId(body: unknown): string | null {
  if (!isRecord(body)) return null;
  const id = firstPresent(body, ['session_id', 'sessionId', 'id']);
  return typeof id === 'string' && id.trim() !== '' && id.length <= MAX_SESSION_ID_LENGTH ? id : null;
}

/** The agent that the platform reports as missing, shortened; null if it reports none. */
export function readMissingAgent(body: unknown): string | null {
  const name = isRecord(body) ? body['missing_agent'] : undefined;
  return typeof name === 'string' && name !== '' ? name.slice(0, 100) : null;
}

/** Whether the platform reports that it stores contact requests and shows them to staff. Source: messaging.md 3.8. */
export function readStoresContact(body: unknown): boolean {
  const offers = isRecord(body) ? body['offers'] : undefined;
  return Array.isArray(offers) && offers.includes('contact');
}

// TOK-2's extra text of the reference service, in addition to the tables' texts.
const AGENT_DETAILS_TEXT = 'Unable to get agent details from connector service';

/** Error texts for an unusable connector token, with any status. Source: messaging.md 3.2, TOK-2. */
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
 * Returns the text of an upstream error if the contract lists it, otherwise null: an unknown text is foreign and must
 * not appear in a response or log. Source: HTTP-4.
 */
export function readKnownErrorText(body: unknown): string | null {
  if (!isRecord(body)) return null;
  for (const name of ['message', 'error', 'error_message']) {
    const text = body[name];
    if (typeof text === 'string') return KNOWN_TEXTS.has(text) ? text : null;
  }
  return null;
}
