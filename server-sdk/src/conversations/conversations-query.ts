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
} from '../schema/fields.ts';
import { objectOf, type Schema } from '../schema/object-of.ts';
import { queryFault } from '../schema/query-fault.ts';
import { findQueryFault } from './find-query-fault.ts';

/** Versions of the list. */
export type ConversationsVersion = 'v1' | 'v2' | 'v3';

/** Deployment environments. */
export type ClientEnvironment = 'sandbox' | 'pre-release' | 'live';

/** The query of the list, read: defaults filled in, times in milliseconds, channels in the records' spelling. */
export interface ConversationsQuery {
  /** Milliseconds since 1970, included. */
  readonly start_time?: number | undefined;
  /** Milliseconds since 1970, excluded. */
  readonly end_time?: number | undefined;
  readonly client_env: ClientEnvironment;
  /** Any of these; empty: all. Upper case, aliases resolved. */
  readonly channel: readonly string[];
  readonly variant_id?: string | undefined;
  readonly variant_name?: string | undefined;
  readonly in_progress?: boolean | undefined;
  readonly limit: number;
  readonly offset: number;
  /** Goes before `offset` (CV-6). */
  readonly cursor?: string | undefined;
  readonly include_latency: boolean;
  readonly include_context_state: boolean;
  readonly include_turn_metadata: boolean;
  readonly query_type?: 'transcript' | 'semantic' | undefined;
  readonly sample?: 'random' | undefined;
  readonly query?: string | undefined;
  readonly turn_type?: 'user' | 'agent' | undefined;
}

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

// Spellings of parameters for values of records. Source: 4.1.
const CHANNEL_ALIASES: Readonly<Record<string, string>> = { VOICE: 'VOICE-SIP' };

/**
 * Schema of the list's query. A parameter that the version lacks is refused instead of ignored: ignoring it would
 * return page 1 for ever, or everything (CV-2). `hasCursor` says whether v2 streams and so has a cursor.
 */
export function conversationsQuerySchema(
  version: ConversationsVersion,
  { hasCursor = version !== 'v1' }: { readonly hasCursor?: boolean } = {},
): Schema<ConversationsQuery> {
  const only = <Value>(isThere: boolean, schema: Schema<Value>): Schema<Value> =>
    isThere ? schema : v.never(`is not supported on ${version}`);
  const isV3 = version === 'v3';
  const isModern = version !== 'v1';
  return v.pipe(
    objectOf(`ConversationsQuery${version.toUpperCase()}`, 'Query of the list.', {
      start_time: v.optional(requestTime('Conversations that began at this time or later.')),
      end_time: v.optional(requestTime('Conversations that began before this time.')),
      client_env: v.optional(clientEnvironmentSchema, 'live'),
      channel: v.optional(
        listOf('Any of these channels, in any case; `voice` means `VOICE-SIP`.', text('Channel.')),
      ),
      variant_id: v.optional(text('Variant by its id.')),
      variant_name: v.optional(text('Variant by its name; not with `variant_id`.')),
      in_progress: v.optional(flag('Only conversations that go on, or only those that are over.')),
      limit: v.optional(
        integer('Largest number of conversations.', CONVERSATIONS_LIMIT.min, CONVERSATIONS_LIMIT.max),
        CONVERSATIONS_LIMIT.default,
      ),
      offset: v.optional(withDefault(integer('Conversations to skip.', 0), 0)),
      cursor: v.optional(
        only(hasCursor && isModern, text('`cursor` of the page before; goes before `offset`.')),
      ),
      include_latency: v.optional(flag('Adds `latency` to turns; ignored on v1.'), false),
      include_context_state: v.optional(
        only(isModern, withDefault(flag('Adds the variables after each turn.'), false)),
      ),
      include_turn_metadata: v.optional(
        only(isModern, withDefault(flag('Adds what the channel stored with each turn.'), false)),
      ),
      query_type: v.optional(only(isV3, oneOf('How to search; needs `query`.', ['transcript', 'semantic']))),
      sample: v.optional(only(isV3, oneOf('A random choice.', ['random']))),
      query: v.optional(only(isV3, searchText)),
      turn_type: v.optional(only(isV3, oneOf('Whose turns a transcript search reads.', ['user', 'agent']))),
    }),
    queryFault((given) => findQueryFault(given)),
    v.transform(
      (given): ConversationsQuery => ({
        ...given,
        channel: (given.channel ?? []).map(canonicalChannel),
        offset: given.offset ?? 0,
        include_latency: given.include_latency && isModern,
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

const searchText = v.pipe(
  nonEmptyText('What to search for.'),
  v.maxLength(1000, 'must be at most 1000 characters'),
);
