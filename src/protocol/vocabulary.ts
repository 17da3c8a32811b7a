/** The two spellings of vendor-specific names. Source: messaging.md 1, V-3. */
export type Vocabulary = 'neutral' | 'poly';

const NAME_PREFIX = 'EVENT_TYPE_';

/** Every event a platform may send and a reader hands on, without the `EVENT_TYPE_` prefix. */
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

/** Known to the contract, decoded to nothing by readers. Source: TBD-1. */
const NOT_YET_SENT_NAMES = [
  'USER_RECEIVED_MESSAGE',
  'USER_READ_MESSAGE',
  'AGENT_RECEIVED_MESSAGE',
  'AGENT_READ_MESSAGE',
  'LIVE_AGENT_RECEIVED_MESSAGE',
  'LIVE_AGENT_READ_MESSAGE',
  'SHOW_CSAT_REQUEST',
  'CSAT_RESPONSE',
] as const;

type Prefixed<Name extends string> = `EVENT_TYPE_${Name}`;

/** The five types a client may send. Source: messaging.md 6. */
export type ClientEventType = Prefixed<(typeof CLIENT_NAMES)[number]>;
/** The types a reader can meet, echoes included. */
export type KnownEventType = Prefixed<(typeof SERVER_NAMES)[number]> | ClientEventType;

const prefixed = <Name extends string>(name: Name): Prefixed<Name> => `EVENT_TYPE_${name}`;

/** Neutral names of the five client events. */
export const CLIENT_EVENT_TYPES: ReadonlySet<string> = new Set<string>(CLIENT_NAMES.map(prefixed));
/** Neutral names of the events that no platform sends yet. */
export const NOT_YET_SENT_TYPES: ReadonlySet<string> = new Set<string>(NOT_YET_SENT_NAMES.map(prefixed));

const neutralTypes: readonly string[] = [...SERVER_NAMES, ...CLIENT_NAMES, ...NOT_YET_SENT_NAMES].map(
  prefixed,
);

/** Only names of the automated agent differ, and all in the same way. */
const toPoly = (neutral: string): string =>
  neutral.replace(
    /^EVENT_TYPE_(REQUEST_)?AGENT_/,
    (_, request: string | undefined) => `${NAME_PREFIX}${request ?? ''}POLY_AGENT_`,
  );

const neutralByWireName = new Map<string, string>([
  ...neutralTypes.map((type): [string, string] => [type, type]),
  ...neutralTypes.map((type): [string, string] => [toPoly(type), type]),
  // The seed writes these two without the prefix (V-2).
  ['REQUEST_AGENT_JOIN', 'EVENT_TYPE_REQUEST_AGENT_JOIN'],
  ['SESSION_END', 'EVENT_TYPE_SESSION_END'],
]);

/** The neutral name of a type as it stood on the wire, or null for an unknown one. Source: V-1, V-2. */
export function toNeutralType(wireType: string): string | null {
  return neutralByWireName.get(wireType) ?? null;
}

/** The name a writer of `vocabulary` puts on the wire. Source: V-3. */
export function toWireType(neutralType: string, vocabulary: Vocabulary): string {
  return vocabulary === 'poly' ? toPoly(neutralType) : neutralType;
}

/** Which vocabulary a wire name gives away, or null when both spell it alike. Source: V-5. */
export function vocabularyOfType(wireType: string): Vocabulary | null {
  const neutral = toNeutralType(wireType);
  if (neutral === null || toPoly(neutral) === neutral) return null;
  return wireType === toPoly(neutral) ? 'poly' : 'neutral';
}

/** The vocabulary a client starts with at a messaging host. Source: V-4. */
export function defaultVocabulary(host: string): Vocabulary {
  const name = host.toLowerCase().replace(/:\d+$/, '');
  return name === 'poly.ai' || name.endsWith('.poly.ai') ? 'poly' : 'neutral';
}

/** The keys under which a frame without `payload` may carry it. Source: messaging.md 5.4, V-8. */
export function payloadKeys(neutralType: string): readonly string[] {
  return [neutralType, toPoly(neutralType)].map((type) => type.slice(NAME_PREFIX.length).toLowerCase());
}
