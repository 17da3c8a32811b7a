import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { describeStorage } from '../../../test/db/describe-storage.ts';
import type { TestDatabase } from '../../../test/db/engines.ts';
import { addAccount, addApiKey } from '../../accounts/index.ts';
import {
  claimCall,
  type OnceCall,
  releaseClaim,
  removeOldAnswers,
  storeResponse,
} from './idempotent-answers.ts';

describeStorage('answers that are kept for repetitions', ({ open }) => {
  let place: TestDatabase;
  let apiKeyId: string;
  beforeAll(async () => {
    place = await open();
    const account = await addAccount(place.database, { slug: 'acme' });
    const { apiKey } = await addApiKey(place.database, { name: 'chat', account, permissions: ['chat'] });
    apiKeyId = apiKey.id;
  });
  afterAll(() => place.close());
  beforeEach(() => place.database.query('DELETE FROM idempotent_answers'));

  const call = (over: Partial<OnceCall> = {}): OnceCall => ({
    ...{ apiKeyId, scope: ['PROJECT-1', 'chatCreate'], idempotencyKey: 'one', content: ['{}'] },
    ...over,
  });
  const claim = (over: Partial<OnceCall> = {}) => claimCall(place.database, call(over));
  const passTime = (ms: number) =>
    place.database.query(`UPDATE idempotent_answers SET kept_until = kept_until - ${ms}`);
  const countRows = async (): Promise<number> =>
    (await place.database.query('SELECT 1 FROM idempotent_answers')).length;
  async function answer(idempotencyKey: string, body: string): Promise<void> {
    const claimed = await claim({ idempotencyKey });
    if (claimed.kind !== 'claimed') throw new Error(claimed.kind);
    await storeResponse(place.database, claimed, { status: 200, body }, null);
  }

  it('gives one of many concurrent claims the call', async () => {
    const claims = await Promise.all(Array.from({ length: 10 }, () => claim()));
    expect(claims.filter(({ kind }) => kind === 'claimed')).toHaveLength(1);
    expect(claims.filter(({ kind }) => kind === 'running')).toHaveLength(9);
  });

  it('keeps a response for a day', async () => {
    await answer('one', 'hello');
    await passTime(24 * 3_600_000 - 60_000);
    expect(await claim()).toEqual({ kind: 'answered', answer: { status: 200, body: 'hello' } });
    expect(await claim({ content: ['{"a":1}'] })).toEqual({ kind: 'differs' });
    await passTime(120_000);
    expect((await claim({ content: ['{"a":1}'] })).kind).toBe('claimed');
  });

  it("releases a dead node's call after ten minutes", async () => {
    const lost = await claim();
    await passTime(9 * 60_000);
    expect((await claim()).kind).toBe('running');
    await passTime(2 * 60_000);
    const next = await claim();
    expect(next.kind).toBe('claimed');
    if (lost.kind !== 'claimed' || next.kind !== 'claimed') return;
    // The first call was merely slow: its response is discarded.
    await storeResponse(place.database, lost, { status: 200, body: 'late' }, null);
    await releaseClaim(place.database, lost);
    expect((await claim()).kind).toBe('running');
    await storeResponse(place.database, next, { status: 200, body: 'done' }, null);
    expect(await claim()).toMatchObject({ answer: { body: 'done' } });
  });

  it('lets a released call be claimed again', async () => {
    const claimed = await claim();
    if (claimed.kind === 'claimed') await releaseClaim(place.database, claimed);
    expect((await claim()).kind).toBe('claimed');
  });

  it('limits stored responses per API key in number and size, keeping the newest', async () => {
    for (const name of ['1', '2', '3', '4', '5']) {
      await answer(name, 'x'.repeat(10));
      await passTime(1_000);
    }
    await removeOldAnswers(place.database, { maxAnswers: 4, maxCharacters: 1_000 });
    expect(await countRows()).toBe(4);
    await removeOldAnswers(place.database, { maxAnswers: 4, maxCharacters: 25 });
    expect(await countRows()).toBe(2);
    expect((await claim({ idempotencyKey: '5' })).kind).toBe('answered');
    await passTime(25 * 3_600_000);
    await removeOldAnswers(place.database);
    expect(await countRows()).toBe(0);
  });
});
