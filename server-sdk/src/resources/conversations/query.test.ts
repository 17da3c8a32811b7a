import { describe, expect, it } from 'vitest';
import { type ConversationsVersion, conversationsQuerySchema, errorText, parseQuery } from '../../index.ts';

const read = (version: ConversationsVersion, query: string, options = {}): unknown => {
  const parsed = parseQuery(conversationsQuerySchema(version, options), new URLSearchParams(query));
  return parsed.isOk ? parsed.value : errorText(parsed.errors);
};
const times = 'start_time=2026-03-01T00:00:00Z&end_time=2026-03-02';

describe('the query of the list', () => {
  it('the query of the list has the defaults of the contract', () => {
    expect(read('v3', '')).toEqual({
      client_env: 'live',
      channel: [],
      limit: 5,
      offset: 0,
      include_latency: false,
      include_context_state: false,
      include_turn_metadata: false,
    });
  });

  it('reads the query of the list into numbers, booleans, milliseconds and channels (C-10, C-11)', () => {
    const query = `${times}&channel=voice&channel=WebChat&in_progress=TRUE&limit=5000&offset=10&include_latency=true`;
    expect(read('v2', query)).toMatchObject({
      start_time: Date.UTC(2026, 2, 1),
      end_time: Date.UTC(2026, 2, 2),
      channel: ['VOICE-SIP', 'WEBCHAT'],
      in_progress: true,
      limit: 5000,
      offset: 10,
      include_latency: true,
    });
  });

  it('ignores unknown parameters of the list', () => {
    expect(read('v1', 'colour=red&__proto__=x&constructor=y')).toMatchObject({ limit: 5 });
  });

  it.each<[ConversationsVersion, string, string]>([
    ['v3', 'limit=0', 'limit must be an integer between 1 and 5000'],
    ['v3', 'limit=5001', 'limit must be an integer between 1 and 5000'],
    ['v3', 'limit=1.5', 'limit must be an integer between 1 and 5000'],
    ['v3', 'limit=', 'limit must be an integer between 1 and 5000'],
    ['v3', 'limit=5&limit=5', 'limit must be given once'],
    ['v3', 'offset=-1', 'offset must be an integer of 0 or more'],
    ['v3', 'in_progress=yes', 'in_progress must be a boolean'],
    ['v3', 'client_env=prod', 'client_env must be one of: sandbox, pre-release, live'],
    ['v3', 'start_time=2026-02-30', 'start_time must be an ISO 8601 time'],
    [
      'v3',
      'start_time=2026-03-01T00:00:00+01:00',
      'start_time must be an ISO 8601 time; write the "+" of its offset as %2B',
    ],
    ['v3', 'start_time=2026-03-01 at 10', 'start_time must be an ISO 8601 time'],
    ['v3', 'start_time=2026-03-02&end_time=2026-03-01', 'start_time must not be after end_time'],
    ['v1', 'variant_id=a&variant_name=b', 'variant_name must not be combined with variant_id'],
    ['v3', `${times}&query_type=semantic`, 'query is required with query_type=semantic'],
    ['v3', `${times}&query_type=transcript&query=`, 'query must be a non-empty string'],
    ['v3', 'query=x', 'query needs query_type'],
    [
      'v3',
      `${times}&query_type=semantic&query=x&sample=random`,
      'sample must not be combined with query_type',
    ],
    ['v3', `${times}&query_type=semantic&query=x&turn_type=user`, 'turn_type needs query_type=transcript'],
    ['v3', 'turn_type=user', 'turn_type needs query_type=transcript'],
    ['v3', 'sample=random', 'start_time is required with a retrieval mode'],
    ['v3', 'sample=random&start_time=2026-03-01', 'end_time is required with a retrieval mode'],
    ['v3', `${times}&sample=random&offset=0`, 'offset is not supported with sample=random'],
    [
      'v3',
      `${times}&query_type=semantic&query=x&cursor=c`,
      'cursor is not supported with query_type=semantic',
    ],
    ['v1', 'cursor=c', 'cursor is not supported on v1'],
    ['v1', 'include_context_state=true', 'include_context_state is not supported on v1'],
    ['v1', 'query=x', 'query is not supported on v1'],
    ['v2', 'sample=random', 'sample is not supported on v2'],
    ['v2', 'turn_type=user', 'turn_type is not supported on v2'],
  ])('refuses on %s the list query %s: %s (C-9, C-10, C-11, CV-1, CV-2)', (version, query, text) => {
    expect(read(version, query)).toBe(text);
  });

  it('accepts a cursor on v2 only where the project streams', () => {
    expect(read('v2', 'cursor=c')).toMatchObject({ cursor: 'c' });
    expect(read('v2', 'cursor=c', { hasCursor: false })).toBe('cursor is not supported on v2');
  });

  it('the query of the list accepts and ignores include_latency on v1', () => {
    expect(read('v1', 'include_latency=true')).toMatchObject({ include_latency: false });
  });

  it('accepts a search of transcripts with pages', () => {
    const query = `${times}&query_type=transcript&query=lost+dog&turn_type=agent&offset=5`;
    expect(read('v3', query)).toMatchObject({
      query_type: 'transcript',
      query: 'lost dog',
      turn_type: 'agent',
      offset: 5,
    });
  });
});
