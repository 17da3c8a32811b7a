import { createDeskApp } from '../../src/desk/api/desk-app.ts';
import { createFilePage } from '../../src/desk/api/file-page.ts';
import type { PersonStream } from '../../src/desk/api/person-stream.ts';
import { Desk } from '../../src/desk/desk.ts';
import { createDeskProvider } from '../../src/desk/desk-provider.ts';
import { listQueues, type Queue, setQueue } from '../../src/desk/queues.ts';
import type { ServerHandoffProvider } from '../../src/handoff/session/index.ts';
import { createPlatformApp } from '../../src/kit/http/platform-app.ts';
import { type Bus, NO_PEERS } from '../../src/realtime/bus/index.ts';
import type { MessagingConnector } from '../../src/realtime/conversation/connector.ts';
import { coalesceReads } from '../../src/realtime/event-log/index.ts';
import { addContactRequest } from '../../src/realtime/index.ts';
import { readVisitorData } from '../../src/records/erasure/index.ts';
import { createCheckSignIn, createOidcLimit } from '../../src/staff/check-sign-in.ts';
import type { OidcSignIn } from '../../src/staff/oidc-sign-in.ts';
import { hashPassword } from '../../src/staff/password.ts';
import {
  addPerson,
  findPeopleByEmail,
  type NewPerson,
  noteSeen,
  setPresence,
} from '../../src/staff/people.ts';
import { createPersonCalls, type PersonCalls } from '../../src/staff/person-calls.ts';
import type { TestEngine } from '../db/engines.ts';
import { startTestPlatform, type TestPlatform } from '../realtime/test-platform.ts';
import type { TestSocket } from '../realtime/test-socket.ts';

export const PASSWORD = 'a password of the tests';

/** An answer to a call of a desk. */
export interface DeskAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A person at their desk. */
export interface TestDesk {
  readonly id: string;
  readonly cookie: string;
  call(methodAndPath: string, body?: object, headers?: Readonly<Record<string, string>>): Promise<DeskAnswer>;
  fetch(methodAndPath: string, body?: object, headers?: Readonly<Record<string, string>>): Promise<Response>;
  /** As if a desk of theirs was connected now. */
  isSeen(): Promise<void>;
}

/** A messaging platform with a desk, over one account with the queue `Support`. */
export interface DeskFixture {
  readonly platform: TestPlatform;
  readonly desk: Desk;
  readonly fetch: (request: Request) => Promise<Response>;
  /** The OpenID provider, for tests to set. */
  oidc: OidcSignIn | null;
  /** Adds a person and signs them in, there and available unless the test says otherwise. */
  sitDown(name: string, fields?: Partial<NewPerson> & { readonly isAway?: boolean }): Promise<TestDesk>;
  setQueue(name: string, fields?: Partial<Queue>): Promise<string>;
  /** A visitor whose agent hands over when asked for a person. */
  visit(): Promise<TestSocket>;
  stop(): Promise<void>;
}

let hash: Promise<string> | null = null;

