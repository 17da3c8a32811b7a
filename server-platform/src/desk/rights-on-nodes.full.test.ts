import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createNodes, NODES_DATABASE_URL, type TestNodes } from '../../test/realtime/nodes.ts';
import { isEndOfMessage } from '../../test/realtime/test-platform.ts';
import type { TestSocket } from '../../test/realtime/test-socket.ts';
import { COMMANDS } from '../app/commands.ts';
import { loadConfig } from '../app/config/index.ts';
import type { Platform } from '../app/start-platform.ts';
import { openDatabase } from '../db/index.ts';

const GIVEN = { domains: [], apps: [], permissions: [], isLegacy: false };

/** A person who is signed in, on every node. */
interface SignedIn {
  readonly id: string;
  call(node: Platform, methodAndPath: string, body?: object): Promise<Response>;
  /** Opens a stream of server-sent events. */
  open(node: Platform, path: string): Promise<Stream>;
}

/** The events that a stream has sent. */
interface Stream {
  readonly text: string;
  /** Resolves when the stream has sent a text with the words; rejects when the stream ends before. */
  hears(words: string): Promise<void>;
  /** Resolves when the last inbox that the stream has sent is without the words. */
  losesFromInbox(words: string): Promise<void>;
  /** Resolves when the stream is over, with all of its text. */
  end(): Promise<string>;
}

function follow(answer: Response): Stream {
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const more = async (): Promise<boolean> => {
    const { done, value = '' } = (await reader?.read()) ?? { done: true };
    text += value;
    return !done;
  };
  const wait = async (isThere: () => boolean): Promise<void> => {
    while (!isThere()) if (!(await more())) throw new Error(`The stream ended: ${text}`);
  };
  return {
    get text() {
      return text;
    },
    hears: (words) => wait(() => text.includes(words)),
    losesFromInbox: (words) =>
      wait(() => text.endsWith('\n\n') && text.split('event: inbox\n').at(-1)?.includes(words) === false),
    async end() {
      while (await more());
      return text;
    },
  };
}

