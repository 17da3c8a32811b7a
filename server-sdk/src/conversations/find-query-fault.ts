import type { FieldError } from '../schema/parse.ts';

/** The query of the list as it was given, each parameter in itself valid. */
export interface GivenQuery {
  readonly start_time?: number | undefined;
  readonly end_time?: number | undefined;
  readonly client_env: 'sandbox' | 'pre-release' | 'live';
  readonly channel?: readonly string[] | undefined;
  readonly variant_id?: string | undefined;
  readonly variant_name?: string | undefined;
  readonly in_progress?: boolean | undefined;
  readonly limit: number;
  readonly offset?: number | undefined;
  readonly cursor?: string | undefined;
  readonly include_latency: boolean;
  readonly include_context_state?: boolean | undefined;
  readonly include_turn_metadata?: boolean | undefined;
  readonly query_type?: 'transcript' | 'semantic' | undefined;
  readonly sample?: 'random' | undefined;
  readonly query?: string | undefined;
  readonly turn_type?: 'user' | 'agent' | undefined;
}

/** What is wrong between the parameters of a list query; null for nothing. Source: CV-1, CV-8, 4.1. */
export function findQueryFault(given: GivenQuery): FieldError | null {
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
