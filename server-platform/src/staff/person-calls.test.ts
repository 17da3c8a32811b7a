import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EMBEDDED_ENGINE } from '../../test/db/engines.ts';
import { type DeskFixture, PASSWORD, startDeskFixture } from '../../test/desk/desk-fixture.ts';
import { isDeskError } from './desk-error.ts';
import { createPersonCalls, HEAVY_COST } from './person-calls.ts';

let nowMs = 0;
const clock = { now: () => nowMs, setTimer: () => () => {} };

describe('calls of people who are signed in, at a real port', () => {
  let fixture: DeskFixture;
  const server = createServer(getRequestListener((request) => fixture.fetch(request)));
  let url = '';
  beforeAll(async () => {
    fixture = await startDeskFixture(EMBEDDED_ENGINE, {}, { personCalls: createPersonCalls(clock) });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/desk/api`;
  });
  afterAll(async () => {
    server.close();
    await fixture.stop();
  });

  const call = async (cookie: string, methodAndPath: string, body?: object): Promise<Response> => {
    const [method = '', path = ''] = methodAndPath.split(' ');
    const headers = { 'X-Natter-Desk': '1', Cookie: cookie };
    return await fetch(`${url}${path}`, {
      ...{ method, headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  };
  const signInAgain = async (email: string): Promise<string> => {
    const answer = await call('', 'POST /sign-in', { email, password: PASSWORD });
    return answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  };
  /** Calls until one is refused, ten at a time and 400 at most. */
  const flood = async (cookie: string): Promise<{ readonly taken: number; readonly refused: Response }> => {
    for (let taken = 0; taken < 400; ) {
      const answers = await Promise.all(Array.from({ length: 10 }, () => call(cookie, 'GET /me')));
      const refused = answers.find(({ status }) => status !== 200);
      taken += answers.filter(({ status }) => status === 200).length;
      if (refused !== undefined) return { taken, refused };
    }
    throw new Error('Nothing was refused.');
  };

  it("refuses calls above a browser's, then a person's limit for a while, but serves others and sign-out", async () => {
    const [mallory, grace] = [await fixture.sitDown('Mallory'), await fixture.sitDown('Grace')];
    const second = await signInAgain('mallory@example.com');
    const { taken, refused } = await flood(mallory.cookie);
    expect([taken, refused.status, refused.headers.get('retry-after')]).toEqual([150, 429, '10']);
    expect(await refused.json()).toMatchObject({
      error_code: 'TOO_MANY',
      error_message: 'Too many calls: try again in 10 s.',
    });
    expect((await flood(second)).taken).toBe(50);
    expect((await call(grace.cookie, 'GET /me')).status).toBe(200);
    nowMs += 10_000;
    expect((await call(mallory.cookie, 'GET /me')).status).toBe(200);
    await flood(mallory.cookie);
    expect((await call(mallory.cookie, 'POST /sign-out')).status).toBe(200);
  });
});

describe('the calls of a person', () => {
  const calls = createPersonCalls(clock);
  const ana = { id: 'a', accountId: 'one' };
  const ben = { id: 'b', accountId: 'two' };
  /** Counts how many run at the same time. */
  const watch = () => {
    const seen = { running: 0, most: 0 };
    const work = async (): Promise<void> => {
      seen.running += 1;
      seen.most = Math.max(seen.most, seen.running);
      await new Promise((resolve) => setImmediate(resolve));
      seen.running -= 1;
    };
    return { seen, work };
  };

  it("runs a person's calls a few at a time, expensive ones one at a time, and other people's alongside", async () => {
    const [light, heavy, other] = [watch(), watch(), watch()];
    await Promise.all(
      Array.from({ length: 12 }, () => [
        calls.make(ana, 1, light.work),
        calls.make(ana, HEAVY_COST, heavy.work),
        calls.make(ben, HEAVY_COST, other.work),
      ]).flat(),
    );
    expect([light.seen.most, heavy.seen.most, other.seen.most]).toEqual([4, 1, 1]);
  });

  it("runs three expensive calls of an account at a time, and other accounts' alongside", async () => {
    const [ours, theirs] = [watch(), watch()];
    const people = Array.from({ length: 12 }, (_, nr) => ({ id: `person-${nr}`, accountId: 'one' }));
    await Promise.all([
      ...people.map((person) => calls.make(person, HEAVY_COST, ours.work)),
      calls.make(ben, HEAVY_COST, theirs.work),
    ]);
    expect([ours.seen.most, theirs.seen.most]).toEqual([3, 1]);
  });

  it('charges a call by its cost, and refuses further calls until enough has been refilled', async () => {
    const many = createPersonCalls(clock);
    for (let made = 0; made < 40; made += 1) await many.make(ana, HEAVY_COST, async () => {});
    nowMs += 4_000;
    const refused = await many.make(ana, 1, async () => {}).catch((error: unknown) => error);
    expect(isDeskError(refused) && refused.retryAfterSeconds).toBe(6);
    await many.make(ben, HEAVY_COST, async () => {});
  });

  it('runs one long operation per person at a time', () => {
    const end = calls.beginLong('a');
    expect(() => calls.beginLong('a')).toThrow('already running for you');
    calls.beginLong('b')();
    end();
    calls.beginLong('a')();
  });
});
