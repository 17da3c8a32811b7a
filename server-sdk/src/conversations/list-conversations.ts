import type { TimeInput } from '../http/encode-query.ts';
import type { ClientEnvironment } from './conversations-query.ts';

/** What to list on v1. Source: 4.1. */
export interface ListConversationsV1 {
  /** Conversations that began at this time or later. */
  readonly start_time?: TimeInput | undefined;
  /** Conversations that began before this time. */
  readonly end_time?: TimeInput | undefined;
  /** `live` when absent. */
  readonly client_env?: ClientEnvironment | undefined;
  /** Any of these, in any case; `voice` means `VOICE-SIP`. All when absent. */
  readonly channel?: string | readonly string[] | undefined;
  readonly variant_id?: string | undefined;
  /** Not together with `variant_id`. */
  readonly variant_name?: string | undefined;
  readonly in_progress?: boolean | undefined;
  /** Size of a page: 1 to 5000, 5 when absent. */
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}

/** What to list on v2. Source: 4.1. */
export interface ListConversationsV2 extends ListConversationsV1 {
  /** `cursor` of an earlier page; only where the project streams. */
  readonly cursor?: string | undefined;
  /** Adds `latency` to turns. */
  readonly include_latency?: boolean | undefined;
  /** Adds `context_state` to turns. */
  readonly include_context_state?: boolean | undefined;
  /** Adds `metadata` to turns. */
  readonly include_turn_metadata?: boolean | undefined;
}

/** What to list or to search on v3. A retrieval mode needs both times. Source: 4.1, CV-1. */
export interface ListConversationsV3 extends ListConversationsV2 {
  /** `transcript` searches the words, `semantic` the meaning; both need `query`. */
  readonly query_type?: 'transcript' | 'semantic' | undefined;
  /** `limit` conversations at random. */
  readonly sample?: 'random' | undefined;
  readonly query?: string | undefined;
  /** Whose turns a transcript search reads. */
  readonly turn_type?: 'user' | 'agent' | undefined;
}
