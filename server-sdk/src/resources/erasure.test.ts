import { describe, expect, it } from 'vitest';
import { withServer } from '../../testing/scripted-server.test.ts';
import { isNatterError } from '../index.ts';

describe('erasure', () => {
  it("sends an erasure's subject in the body, which access logs omit, and returns the counts", async () => {
    const answer = { erased: { sessions: 1, events: 12 } };
    await withServer([{ status: 200, body: answer }], async ({ erasure }, { seen }) => {
      expect(await erasure.erase({ user_id: '42' })).toEqual(answer);
      expect(seen[0]).toMatchObject({ method: 'POST', url: '/v1/acme/ferries/erasures' });
      expect(JSON.parse(String(seen[0]?.body))).toEqual({ user_id: '42' });
    });
  });

  it.each([
    [{}, 'exactly one of conversation_id, session_id and user_id is required'],
    [{ user_id: '42', session_id: 's' }, 'exactly one of'],
    [{ user_id: '' }, 'user_id must be a string of 1 to 1024 characters'],
  ])('refuses the erasure %j before anything is sent', async (body, text) => {
    await withServer([], async ({ erasure }, { seen }) => {
      await expect(erasure.erase(body)).rejects.toThrow(text);
      expect(seen).toEqual([]);
    });
  });

  it('does not repeat an erasure whose answer was lost, and says when nothing was left', async () => {
    const envelope = {
      success: false,
      error: 'Nothing of this user is stored in this project.',
      error_message: 'Nothing of this user is stored in this project.',
      error_id: 'x',
      error_code: 'NOTHING_TO_ERASE',
      data: null,
    };
    await withServer([{ status: 404, body: envelope }], async ({ erasure }, { seen }) => {
      const error: unknown = await erasure
        .erase({ conversation_id: 'CONV-1' })
        .catch((thrown: unknown) => thrown);
      expect(isNatterError(error) && [error.code, error.retryable]).toEqual(['NOTHING_TO_ERASE', false]);
      expect(seen).toHaveLength(1);
    });
  });
});
