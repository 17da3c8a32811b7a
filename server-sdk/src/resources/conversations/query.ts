import * as v from 'valibot';
import {
  flag,
  integer,
  listOf,
  nonEmptyText,
  oneOf,
  requestTime,
  text,
  withDefault,
} from '../../schema/fields.ts';
import { type Fields, type GivenFields, objectOf, type Schema } from '../../schema/object-of.ts';
import type { FieldError } from '../../schema/parse.ts';
import { queryFault } from '../../schema/query-fault.ts';

/** Versions of the list. */
export type ConversationsVersion = 'v1' | 'v2' | 'v3';

/** Deployment environments. */
export type ClientEnvironment = 'sandbox' | 'pre-release' | 'live';

/** Page sizes. Source: 4.1, section 13. */
export const CONVERSATIONS_LIMIT: Readonly<Record<'min' | 'max' | 'default', number>> = {
  min: 1,
  max: 5000,
  default: 5,
};

/** The environments, for parameters. */
export const clientEnvironmentSchema: Schema<ClientEnvironment> = oneOf('Deployment environment.', [
  'sandbox',
  'pre-release',
  'live',
]);

// Callers may give one channel without a list.
const channels: v.GenericSchema<string | readonly string[], readonly string[]> = listOf(
  'Any of these channels, in any case; `voice` means `VOICE-SIP`.',
  text('Channel.'),
) as v.GenericSchema<string | readonly string[], readonly string[]>;

/** Parameters of all versions. */
const sinceV1 = {
  /** Conversations that began at this time or later; once read, in milliseconds since 1970. */
  start_time: v.optional(requestTime('Conversations that began at this time or later.')),
  /** Conversations that began before this time; once read, in milliseconds since 1970. */
  end_time: v.optional(requestTime('Conversations that began before this time.')),
  /** `live` when absent. */
  client_env: v.optional(clientEnvironmentSchema, 'live'),
  /** Any of these, in any case; `voice` means `VOICE-SIP`. All when absent. */
  channel: v.optional(channels),
  variant_id: v.optional(text('Variant by its id.')),
  /** Not together with `variant_id`. */
  variant_name: v.optional(text('Variant by its name; not with `variant_id`.')),
  in_progress: v.optional(flag('Only conversations in progress, or only ended ones.')),
  /** Size of a page: 1 to 5000, 5 when absent. */
  limit: v.optional(
    integer('Largest number of conversations.', CONVERSATIONS_LIMIT.min, CONVERSATIONS_LIMIT.max),
    CONVERSATIONS_LIMIT.default,
  ),
  offset: v.optional(withDefault(integer('Conversations to skip.', 0), 0)),
};

const sinceV2 = {
  /** `cursor` of an earlier page, which goes before `offset` (CV-6); on v2 only where the project streams. */
  cursor: v.optional(text('`cursor` of the page before; goes before `offset`.')),
  /** Adds `latency` to turns. */
  include_latency: v.optional(flag('Adds `latency` to turns; ignored on v1.'), false),
  /** Adds `context_state` to turns. */
  include_context_state: v.optional(flag('Adds the variables after each turn.'), false),
  /** Adds `metadata` to turns. */
  include_turn_metadata: v.optional(flag('Adds what the channel stored with each turn.'), false),
};

const searchText: Schema<string> = v.pipe(
  nonEmptyText('What to search for.'),
  v.maxLength(1000, 'must be at most 1000 characters'),
);

const sinceV3 = {
  /** `transcript` searches the words, `semantic` the meaning; both need `query`. */
  query_type: v.optional(oneOf('How to search; needs `query`.', ['transcript', 'semantic'])),
  /** `limit` conversations at random. */
  sample: v.optional(oneOf('A random choice.', ['random'])),
  query: v.optional(searchText),
  /** The speaker whose turns a transcript search reads. */
  turn_type: v.optional(oneOf('The speaker whose turns a transcript search reads.', ['user', 'agent'])),
};

const parameters = { ...sinceV1, ...sinceV2, ...sinceV3 };

/** Query of a list on v1. Source: 4.1. */
export interface ListConversationsV1 extends GivenFields<typeof sinceV1> {}

/** Query of a list on v2. Source: 4.1. */
export interface ListConversationsV2 extends ListConversationsV1, GivenFields<typeof sinceV2> {}

