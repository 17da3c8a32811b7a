import * as v from 'valibot';
import { decimal, flag, freeMap, integer, listOf, mapOf, moment, text } from '../../schema/fields.ts';
import { isRecord } from '../../schema/is-record.ts';
import { type Fields, objectOf, type Schema } from '../../schema/object-of.ts';
import { orElse, repaired, withVendorNames } from '../../schema/reader-of.ts';
import { VENDOR_FIELDS } from '../../schema/vendor-names.ts';

/** One value, or several written under the same name. Source: CV-12, CV-16. */
export type OneOrMore = string | readonly string[];

const oneOrMore = (minItems: number): Schema<OneOrMore> =>
  v.union(
    [
      v.string(),
      v.pipe(v.array(v.string()), v.minLength(minItems, `must have at least ${minItems} entries`)),
    ],
    'must be a string or a list of strings',
  );

const metrics = (
  description: string,
  value: Schema<OneOrMore>,
): Schema<Readonly<Record<string, OneOrMore>>> => repaired(readMetrics, mapOf(description, value));

/** Whole seconds: a fraction is cut off. */
const seconds = (description: string): Schema<number> =>
  repaired((raw) => (typeof raw === 'number' ? Math.trunc(raw) : raw), integer(description, 0));

/** A field that is left out where it holds no object. */
const objectOnly = (description: string): Schema<Readonly<Record<string, unknown>>> =>
  repaired((raw) => (isRecord(raw) ? raw : undefined), freeMap(description));

const anyList: Schema<readonly unknown[]> = v.array(v.unknown());

const turn = {
  user_input: orElse('', text("The user's words.")),
  /** Digits typed on a telephone. */
  user_input_dtmf: orElse('', text('Digits typed on a telephone.')),
  /** ISO 8601; empty when there is none. */
  user_input_datetime: orElse('', text('When the input arrived, ISO 8601; empty when there is none.')),
  /** Whether the user interrupted the agent. */
  barge_in: orElse(false, flag('Whether the user interrupted the agent.')),
  agent_response: orElse('', text("The agent's answer.")),
  agent_response_datetime: orElse('', text('When the agent answered, ISO 8601; empty when there is none.')),
  intents: orElse([], listOf('Intents found in the input.', text('Intent.'))),
  entities: orElse(
    {},
    repaired(readEntities, mapOf('Entities found in the input, name to value or values.', oneOrMore(0))),
  ),
  /** Out of the agent's domain. */
  is_ood: orElse(false, flag("Whether the input was out of the agent's domain.")),
  is_silence: orElse(false, flag('Whether the turn was a silence.')),
  translated_user_input: orElse(
    '',
    text('The input in the language of the agent, when translation is enabled.'),
  ),
  english_agent_response: orElse('', text('The answer in English, when translation is enabled.')),
  /** Seconds; only with `include_latency`. */
  latency: v.optional(
    repaired(
      // An older revision sent an object here, which says something else. Source: section 15, row 4.
      (raw) => (typeof raw === 'number' ? raw : undefined),
      decimal('Seconds until the agent answered; with `include_latency`.'),
    ),
  ),
  /** Variables after the turn; only with `include_context_state`. */
  context_state: v.optional(objectOnly('Variables after the turn; with `include_context_state`.')),
  /** The channel's metadata of the turn; only with `include_turn_metadata`. */
  metadata: v.optional(objectOnly('Metadata of the channel; only with `include_turn_metadata`.')),
};

/** One turn of a conversation. Source: CV-15. */
export interface ConversationTurn extends Fields<typeof turn> {}

/** Schema of a turn. */
export const conversationTurnSchema: Schema<ConversationTurn> = objectOf(
  'ConversationTurn',
  'One turn.',
  turn,
);

// A writer of records sends every field. Those without `orElse` are the seven that a reader may rely on.
const conversation = {
  id: text('Conversation id.'),
  account_id: text('Account id with its prefix.'),
  project_id: text('Project id with its prefix.'),
  variant_id: orElse('', text('Id of the variant that answered.')),
  variant_name: orElse('', text('Name of the variant that answered.')),
  /** `sandbox`, `pre-release` or `live`. */
  environment: text('Environment: sandbox, pre-release or live.'),
  /** ISO 8601. */
  started_at: moment('When it began, ISO 8601.'),
  /** Such as `WEBCHAT` or `VOICE-SIP`. */
  channel: text('Medium, such as WEBCHAT, CHAT or VOICE-SIP.'),
  in_progress: flag('Whether the conversation is in progress. Its fields may still change.'),
  /** Empty for text channels, as is `to_number`. */
  from_number: orElse('', text("The caller's number; empty for text channels.")),
  to_number: orElse('', text("The agent's number; empty for text channels.")),
  /** Right even where `turns` is withheld. Source: CV-13. */
  num_turns: orElse(0, integer('Number of turns, also where turns are withheld.', 0)),
  /** Whole seconds; up to now while in progress. Source: CV-11. */
  total_duration: orElse(0, seconds('Duration in whole seconds, so far if the conversation is in progress.')),
  /** Whole seconds that the agent handled; `polyai_duration` in the vendor's spelling. */
  platform_duration: orElse(0, seconds('The part that the agent handled, in whole seconds.')),
  handoff: orElse(false, flag('Whether the agent handed it off.')),
  handoff_reason: orElse('', text('Why it was handed off.')),
  handoff_destination: orElse('', text('Destination of the hand-off.')),
  num_silences: orElse(0, integer('Number of silent turns.', 0)),
  num_ood: orElse(0, integer("Number of turns out of the agent's domain.", 0)),
  metrics: orElse(
    {},
    metrics(
      'Metrics: name to value, or to all values when written more than once; CALL_TURN is always a list.',
      oneOrMore(1),
    ),
  ),
  state: orElse({}, freeMap('Variables that the agent logic wrote.')),
  turns: orElse(
    [],
    listOf('The turns in order; empty where transcripts are withheld.', conversationTurnSchema),
  ),
};

