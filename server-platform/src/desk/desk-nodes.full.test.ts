import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createNodes, NODES_DATABASE_URL, type TestNodes } from '../../test/realtime/nodes.ts';
import { isEndOfMessage } from '../../test/realtime/test-platform.ts';
import { COMMANDS } from '../app/commands.ts';
import { loadConfig } from '../app/config/index.ts';
import type { Platform } from '../app/start-platform.ts';
import { openDatabase } from '../db/index.ts';

const GIVEN = { domains: [], apps: [], permissions: [], isLegacy: false };

describe.skipIf(NODES_DATABASE_URL === '')('a desk on two nodes', () => {
  let nodes: TestNodes;
  let one: Platform;
  let two: Platform;
  let password = '';
  beforeAll(async () => {
    const defaults = await loadConfig({}, {});
    const desk = { kind: 'desk', offerMs: 30_000, returnMs: 120_000 } as const;
    nodes = await createNodes({
      config: { ...defaults, logLevel: 'silent', handoffProviders: new Map([['desk', desk]]) },
      async *script(turn) {
        yield { type: 'text', text: turn.kind === 'greeting' ? 'Hello!' : `You said: ${turn.text}` };
        if (turn.text === 'a person, please')
          yield { type: 'handoff', destination: 'support', reason: 'POLICY', managed: 'server' };
      },
    });
    one = await nodes.start();
    two = await nodes.start();
    await nodes.run(`UPDATE projects SET settings = settings || '{"handoff":"desk"}'::jsonb`);
    const database = await openDatabase({ databaseUrl: nodes.databaseUrl });
    await COMMANDS['queue set']?.run(database, ['crash', 'Support'], GIVEN);
    const added = await COMMANDS['person add']?.run(database, ['crash', 'grace@example.com'], {
      ...GIVEN,
      name: 'Grace',
    });
    password = /Password: (\S+)/.exec((added?.lines ?? []).join('\n'))?.[1] ?? '';
    await database.close();
  });
  afterAll(() => nodes.close());

  it("serves one node's visitor from a desk on the other, and continues when the visitor’s node is gone", async () => {
    let cookie = '';
    const call = async (path: string, body?: object) => {
      const answer = await fetch(`${two.url}/desk/api${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { 'X-Natter-Desk': '1', Cookie: cookie },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? cookie;
      return { status: answer.status, body: await answer.json() };
    };
    expect((await call('/sign-in', { email: 'grace@example.com', password })).status).toBe(200);
    const session = await nodes.startSession(one);
    const visitor = await nodes.connect(one, session);
    visitor.send('REQUEST_AGENT_JOIN');
    await visitor.next(isEndOfMessage);
    visitor.send('USER_MESSAGE', { text: 'a person, please' });
    await visitor.next('HANDOFF_QUEUE_STATUS');
    await call('/presence', { presence: 'available' });
    const { requests } = (await call('/inbox')).body;
    const id = requests[0].id;
    expect((await call(`/requests/${id}/take`, {})).status).toBe(200);
    await visitor.next('LIVE_AGENT_JOINED');
    expect((await call(`/requests/${id}/messages`, { id: 'm1', text: 'from the other node' })).status).toBe(
      200,
    );
    expect((await visitor.next('LIVE_AGENT_MESSAGE')).payload['text']).toBe('from the other node');
    await one.close();
    expect((await call(`/requests/${id}/messages`, { id: 'm2', text: 'still here' })).status).toBe(200);
    const back = await nodes.connect(two, session);
    await back.next(({ payload }) => payload['text'] === 'still here');
    back.send('USER_MESSAGE', { text: 'me too' });
    await expect.poll(async () => (await call('/inbox')).body.requests[0].unread).toBe(1);
    back.ws.terminate();
  });
});