/** Query of a list or a search on v3. A retrieval mode requires both times. Source: 4.1, CV-1. */
export interface ListConversationsV3 extends ListConversationsV2, GivenFields<typeof sinceV3> {}

/** Each parameter in itself valid. */
interface ValidQuery extends Fields<typeof sinceV1>, Fields<typeof sinceV2>, Fields<typeof sinceV3> {}

/** The query of the list, read: defaults filled in, times in milliseconds, channels in the records' spelling. */
export interface ConversationsQuery extends Omit<ValidQuery, 'channel' | 'offset'> {
  /** Any of these; empty: all. Upper case, aliases resolved. */
  readonly channel: readonly string[];
  readonly offset: number;
}

// Spellings of parameters for values of records. Source: 4.1.
const CHANNEL_ALIASES: Readonly<Record<string, string>> = { VOICE: 'VOICE-SIP' };

/**
 * Schema of the list's query. A parameter that the version lacks is refused instead of ignored: ignoring it would
 * return page 1 indefinitely, or everything (CV-2). `hasCursor` says whether v2 streams and so has a cursor.
 */
export function conversationsQuerySchema(
  version: ConversationsVersion,
  { hasCursor = version !== 'v1' }: { readonly hasCursor?: boolean } = {},
): Schema<ConversationsQuery> {
  // `include_latency` is ignored on v1.
  const { include_latency: _, ...refusedOnV1 } = sinceV2;
  const lacking = Object.keys({
    ...(version === 'v1' && refusedOnV1),
    ...(version !== 'v3' && sinceV3),
    ...(!hasCursor && { cursor: true }),
  });
  const refusal = v.optional(v.never(`is not supported on ${version}`));
  return v.pipe(
    objectOf(`ConversationsQuery${version.toUpperCase()}`, 'Query of the list.', {
      ...parameters,
      // A rejected parameter has no value, independent of the other parameters' types.
      ...(Object.fromEntries(lacking.map((name) => [name, refusal])) as object),
    }),
    queryFault(findQueryFault),
    v.transform(
      (given): ConversationsQuery => ({
        ...given,
        channel: (given.channel ?? []).map(canonicalChannel),
        offset: given.offset ?? 0,
        include_latency: given.include_latency && version !== 'v1',
        include_context_state: given.include_context_state ?? false,
        include_turn_metadata: given.include_turn_metadata ?? false,
      }),
    ),
  );
}

/** A channel in the spelling of records. Unknown values stay and match nothing. Source: 4.1. */
export function canonicalChannel(channel: string): string {
  const upper = channel.toUpperCase();
  return CHANNEL_ALIASES[upper] ?? upper;
}

/** The conflict between the parameters of a list query; null if there is none. Source: CV-1, CV-8, 4.1. */
function findQueryFault(given: ValidQuery): FieldError | null {
  const { start_time: start, end_time: end, query_type: mode, sample } = given;
  const fault = (field: string, message: string): FieldError => ({ field, message });
  if (start !== undefined && end !== undefined && start > end)
    return fault('start_time', 'must not be after end_time');
  if (given.variant_id !== undefined && given.variant_name !== undefined) {
    return fault('variant_name', 'must not be combined with variant_id');
  }
  if (mode !== undefined && sample !== undefined)
    return fault('sample', 'must not be combined with query_type');
  if (mode !== undefined && given.query === undefined)
    return fault('query', `is required with query_type=${mode}`);
  // Ignoring it would return everything to a caller who searched for something.
  if (mode === undefined && given.query !== undefined) return fault('query', 'needs query_type');
  if (given.turn_type !== undefined && mode !== 'transcript')
    return fault('turn_type', 'needs query_type=transcript');
  if (mode === undefined && sample === undefined) return null;
  if (start === undefined) return fault('start_time', 'is required with a retrieval mode');
  if (end === undefined) return fault('end_time', 'is required with a retrieval mode');
  if (mode === 'transcript') return null;
  const name = mode === undefined ? 'sample=random' : 'query_type=semantic';
  if (given.offset !== undefined) return fault('offset', `is not supported with ${name}`);
  if (given.cursor !== undefined) return fault('cursor', `is not supported with ${name}`);
  return null;
}
