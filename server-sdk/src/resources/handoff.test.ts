import { describe, expect, it } from 'vitest';
import { withServer } from '../../testing/scripted-server.test.ts';
import { errorText, handoffStateQuerySchema, parseQuery } from '../index.ts';

const queryFault = (schema: Parameters<typeof parseQuery>[0], query: string): string | null => {
  const parsed = parseQuery(schema, new URLSearchParams(query));
  return parsed.isOk ? null : errorText(parsed.errors);
};

describe('handoff state', () => {
  it('reads the state of a hand-off by either id', async () => {
    const state = { id: 'CONV-1', data: { handoff_reason: 'lost' } };
    await withServer(
      [{ status: 200, body: { ...state, shared_id: null } }],
      async ({ handoff }, { seen }) => {
        expect(await handoff.get({ shared_id: 's' })).toEqual(state);
        expect(seen[0]?.url).toBe('/v1/acme/ferries/handoff_state?shared_id=s');
      },
    );
  });

  it.each([
    ['', 'id or shared_id is required'],
    ['id=&shared_id=', 'id or shared_id is required'],
    ['id=a&id=b', 'id must be given once'],
    ['shared_id=s', null],
  ])('reads the hand-off query %j: %s', (query, text) => {
    expect(queryFault(handoffStateQuerySchema, query)).toBe(text);
  });
});
