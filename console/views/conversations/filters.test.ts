import { describe, expect, it } from 'vitest';
import { toListQuery } from './filters.ts';

const NOW_MS = Date.parse('2026-07-14T12:00:00Z');
const read = (address: string) => Object.fromEntries(toListQuery(new URLSearchParams(address), NOW_MS));

describe('the filters of an address', () => {
  it('converts the filters of the address to filters of the list, and leaves unknown ones out', () => {
    expect(read('project=web&channel=WEBCHAT&hours=24&turn_type=user&evil=1')).toEqual({
      order: 'newest',
      project: 'web',
      channel: 'WEBCHAT',
      start_time: '2026-07-13T12:00:00.000Z',
      end_time: '2026-07-14T13:00:00.000Z',
    });
  });

  it('filters of the address give a search its kind and a range', () => {
    expect(read('query=ferry&turn_type=user')).toMatchObject({
      query: 'ferry',
      query_type: 'transcript',
      turn_type: 'user',
      start_time: '2026-06-14T12:00:00.000Z',
    });
    expect(read('query=ferry&query_type=semantic&turn_type=user')).not.toHaveProperty('turn_type');
    expect(read('query=%20&order=oldest')).toEqual({ order: 'oldest' });
    expect(read('order=none')).toEqual({ order: 'newest' });
  });
});
