import { setImmediate } from 'node:timers/promises';
import { DESK_ROUTES } from '../../server-platform/src/desk/api/desk-app.ts';
import { addContactRequest } from '../../server-platform/src/realtime/index.ts';
import type { PersonRouteInfo } from '../../server-platform/src/staff/index.ts';
import { type DeskFixture, PASSWORD, type TestDesk } from '../../server-platform/test/desk/desk-fixture.ts';
import { isEndOfMessage } from '../../server-platform/test/realtime/test-platform.ts';
import { hostileBodies, PERSON_BYTES } from './hostile-bodies.ts';
import { hostileText } from './hostile-conversations.ts';
import type { HostileWrite } from './hostile-writes.ts';
import { readUntil } from './read-until.ts';

/** Calls of the desk that change something, and its stream. */
export const DESK_WRITES: readonly PersonRouteInfo[] = DESK_ROUTES.filter(
  ({ method, streams }) => method !== 'GET' || streams !== undefined,
);

const LONG_TEXTS = 20;
const LARGEST_FILE = 5_242_880;
const LAST_WORDS = 'a person, please';
const WORDS = Array.from({ length: 50 }, (_, n) => `${n}`.padStart(100, 'w'));
const PERSON = {
  name: 'n'.repeat(100),
  role: 'agent',
  capacity: 1,
  skills: WORDS,
  languages: WORDS,
} as const;