export async function startDeskFixture(
  engine: TestEngine,
  connector: Partial<MessagingConnector> = {},
  given: { readonly personCalls?: PersonCalls } = {},
): Promise<DeskFixture> {
  let bus: Bus | null = null;
  let provider: ServerHandoffProvider | null = null;
  const need = (): ServerHandoffProvider => {
    if (provider === null) throw new Error('The desk is not there yet.');
    return provider;
  };
  const platform = await startTestPlatform(engine, {
    connector: { handoff: 'desk', ...connector },
    visitorData: (database, clock, log) => ({
      offersContact: true,
      read: (sessionId) => readVisitorData(database, log, sessionId),
      erase: async () => {},
      addContactRequest: (sessionId, words) => addContactRequest(database, sessionId, words, clock.now()),
    }),
    handoffProviders: [
      {
        managed: 'server',
        serves: (request) => need().serves(request),
        open: (request, session) => need().open(request, session),
        resume: (request, session) => need().resume(request, session),
      },
    ],
    wrapBus: (given) => {
      bus = given;
      return given;
    },
  });
  if (bus === null) throw new Error('The platform has no bus.');
  const { database, clock, log, failures } = platform;
  const onFailure = (what: string, error: unknown): void => {
    (failures as string[]).push(`${what}: ${String(error)}`);
  };
  const desk = new Desk({
    ...{ database, clock, bus, peers: NO_PEERS, onFailure },
    ensureSessionLoaded: (sessionId) => platform.messaging.manager.ensureLoaded(sessionId),
    listConnected: (sessionIds) => platform.messaging.manager.listConnected(sessionIds),
  });
  const config = { kind: 'desk', offerMs: 30_000, returnMs: 120_000 } as const;
  provider = createDeskProvider({ name: 'desk', config, desk, database, clock, onFailure });
  const streams = new Set<PersonStream>();
  const server = {
    ...{ database, clock, bus, log, desk, onFailure, streams },
    publicUrl: null,
    sharedReads: coalesceReads(database),
    countSlowReader: () => {},
    checkSignIn: createCheckSignIn(database, clock),
    limitOidc: createOidcLimit(clock),
    personCalls: given.personCalls ?? createPersonCalls(clock),
    get oidc() {
      return fixture.oidc;
    },
  };
  const app = createPlatformApp({
    routes: { '/desk/api': createDeskApp(server), '/files': createFilePage(database, clock) },
    trustedProxyHops: 0,
    isReady: async () => true,
    onFailure,
  });
  const fetch = async (request: Request): Promise<Response> => await app.fetch(request);
  const fixture: DeskFixture = {
    platform,
    desk,
    fetch,
    oidc: null,
    async setQueue(name, fields = {}) {
      const queue = { skills: [], languages: [], hours: null, timezone: 'UTC', closedText: null, ...fields };
      await setQueue(database, { accountId: 'ACCOUNT-1', name, ...queue }, clock.now());
      const queues = await listQueues(database, 'ACCOUNT-1');
      return queues.find((each) => each.name === name)?.id ?? '';
    },
    async sitDown(name, { isAway = false, ...fields } = {}) {
      hash ??= hashPassword(PASSWORD);
      const queues = await listQueues(database, 'ACCOUNT-1');
      const email = `${name.toLowerCase()}@example.com`;
      await addPerson(
        database,
        {
          ...{ accountId: 'ACCOUNT-1', email, name, role: 'agent', capacity: 3, skills: [], languages: [] },
          ...{ passwordHash: await hash, queueIds: queues.map(({ id }) => id), ...fields },
        },
        clock.now(),
      );
      const id = (await findPeopleByEmail(database, email))[0]?.id ?? '';
      const desk = await signIn(fetch, id, email, () => noteSeen(database, id, clock.now()));
      if (isAway) return desk;
      await setPresence(database, id, 'available');
      await desk.isSeen();
      return desk;
    },
    async visit() {
      const { socket } = await platform.converse();
      return socket;
    },
    async stop() {
      for (const stream of streams) stream.close();
      await platform.stop();
    },
  };
  platform.agent.script = async function* (turn) {
    if (turn.text !== 'a person, please') {
      yield { type: 'text', text: turn.kind === 'greeting' ? 'Hello!' : `You said: ${turn.text}` };
      return;
    }
    yield { type: 'text', text: 'One moment.' };
    yield { type: 'state', set: { order: 7 } };
    yield { type: 'handoff', destination: 'support', reason: 'POLICY', managed: 'server' };
  };
  await fixture.setQueue('Support');
  return fixture;
}

async function signIn(
  fetch: DeskFixture['fetch'],
  id: string,
  email: string,
  isSeen: () => Promise<void>,
): Promise<TestDesk> {
  let cookie = '';
  const desk: TestDesk = {
    id,
    get cookie() {
      return cookie;
    },
    isSeen,
    async fetch(methodAndPath, body, headers = {}) {
      const [method = 'GET', path = ''] = methodAndPath.split(' ');
      const given = { 'X-Natter-Desk': '1', Cookie: cookie, ...headers };
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      return await fetch(
        new Request(`http://localhost/desk/api${path}`, { method, headers: given, ...sent }),
      );
    },
    async call(methodAndPath, body, headers) {
      const answer = await desk.fetch(methodAndPath, body, headers);
      return { status: answer.status, headers: answer.headers, body: JSON.parse(await answer.text()) };
    },
  };
  const answer = await desk.call('POST /sign-in', { email, password: PASSWORD });
  if (answer.status !== 200) throw new Error(`Could not sign in: ${JSON.stringify(answer.body)}`);
  cookie = (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  return desk;
}
