/** The two spellings of vendor-specific names. Source: messaging.md 1, V-3. */
export type Vocabulary = 'neutral' | 'poly';

export const NAME_PREFIX = 'EVENT_TYPE_';

/** Events that a platform sends, without the prefix `EVENT_TYPE_`. */
const SERVER_NAMES = [
  'SESSION_START',
  'SESSION_END',
  'EVENT_BATCH',
  'SYSTEM_MESSAGE',
  'LANGUAGE_CHANGED',
  'AGENT_JOINED',
  'AGENT_THINKING',
  'AGENT_MESSAGE',
  'AGENT_MESSAGE_CHUNK',
  'AGENT_LEFT',
  'AGENT_TRIGGERED_HANDOFF',
  'LIVE_AGENT_JOINED',
  'LIVE_AGENT_TYPING',
  'LIVE_AGENT_MESSAGE',
  'LIVE_AGENT_LEFT',
  'CLIENT_HANDOFF_REQUIRED',
  'HANDOFF_ACCEPTED',
  'HANDOFF_QUEUE_STATUS',
  'HANDOFF_FAILED',
  'HANDOFF_TIMEOUT',
  'SESSION_IDLE_WARNING',
] as const;

const CLIENT_NAMES = [
  'REQUEST_AGENT_JOIN',
  'USER_MESSAGE',
  'USER_TYPING',
  'USER_END_SESSION',
  'HEARTBEAT',
] as const;

type Prefixed<Name extends string> = `EVENT_TYPE_${Name}`;

/** The five types a client may send. Source: messaging.md 6. */
export type ClientEventType = Prefixed<(typeof CLIENT_NAMES)[number]>;
/** All types that a client may receive, including echoes. */
export type KnownEventType =
  | Prefixed<(typeof SERVER_NAMES)[number]>
  | ClientEventType
  // Only if the survey is enabled. Source: TBD-3.
  | 'EVENT_TYPE_SHOW_CSAT_REQUEST'
  | 'EVENT_TYPE_CSAT_RESPONSE'
  // Only if both ends name the extension. Source: EXT-3.
  | 'EVENT_TYPE_X_FEEDBACK';

/** Neutral names of the five client events. */
export const CLIENT_EVENT_TYPES: ReadonlySet<string> = /* @__PURE__ */ new Set<string>(
  /* @__PURE__ */ CLIENT_NAMES.map((name) => NAME_PREFIX + name),
);

/** Events that the contract names but no platform sends yet. Clients ignore them. Source: TBD-1. */
export const NOT_YET_SENT: ReadonlySet<string> = /* @__PURE__ */ new Set([
  'EVENT_TYPE_USER_RECEIVED_MESSAGE',
  'EVENT_TYPE_USER_READ_MESSAGE',
  'EVENT_TYPE_AGENT_RECEIVED_MESSAGE',
  'EVENT_TYPE_AGENT_READ_MESSAGE',
  'EVENT_TYPE_LIVE_AGENT_RECEIVED_MESSAGE',
  'EVENT_TYPE_LIVE_AGENT_READ_MESSAGE',
  'EVENT_TYPE_SHOW_CSAT_REQUEST',
  'EVENT_TYPE_CSAT_RESPONSE',
]);

/** Returns the poly spelling of a type. Only types of the automated agent differ, all in the same way. */
export const toPoly = (neutral: string): string =>
  neutral.replace(/^(EVENT_TYPE_(REQUEST_)?)(?=AGENT_)/, '$1POLY_');

/** Returns the neutral spelling of a type, known or not. Source: V-1, V-2. */
export function toNeutralSpelling(wireType: string): string {
  return (
    wireType
      .replace(/^(EVENT_TYPE_(REQUEST_)?)POLY_(?=AGENT_)/, '$1')
      // These two also occur without the prefix (V-2).
      .replace(/^(REQUEST_AGENT_JOIN|SESSION_END)$/, `${NAME_PREFIX}$1`)
  );
}

/** Returns the neutral type of a type on the wire; `null` for an unknown one. Source: V-1, V-2. */
export function toNeutralType(wireType: string): string | null {
  const neutral = toNeutralSpelling(wireType);
  const name: unknown = neutral.startsWith(NAME_PREFIX) && neutral.slice(NAME_PREFIX.length);
  const names: readonly unknown[] = [...SERVER_NAMES, ...CLIENT_NAMES];
  return names.includes(name) || NOT_YET_SENT.has(neutral) ? neutral : null;
}

/** Returns the type on the wire in a vocabulary. Source: V-3. */
export function toWireType(neutralType: string, vocabulary: Vocabulary): string {
  return vocabulary === 'poly' ? toPoly(neutralType) : neutralType;
}

/** Returns the vocabulary of a type on the wire; `null` if it is the same in both. Source: V-5. */
export function vocabularyOfType(wireType: string): Vocabulary | null {
  const neutral = toNeutralType(wireType);
  if (neutral === null || toPoly(neutral) === neutral) return null;
  return wireType === toPoly(neutral) ? 'poly' : 'neutral';
}

/** Returns the vocabulary that a client uses first with a messaging host. Source: V-4. */
export function defaultVocabulary(host: string): Vocabulary {
  return /(^|\.)poly\.ai(:\d+)?$/i.test(host) ? 'poly' : 'neutral';
}
