import { isRecord } from '../schema/is-record.ts';
import { fillAbsent, type Schema, tolerant } from '../schema/object-of.ts';
import { toNeutralFields, VENDOR_FIELDS } from '../schema/vendor-names.ts';
import {
  type Conversation,
  conversationSchema,
  type LegacyConversation,
  legacyConversationSchema,
} from './conversation-record.ts';

const TURN_DEFAULTS = {
  user_input: '',
  user_input_dtmf: '',
  user_input_datetime: '',
  barge_in: false,
  agent_response: '',
  agent_response_datetime: '',
  intents: [],
  entities: {},
  is_ood: false,
  is_silence: false,
  translated_user_input: '',
  english_agent_response: '',
};

// All but the seven fields that a reader may count on. Source: 4.2.
const CONVERSATION_DEFAULTS = {
  variant_id: '',
  variant_name: '',
  from_number: '',
  to_number: '',
  num_turns: 0,
  total_duration: 0,
  platform_duration: 0,
  handoff: false,
  handoff_reason: '',
  handoff_destination: '',
  num_silences: 0,
  num_ood: 0,
  metrics: {},
  state: {},
  turns: [],
};

/**
 * Reads one conversation of v2 or v3. Understood besides the documented form: the vendor's name of the duration,
 * nulls and absent fields, seconds with a fraction, entities as a list (CV-16), metrics that are not text.
 */
export const conversationReader: Schema<Conversation> = tolerant(conversationSchema, (raw) => {
  const repaired = repairConversation(raw);
  const filled = fillAbsent(repaired, CONVERSATION_DEFAULTS);
  if (!isRecord(filled) || !Array.isArray(filled['turns'])) return filled;
  return { ...filled, turns: filled['turns'].map((turn: unknown) => fillAbsent(turn, TURN_DEFAULTS)) };
});

/** Reads one conversation of v1: absent fields stay absent, null stays null. Source: rest.md 4.3. */
export const legacyConversationReader: Schema<LegacyConversation> = tolerant(
  legacyConversationSchema,
  repairConversation,
);

/** Brings the turns of a list or of a record by id into the documented form, defaults filled in. Source: CV-15. */
export function readTurns(raw: unknown): unknown {
  return Array.isArray(raw) ? raw.map((turn: unknown) => fillAbsent(repairTurn(turn), TURN_DEFAULTS)) : raw;
}

/**
 * Metrics as texts: numbers and booleans are written out, a list of one is that one, but for `CALL_TURN`, which is a list
 * in any case. Source: CV-12.
 */
export function readMetrics(raw: unknown): unknown {
  if (!isRecord(raw)) return raw;
  return Object.fromEntries(
    Object.entries(raw).flatMap(([name, value]) => {
      const texts = readTexts(value);
      if (texts.length === 0) return [];
      return [[name, texts.length === 1 && name !== 'CALL_TURN' ? texts[0] : texts]];
    }),
  );
}

function repairConversation(raw: unknown): unknown {
  const neutral = toNeutralFields(raw, VENDOR_FIELDS.conversation);
  if (!isRecord(neutral)) return neutral;
  const { turns, metrics, total_duration, platform_duration } = neutral;
  return {
    ...neutral,
    ...(total_duration === undefined ? {} : { total_duration: wholeSeconds(total_duration) }),
    ...(platform_duration === undefined ? {} : { platform_duration: wholeSeconds(platform_duration) }),
    ...(metrics === undefined ? {} : { metrics: readMetrics(metrics) }),
    ...(Array.isArray(turns) ? { turns: turns.map(repairTurn) } : {}),
  };
}

function repairTurn(raw: unknown): unknown {
  if (!isRecord(raw)) return raw;
  const { latency, entities, context_state, metadata, ...rest } = raw;
  return {
    ...rest,
    ...(entities === undefined ? {} : { entities: readEntities(entities) }),
    // An older revision sent an object here, which says something else. Source: section 15, row 4.
    ...(typeof latency === 'number' ? { latency } : {}),
    ...(isRecord(context_state) ? { context_state } : {}),
    ...(isRecord(metadata) ? { metadata } : {}),
  };
}

function readEntities(raw: unknown): unknown {
  const maps = Array.isArray(raw) ? raw.filter(isRecord) : isRecord(raw) ? [raw] : null;
  if (maps === null) return raw;
  const merged = new Map<string, string[]>();
  const lists = new Set<string>();
  for (const [name, value] of maps.flatMap((map) => Object.entries(map))) {
    const texts = merged.get(name);
    if (texts === undefined) merged.set(name, [...readTexts(value)]);
    else for (const each of readTexts(value)) texts.push(each);
    if (Array.isArray(value)) lists.add(name);
  }
  return Object.fromEntries(
    [...merged].flatMap(([name, texts]) => {
      if (texts.length === 0 && !lists.has(name)) return [];
      return [[name, texts.length === 1 && !lists.has(name) ? texts[0] : texts]];
    }),
  );
}

function readTexts(value: unknown): readonly string[] {
  if (value === null || value === undefined) return [];
  if (Array.isArray(value)) return value.flatMap(readTexts);
  return [typeof value === 'object' ? JSON.stringify(value) : String(value)];
}

function wholeSeconds(value: unknown): unknown {
  return typeof value === 'number' && Number.isFinite(value) ? Math.trunc(value) : value;
}
