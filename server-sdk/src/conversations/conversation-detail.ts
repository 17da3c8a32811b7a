import * as v from 'valibot';
import { decimal, flag, freeMap, integer, listOf, mapOf, moment, text } from '../schema/fields.ts';
import { isRecord } from '../schema/is-record.ts';
import { dropNulls, objectOf, type Schema, tolerant } from '../schema/object-of.ts';
import { toNeutralFields, VENDOR_FIELDS } from '../schema/vendor-names.ts';
import { readMetrics, readTurns } from './conversation-readers.ts';
import { type ConversationTurn, conversationTurnSchema, type OneOrMore } from './conversation-record.ts';

/** One conversation by its id, from the monitoring service. Source: 4.4. */
export interface ConversationDetail {
  readonly conversationId: string;
  readonly accountId: string;
  readonly projectId: string;
  readonly createdAt?: string | undefined;
  readonly startedAt?: string | undefined;
  readonly finishedAt?: string | undefined;
  readonly channel?: string | undefined;
  readonly fromNumber?: string | undefined;
  readonly toNumber?: string | undefined;
  readonly language?: string | undefined;
  readonly variantId?: string | undefined;
  readonly clientEnv?: string | undefined;
  /** Seconds. */
  readonly totalDuration?: number | undefined;
  /** Seconds that the agent handled; `polyaiDuration` in the vendor's spelling. */
  readonly platformDuration?: number | undefined;
  readonly duration?: number | undefined;
  readonly inProgress?: boolean | undefined;
  readonly handoff?: boolean | undefined;
  readonly handoffDestination?: string | undefined;
  readonly handoffReason?: string | undefined;
  readonly direction?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  /** `polyScore` in the vendor's spelling. */
  readonly qualityScore?: number | undefined;
  readonly shortSummary?: string | undefined;
  readonly deploymentId?: string | undefined;
  readonly note?: string | undefined;
  readonly audioUrl?: string | undefined;
  readonly turns?: readonly ConversationTurn[] | undefined;
  readonly metrics?: Readonly<Record<string, OneOrMore>> | undefined;
  /** Calls of functions by the agent. */
  readonly functionEvents?: Readonly<Record<string, unknown>> | readonly unknown[] | undefined;
}

const seconds = (description: string): Schema<number> => integer(description, 0);

const optionalEntries = {
  createdAt: v.optional(moment('When the record was created.')),
  startedAt: v.optional(moment('When it began.')),
  finishedAt: v.optional(moment('When it ended.')),
  channel: v.optional(text('Medium.')),
  fromNumber: v.optional(text("The caller's number.")),
  toNumber: v.optional(text("The agent's number.")),
  language: v.optional(text('Language tag.')),
  variantId: v.optional(text('Variant id.')),
  clientEnv: v.optional(text('`sandbox`, `pre-release` or `live`.')),
  totalDuration: v.optional(seconds('Duration in whole seconds.')),
  platformDuration: v.optional(seconds('The part the agent handled, in whole seconds.')),
  duration: v.optional(seconds('Duration in whole seconds.')),
  inProgress: v.optional(flag('Whether it is going on.')),
  handoff: v.optional(flag('Whether the agent handed it off.')),
  handoffDestination: v.optional(text('Where it was handed off to.')),
  handoffReason: v.optional(text('Why it was handed off.')),
  direction: v.optional(text('`inbound` or `outbound`.')),
  tags: v.optional(listOf('Tags.', text('Tag.'))),
  qualityScore: v.optional(decimal('Quality measure.')),
  shortSummary: v.optional(text('Short summary.')),
  deploymentId: v.optional(text('Deployment id.')),
  note: v.optional(text('Note saved with it.')),
  audioUrl: v.optional(text('URL of the recording.')),
  turns: v.optional(listOf('The turns in order.', conversationTurnSchema)),
  metrics: v.optional(
    mapOf('Metrics, name to value or values.', v.union([v.string(), v.array(v.string())], 'must be text')),
  ),
  functionEvents: v.optional(
    v.union(
      [freeMap('Calls of functions by the agent.'), v.array(v.unknown())],
      'must be an object or a list',
    ),
  ),
};

/** Schema of a conversation by its id. Source: 4.4. */
export const conversationDetailSchema: Schema<ConversationDetail> = objectOf(
  'ConversationDetail',
  'One conversation with everything known about it.',
  {
    conversationId: text('Conversation id.'),
    accountId: text('Account id.'),
    projectId: text('Project id.'),
    ...optionalEntries,
  },
);

/** Reads a conversation by its id: both spellings of the vendor's names, nulls as absent. */
export const conversationDetailReader: Schema<ConversationDetail> = tolerant(
  conversationDetailSchema,
  (raw) => {
    const neutral = toNeutralFields(raw, VENDOR_FIELDS.conversationDetail);
    const fields = dropNulls(neutral, Object.keys(optionalEntries));
    if (!isRecord(fields)) return fields;
    return {
      ...fields,
      ...('turns' in fields ? { turns: readTurns(fields['turns']) } : {}),
      ...('metrics' in fields ? { metrics: readMetrics(fields['metrics']) } : {}),
    };
  },
);