/** The desk's calls that change something, over a conversation of long texts, and its stream. */
export async function hostileDeskWrites(fixture: DeskFixture): Promise<readonly HostileWrite[]> {
  const { database, clock } = fixture.platform;
  const admin = await fixture.sitDown('Root', { role: 'admin', capacity: 100, isAway: true });
  const otherQueue = await fixture.setQueue('Others');
  let count = 0;
  const next = (): string => {
    count += 1;
    return String(count);
  };
  const read = async (answer: Promise<Response>): Promise<Readonly<Record<string, unknown>>> => {
    const response = await answer;
    if (!response.ok) throw new Error(await response.text());
    return await response.json();
  };

  // --- Subjects of the calls ---------------------------------------------------------------------------------------

  /** A visitor with long messages who asks for a person. */
  const addRequest = async (): Promise<string> => {
    const { sessionId, socket } = await fixture.platform.converse();
    for (let n = 0; n < LONG_TEXTS; n += 1) {
      socket.send('USER_MESSAGE', { text: hostileText(n * 4).slice(0, 60_000) });
      await socket.next(isEndOfMessage);
    }
    socket.send('USER_MESSAGE', { text: LAST_WORDS });
    await socket.next('AGENT_TRIGGERED_HANDOFF');
    for (;;) {
      const [row] = await database.query<{ id: string }>(
        'SELECT id FROM desk_requests WHERE session_id = $1',
        [sessionId],
      );
      if (row !== undefined) return row.id;
      await setImmediate();
    }
  };
  const takeRequest = async (): Promise<string> => {
    const id = await addRequest();
    await read(admin.fetch(`POST /requests/${id}/take`));
    return id;
  };
  const addContact = async (): Promise<string> => {
    const { sessionId } = await fixture.platform.startSession();
    const words = { name: 'n'.repeat(200), email: 'ana@example.com', text: hostileText(0).slice(0, 10_000) };
    await addContactRequest(database, sessionId, words, clock.now());
    const [row] = await database.query<{ id: string }>(
      'SELECT id FROM contact_requests WHERE session_id = $1',
      [sessionId],
    );
    return row?.id ?? '';
  };
  const addPerson = async (): Promise<TestDesk> =>
    await fixture.sitDown(`Person-${next()}`, { isAway: true });
  const addReply = async (): Promise<string> => {
    const name = next();
    await read(admin.fetch('POST /replies', { name, text: hostileText(0).slice(0, 10_000) }));
    const [row] = await database.query<{ id: string }>('SELECT id FROM desk_replies WHERE name = $1', [name]);
    return row?.id ?? '';
  };

  // --- The calls --------------------------------------------------------------------------------------------------------

  const writes: HostileWrite[] = [];
  const over = (
    id: string,
    what: string,
    make: () => Promise<{ body?: object; place?: string; person?: TestDesk }>,
  ): void => {
    const route = DESK_ROUTES.find((each) => each.id === id);
    if (route === undefined) throw new Error(`no route ${id}`);
    const prepare = async () => {
      // Who is not seen for two minutes gives up their conversations, and a slow machine takes longer for all calls.
      await admin.isSeen();
      const { body, place = 'none', person = admin } = await make();
      return () => person.fetch(`${route.method} ${route.path.replace(/\{\w+\}/, place)}`, body);
    };
    writes.push({ id, what, isDone: true, prepare });
  };
  over('deskSignIn', 'a password', async () => ({ body: { email: 'root@example.com', password: PASSWORD } }));
  over('deskSignOut', 'a person', async () => ({ person: await addPerson() }));
  over('deskPassword', 'the longest password', async () => ({
    body: { current: PASSWORD, next: 'p'.repeat(1_000) },
    person: await addPerson(),
  }));
  over('deskPresence', 'a person', async () => ({ body: { presence: 'away' } }));
  over('deskReplyAdd', 'the longest text', async () => ({
    body: { name: next().padStart(100, 'n'), text: hostileText(0).slice(0, 10_000) },
  }));
  over('deskReplyRemove', 'a reply', async () => ({ place: await addReply() }));
  over('deskPersonInvite', 'many skills', async () => ({
    body: { email: `p${next()}@example.com`, ...PERSON, queue_ids: [] },
  }));
  over('deskPersonChange', 'many skills', async () => ({ body: PERSON, place: (await addPerson()).id }));
  for (const id of ['deskPersonReset', 'deskPersonDisable', 'deskPersonSignOut'])
    over(id, 'a person', async () => ({ place: (await addPerson()).id }));
  over('deskPersonEnable', 'a person', async () => {
    const { id } = await addPerson();
    await read(admin.fetch(`POST /people/${id}/disable`));
    return { place: id };
  });
  over('deskAccept', 'a long conversation', async () => {
    const place = await addRequest();
    await database.query(
      "UPDATE desk_requests SET status = 'offered', person_id = $2, offer_expires_at = $3 WHERE id = $1",
      [place, admin.id, clock.now() + 30_000],
    );
    return { place };
  });
  over('deskDecline', 'a long conversation', async () => {
    const place = await addRequest();
    await database.query(
      "UPDATE desk_requests SET status = 'offered', person_id = $2, offer_expires_at = $3 WHERE id = $1",
      [place, admin.id, clock.now() + 30_000],
    );
    return { place };
  });
  over('deskTake', 'a long conversation', async () => ({ place: await addRequest() }));
  over('deskTransfer', 'the longest note', async () => ({
    body: { queue_id: otherQueue, note: hostileText(0).slice(0, 10_000) },
    place: await takeRequest(),
  }));
  over('deskReturn', 'the longest summary', async () => ({
    body: { summary: hostileText(0).slice(0, 4_000) },
    place: await takeRequest(),
  }));
  over('deskEnd', 'a long conversation', async () => ({ place: await takeRequest() }));
  let taken: Promise<string> | null = null;
  // Taken when it is first needed: minutes may pass before, in which the admin is not seen.
  const own = (): Promise<string> => {
    taken ??= takeRequest();
    return taken;
  };
  for (let kind = 0; kind < 4; kind += 1)
    over('deskMessage', `the longest text, ${kind}`, async () => ({
      body: { id: next(), text: hostileText(kind).slice(0, 10_000) },
      place: await own(),
    }));
  writes.push({
    ...{ id: 'deskFile', what: 'the largest file', isDone: true },
    prepare: async () => {
      const path = `/desk/api/requests/${await own()}/files?id=${next()}`;
      const headers = { 'X-Natter-Desk': '1', 'X-Natter-File-Name': 'plan.txt', Cookie: admin.cookie };
      return () =>
        fixture.fetch(
          new Request(`http://localhost${path}`, { method: 'POST', headers, body: 'a'.repeat(LARGEST_FILE) }),
        );
    },
  });
  over('deskTyping', 'a long conversation', async () => ({ body: { state: 'started' }, place: await own() }));
  over('deskNote', 'the longest text', async () => ({
    body: { text: hostileText(3).slice(0, 10_000) },
    place: await own(),
  }));
  over('deskTags', 'many tags', async () => ({
    body: { tags: Array.from({ length: 20 }, (_, n) => `${n}`.padStart(50, 't')) },
    place: await own(),
  }));
  over('deskContactDone', 'a long text', async () => ({ body: { done: true }, place: await addContact() }));
  writes.push({
    ...{ id: 'deskStream', what: 'a long conversation', isDone: true },
    prepare: async () => {
      const id = await own();
      return async () => await readUntil(await admin.fetch(`GET /stream?request_id=${id}`), LAST_WORDS);
    },
  });
  for (const { id, method, path, streams } of DESK_ROUTES) {
    if (method !== 'GET' || streams !== undefined) continue;
    writes.push({
      id,
      what: 'a long conversation',
      isDone: null,
      prepare: async () => {
        const line = `GET ${path.replace('{id}', await own())}`;
        return () => admin.fetch(line);
      },
    });
  }
  for (const { id, method, path, body: schema } of DESK_WRITES) {
    if (schema === undefined) continue;
    for (const [what, body] of hostileBodies(schema, PERSON_BYTES)) {
      const parsed: object = JSON.parse(body);
      const prepare = async () => () => admin.fetch(`${method} ${path.replace(/\{\w+\}/, 'none')}`, parsed);
      writes.push({ id, what, isDone: null, prepare });
    }
  }
  return writes;
}
