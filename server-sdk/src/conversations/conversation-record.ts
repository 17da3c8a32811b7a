import * as v from 'valibot';
import { decimal, flag, freeMap, integer, listOf, mapOf, moment, text } from '../schema/fields.ts';
import { objectOf, type Schema } from '../schema/object-of.ts';

/** One value, or several written under the same name. Source: CV-12, CV-16. */
export type OneOrMore = string | readonly string[];

/** One turn of a conversation. Source: CV-15. */
export interface ConversationTurn {
  readonly user_input: string;
  /** Digits typed on a telephone. */
  readonly user_input_dtmf: string;
  /** ISO 8601; empty when there is none. */
  readonly user_input_datetime: string;
  /** Whether the user interrupted the agent. */
  readonly barge_in: boolean;
  readonly agent_response: string;
  readonly agent_response_datetime: string;
  readonly intents: readonly string[];
  readonly entities: Readonly<Record<string, OneOrMore>>;
  /** Out of the agent's domain. */
  readonly is_ood: boolean;
  readonly is_silence: boolean;
  readonly translated_user_input: string;
  readonly english_agent_response: string;
  /** Seconds; only with `include_latency`. */
  readonly latency?: number | undefined;
  /** Variables after the turn; only with `include_context_state`. */
  readonly context_state?: Readonly<Record<string, unknown>> | undefined;
  /** What the channel stored with the turn; only with `include_turn_metadata`. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
}

/** One conversation as versions v2 and v3 list it. Source: 4.2. */
export interface Conversation {
  readonly id: string;
  readonly account_id: string;
  readonly project_id: string;
  readonly variant_id: string;
  readonly variant_name: string;
  /** `sandbox`, `pre-release` or `live`. */
  readonly environment: string;
  /** ISO 8601. */
  readonly started_at: string;
  /** Such as `WEBCHAT` or `VOICE-SIP`. */
  readonly channel: string;
  readonly in_progress: boolean;
  /** Empty for text channels, as is `to_number`. */
  readonly from_number: string;
  readonly to_number: string;
  /** Right even where `turns` is withheld. Source: CV-13. */
  readonly num_turns: number;
  /** Whole seconds; up to now while in progress. Source: CV-11. */
  readonly total_duration: number;
  /** Whole seconds that the agent handled; `polyai_duration` in the vendor's spelling. */
  readonly platform_duration: number;
  readonly handoff: boolean;
  readonly handoff_reason: string;
  readonly handoff_destination: string;
  readonly num_silences: number;
  readonly num_ood: number;
  readonly metrics: Readonly<Record<string, OneOrMore>>;
  readonly state: Readonly<Record<string, unknown>>;
  readonly turns: readonly ConversationTurn[];
}

/** One turn as v1 lists it: fields may be missing, empty texts are null. Source: 4.3. */
export type LegacyTurn = {
  readonly [Field in keyof ConversationTurn]?: ConversationTurn[Field] | null | undefined;
};

/**
 * One conversation as v1 lists it: a field may be missing (the project's whitelist leaves it out) and an empty text
 * is null. Source: 4.3.
 */
export type LegacyConversation = {
  readonly [Field in keyof Omit<Conversation, 'turns'>]?: Conversation[Field] | null | undefined;
} & { readonly turns?: readonly LegacyTurn[] | null | undefined };

const oneOrMore = (minItems: number): Schema<string | string[]> =>
  v.union(
    [
      v.string(),
      v.pipe(v.array(v.string()), v.minLength(minItems, `must have at least ${minItems} entries`)),
    ],
    'must be a string or a list of strings',
  );

const turnEntries = {
  user_input: text('What the user said or wrote.'),
  user_input_dtmf: text('Digits typed on a telephone.'),
  user_input_datetime: text('When the input arrived, ISO 8601; empty when there is none.'),
  barge_in: flag('Whether the user interrupted the agent.'),
  agent_response: text('What the agent answered.'),
  agent_response_datetime: text('When the agent answered, ISO 8601; empty when there is none.'),
  intents: listOf('Intents found in the input.', text('Intent.')),
  entities: mapOf('Entities found in the input, name to value or values.', oneOrMore(0)),
  is_ood: flag("Whether the input was out of the agent's domain."),
  is_silence: flag('Whether the turn was a silence.'),
  translated_user_input: text('The input in the language of the agent, when translation is enabled.'),
  english_agent_response: text('The answer in English, when translation is enabled.'),
  latency: v.optional(decimal('Seconds until the agent answered; with `include_latency`.')),
  context_state: v.optional(freeMap('Variables after the turn; with `include_context_state`.')),
  metadata: v.optional(freeMap('What the channel stored with the turn; with `include_turn_metadata`.')),
};

/** Schema of a turn. */
export const conversationTurnSchema: Schema<ConversationTurn> = objectOf(
  'ConversationTurn',
  'One turn.',
  turnEntries,
);

const conversationEntries = {
  id: text('Conversation id.'),
  account_id: text('Account id with its prefix.'),
  project_id: text('Project id with its prefix.'),
  variant_id: text('Variant id.'),
  variant_name: text('Variant name.'),
  environment: text('`sandbox`, `pre-release` or `live`.'),
  started_at: moment('When it began.'),
  channel: text('Medium, such as `WEBCHAT`, `CHAT` or `VOICE-SIP`.'),
  in_progress: flag('Whether it is going on; its fields may still change.'),
  from_number: text("The caller's number; empty for text channels."),
  to_number: text("The agent's number; empty for text channels."),
  num_turns: integer('Number of turns, also where `turns` is withheld.', 0),
  total_duration: integer('Duration in whole seconds.', 0),
  platform_duration: integer('The part the agent handled, in whole seconds.', 0),
  handoff: flag('Whether the agent handed it off.'),
  handoff_reason: text('Why it was handed off.'),
  handoff_destination: text('Where it was handed off to.'),
  num_silences: integer('Number of silent turns.', 0),
  num_ood: integer("Number of turns out of the agent's domain.", 0),
  metrics: mapOf(
    'Metrics, name to value, or to all values when written more than once; `CALL_TURN` is always a list.',
    oneOrMore(1),
  ),
  state: freeMap('Variables that the agent logic wrote.'),
  turns: listOf('The turns in order; empty where transcripts are withheld.', conversationTurnSchema),
};

/** Schema of a conversation of v2 and v3, in the order in which writers emit the fields. Source: 4.2. */
export const conversationSchema: Schema<Conversation> = objectOf(
  'Conversation',
  'One conversation.',
  conversationEntries,
);

/** Schema of a conversation of v1. Source: 4.3. */
export const legacyConversationSchema: Schema<LegacyConversation> = objectOf(
  'LegacyConversation',
  'One conversation of v1: fields may be missing or null.',
  allowAbsent({
    ...conversationEntries,
    turns: listOf(
      'The turns in order; empty where transcripts are withheld.',
      objectOf('LegacyTurn', 'One turn of v1.', allowAbsent(turnEntries)),
    ),
  }),
);

type Lenient<Entries> = {
  [Name in keyof Entries]: v.OptionalSchema<
    v.NullableSchema<
      v.GenericSchema<unknown, Entries[Name] extends v.GenericSchema ? v.InferOutput<Entries[Name]> : never>,
      undefined
    >,
    undefined
  >;
};

function allowAbsent<Entries extends Readonly<Record<string, v.GenericSchema>>>(
  entries: Entries,
): Lenient<Entries> {
  // Object.fromEntries forgets which key had which value; the mapping itself keeps it.
  return Object.fromEntries(
    Object.entries(entries).map(([name, entry]) => [name, v.optional(v.nullable(entry))]),
  ) as Lenient<Entries>;
}
