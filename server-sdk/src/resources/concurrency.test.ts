import { describe, expect, it } from 'vitest';
import { withServer } from '../../testing/scripted-server.test.ts';
import { concurrencyQuerySchema, errorText, parseQuery } from '../index.ts';

const queryFault = (schema: Parameters<typeof parseQuery>[0], query: string): string | null => {
  const parsed = parseQuery(schema, new URLSearchParams(query));
  return parsed.isOk ? null : errorText(parsed.errors);
};

describe('concurrency', () => {
  it('requests and reads concurrency', async () => {
    const interval = { time: '2026-03-02T09:15:00Z', max_concurrent_conversations: 4 };
    const body = {
      account_id: 'ws-1',
      project_id: 'PROJECT-1',
      intervals: [{ ...interval, variant_id: null }],
    };
    await withServer([{ status: 200, body }], async ({ concurrency }, { seen }) => {
      const range = { start_time: new Date(Date.UTC(2026, 2, 2)), end_time: '2026-03-03' };
      const found = await concurrency.get({ ...range, slice_by: 'variant', phone_number: '+44 1' });
      expect(found).toEqual({ account_id: 'ws-1', project_id: 'PROJECT-1', intervals: [interval] });
      expect(seen[0]?.url).toBe(
        '/v1/acme/ferries/conversations/concurrency?start_time=2026-03-02T00%3A00%3A00.000Z&end_time=2026-03-03' +
          '&slice_by=variant&phone_number=%2B44%201',
      );
    });
  });

  it.each([
    ['', 'start_time is required'],
    ['start_time=2026-03-01', 'end_time is required'],
    ['start_time=2026-03-01&end_time=2026-03-01', 'end_time must be after start_time'],
    [
      'start_time=2026-03-01&end_time=2026-03-08T00:00:01Z',
      'end_time must be at most 7 days after start_time',
    ],
    [
      'start_time=2026-03-01&end_time=2026-03-02&variant_id=a&variant_name=b',
      'variant_name must not be combined with variant_id',
    ],
    [
      'start_time=2026-03-01&end_time=2026-03-02&slice_by=hour',
      'slice_by must be one of: variant, language, phone_number',
    ],
    [
      'start_time=2026-03-01&end_time=2026-03-02&phone_number=+441632960001',
      'phone_number must not begin with a space; write its "+" as %2B',
    ],
    ['start_time=2026-03-01&end_time=2026-03-02&phone_number=%2B441632960001', null],
    ['start_time=2026-03-01&end_time=2026-03-08&slice_by=language', null],
  ])('reads the concurrency query %j: %s', (query, text) => {
    expect(queryFault(concurrencyQuerySchema, query)).toBe(text);
  });
});