/** One conversation as versions v2 and v3 list it. Source: 4.2. */
export interface Conversation extends Fields<typeof conversation> {}

/** One turn as v1 lists it: fields may be missing, empty texts are null. Source: 4.3. */
export type LegacyTurn = Lenient<ConversationTurn>;

/**
 * One conversation as v1 lists it: a field may be missing (the project's whitelist leaves it out) and an empty text
 * is null. Source: 4.3.
 */
export type LegacyConversation = Lenient<Omit<Conversation, 'turns'>> & {
  readonly turns?: readonly LegacyTurn[] | null | undefined;
};

type Lenient<Record> = { readonly [Name in keyof Record]?: Record[Name] | null | undefined };

/** Schema of a conversation of v2 and v3, in the order in which writers emit the fields. Source: 4.2. */
export const conversationSchema: Schema<Conversation> = withVendorNames(
  VENDOR_FIELDS.conversation,
  objectOf('Conversation', 'One conversation.', conversation),
);

/** Schema of a conversation of v1. Source: 4.3. */
export const legacyConversationSchema: Schema<LegacyConversation> = withVendorNames(
  VENDOR_FIELDS.conversation,
  objectOf(
    'LegacyConversation',
    'One conversation of v1: fields may be missing or null.',
    lenient({
      ...conversation,
      turns: listOf(
        'The turns in order; empty where transcripts are withheld.',
        objectOf('LegacyTurn', 'One turn of v1.', lenient(turn)),
      ),
    }),
  ),
);

type LenientEntries<Entries extends Readonly<Record<string, v.GenericSchema>>> = {
  [Name in keyof Entries]: v.OptionalSchema<
    v.NullableSchema<v.GenericSchema<unknown, v.InferOutput<Entries[Name]>>, undefined>,
    undefined
  >;
};

function lenient<Entries extends Readonly<Record<string, v.GenericSchema>>>(
  entries: Entries,
): LenientEntries<Entries> {
  // Object.fromEntries forgets which key had which value; the mapping itself keeps it.
  return Object.fromEntries(
    Object.entries(entries).map(([name, entry]) => [name, v.optional(v.nullable(entry))]),
  ) as LenientEntries<Entries>;
}

const detail = {
  conversationId: text('Conversation id.'),
  accountId: text('Account id.'),
  projectId: text('Project id.'),
  createdAt: v.optional(moment('When the record was created.')),
  startedAt: v.optional(moment('When it began.')),
  finishedAt: v.optional(moment('When it ended.')),
  channel: v.optional(text('Medium.')),
  fromNumber: v.optional(text("The caller's number.")),
  toNumber: v.optional(text("The agent's number.")),
  language: v.optional(text('Language tag.')),
  variantId: v.optional(text('Variant id.')),
  clientEnv: v.optional(text('`sandbox`, `pre-release` or `live`.')),
  /** Seconds. */
  totalDuration: v.optional(seconds('Duration in whole seconds.')),
  /** Seconds that the agent handled; `polyaiDuration` in the vendor's spelling. */
  platformDuration: v.optional(seconds('The part the agent handled, in whole seconds.')),
  duration: v.optional(seconds('Duration in whole seconds.')),
  inProgress: v.optional(flag('Whether the conversation is in progress.')),
  handoff: v.optional(flag('Whether the agent handed it off.')),
  handoffDestination: v.optional(text('Destination of the hand-off.')),
  handoffReason: v.optional(text('Why it was handed off.')),
  direction: v.optional(text('`inbound` or `outbound`.')),
  tags: v.optional(listOf('Tags.', text('Tag.'))),
  /** `polyScore` in the vendor's spelling. */
  qualityScore: v.optional(decimal('Quality measure.')),
  shortSummary: v.optional(text('Short summary.')),
  deploymentId: v.optional(text('Deployment id.')),
  note: v.optional(text('Note saved with it.')),
  audioUrl: v.optional(text('URL of the recording.')),
  turns: v.optional(listOf('The turns in order.', conversationTurnSchema)),
  metrics: v.optional(
    metrics('Metrics, name to value or values.', v.union([v.string(), v.array(v.string())], 'must be text')),
  ),
  /** Calls of functions by the agent. */
  functionEvents: v.optional(
    v.union([freeMap('Calls of functions by the agent.'), anyList], 'must be an object or a list'),
  ),
};

/** One conversation by its id, from the monitoring service. Source: 4.4. */
export interface ConversationDetail extends Fields<typeof detail> {}

/** Schema of a conversation by its id. Source: 4.4. */
export const conversationDetailSchema: Schema<ConversationDetail> = withVendorNames(
  VENDOR_FIELDS.conversationDetail,
  objectOf('ConversationDetail', 'One conversation with everything known about it.', detail),
);

/**
 * Metrics as texts: numbers and booleans are written out, a list of one is that one, but for `CALL_TURN`, which is a list
 * in any case. Source: CV-12.
 */
function readMetrics(raw: unknown): unknown {
  if (!isRecord(raw)) return raw;
  return Object.fromEntries(
    Object.entries(raw).flatMap(([name, value]) => {
      const texts = readTexts(value);
      if (texts.length === 0) return [];
      return [[name, texts.length === 1 && name !== 'CALL_TURN' ? texts[0] : texts]];
    }),
  );
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