// Changes are made on one node, and the streams are open on the other.
describe.skipIf(NODES_DATABASE_URL === '')('what a person has open on another node', () => {
  let nodes: TestNodes;
  let here: Platform;
  let there: Platform;
  let root: SignedIn;
  const passwords = new Map<string, string>();
  /** Ids of requests. */
  const known = new Set<string>();
  beforeAll(async () => {
    const defaults = await loadConfig({}, {});
    const desk = { kind: 'desk', offerMs: 30_000, returnMs: 120_000 } as const;
    nodes = await createNodes({
      config: { ...defaults, logLevel: 'silent', handoffProviders: new Map([['desk', desk]]) },
      // The calls alone: no page is built for tests.
      ...{ hasConsole: true, consoleUrl: 'http://127.0.0.1/console' },
      async *script(turn) {
        yield { type: 'text', text: turn.kind === 'greeting' ? 'Hello!' : `You said: ${turn.text}` };
        if (turn.text === 'a person, please')
          yield { type: 'handoff', destination: 'support', reason: 'POLICY', managed: 'server' };
      },
    });
    here = await nodes.start();
    there = await nodes.start();
    await nodes.run(`UPDATE projects SET settings = settings || '{"handoff":"desk"}'::jsonb`);
    const database = await openDatabase({ databaseUrl: nodes.databaseUrl });
    await COMMANDS['queue set']?.run(database, ['crash', 'Support'], GIVEN);
    for (const [name, role] of [
      ['root', 'admin'],
      ['sue', 'supervisor'],
      ['sam', 'supervisor'],
      ['ada', 'agent'],
      ['grace', 'agent'],
      ['heidi', 'agent'],
    ] as const) {
      const added = await COMMANDS['person add']?.run(database, ['crash', `${name}@example.com`], {
        ...GIVEN,
        ...{ name, role },
      });
      passwords.set(name, /Password: (\S+)/.exec((added?.lines ?? []).join('\n'))?.[1] ?? '');
    }
    await database.close();
    root = await signIn('root');
  });
  afterAll(() => nodes.close());

  async function signIn(name: string): Promise<SignedIn> {
    let cookie = '';
    const call: SignedIn['call'] = (node, methodAndPath, body) => {
      const [method = 'GET', path = ''] = methodAndPath.split(' ');
      return fetch(`${node.url}${path}`, {
        method,
        headers: { 'X-Natter-Desk': '1', Cookie: cookie },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
    };
    const answer = await call(here, 'POST /desk/api/sign-in', {
      email: `${name}@example.com`,
      password: passwords.get(name),
    });
    expect(answer.status).toBe(200);
    cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
    const me = Object(await (await call(here, 'GET /desk/api/me')).json());
    return {
      id: me.id,
      call,
      async open(node, path) {
        const opened = await call(node, `GET ${path}`);
        expect(opened.status).toBe(200);
        const stream = follow(opened);
        await stream.hears('still here');
        return stream;
      },
    };
  }

  /** A visitor who waits for a person, and the id of their request. */
  async function askForPerson(): Promise<{ readonly visitor: TestSocket; readonly id: string }> {
    const visitor = await nodes.connect(here, await nodes.startSession(here));
    visitor.send('REQUEST_AGENT_JOIN');
    await visitor.next(isEndOfMessage);
    visitor.send('USER_MESSAGE', { text: 'a person, please' });
    await visitor.next('HANDOFF_QUEUE_STATUS');
    const { requests } = Object(await (await root.call(here, 'GET /desk/api/inbox')).json());
    const id = requests.map((request: { id: string }) => request.id).find((each: string) => !known.has(each));
    known.add(id);
    return { visitor, id };
  }

  it('closes supervisor streams on every node for a person who becomes an agent, and keeps agent streams', async () => {
    const sue = await signIn('sue');
    const live = await sue.open(there, '/console/api/live');
    const inbox = await sue.open(there, '/desk/api/stream');
    const changed = await root.call(here, `PUT /desk/api/people/${sue.id}`, { role: 'agent' });
    expect(changed.status).toBe(200);
    expect(await live.end()).toContain('event: closed\ndata: {"reason":"not_allowed"}');
    const { visitor } = await askForPerson();
    expect(inbox.text).not.toContain('event: closed');
    visitor.ws.terminate();
  });

  it.each([
    ['is kept out', 'sam', (id: string) => root.call(here, `POST /desk/api/people/${id}/disable`)],
    [
      'is signed out by an admin',
      'ada',
      (id: string) => root.call(here, `POST /desk/api/people/${id}/sign-out`),
    ],
    ['signs out', 'grace', (_: string, person: SignedIn) => person.call(here, 'POST /desk/api/sign-out')],
  ] as const)('is over for a person who %s', async (_, name, change) => {
    const person = await signIn(name);
    const paths = ['/desk/api/stream', ...(name === 'sam' ? ['/console/api/live'] : [])];
    const streams = await Promise.all(paths.map((path) => person.open(there, path)));
    expect((await change(person.id, person)).status).toBe(200);
    for (const stream of streams)
      expect(await stream.end()).toContain('event: closed\ndata: {"reason":"signed_out"}');
    expect((await person.call(there, 'GET /desk/api/me')).status).toBe(401);
  });

  it('stops showing a conversation on every node that a colleague has taken', async () => {
    const [grace, heidi] = await Promise.all([signIn('grace'), signIn('heidi')]);
    const { visitor, id } = await askForPerson();
    const streams = await Promise.all(
      [grace, heidi].map((person) => person.open(there, `/desk/api/stream?request_id=${id}`)),
    );
    const [ofGrace, ofHeidi] = streams;
    for (const stream of streams) await stream.hears('a person, please');
    expect((await heidi.call(here, `POST /desk/api/requests/${id}/take`, {})).status).toBe(200);
    await visitor.next('LIVE_AGENT_JOINED');
    // Grace learns what she may see now.
    await ofGrace?.losesFromInbox(id);
    visitor.send('USER_MESSAGE', { text: 'for Heidi alone' });
    await ofHeidi?.hears('for Heidi alone');
    // Later events on her stream were sent after it.
    const { visitor: next, id: nextId } = await askForPerson();
    await ofGrace?.hears(nextId);
    expect(ofGrace?.text).not.toContain('for Heidi alone');
    for (const socket of [visitor, next]) socket.ws.terminate();
  });
});
