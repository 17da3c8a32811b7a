import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createDoor, type Door } from '../../../test/realtime/scripted-agent.ts';
import { isEndOfMessage, type TestSession } from '../../../test/realtime/test-platform.ts';
import type { TestSocket } from '../../../test/realtime/test-socket.ts';
import {
  type ErasureStage,
  STAGE_NUMBERS,
  STAGE_PLACES,
  startStage,
} from '../../../test/records/erasure/erasure-stage.ts';
import { findWords } from '../../../test/records/erasure/find-words.ts';
import type { AgentAction, AgentTurn } from '../../agents/index.ts';
import { type AdminAnswer, askAdminSocket } from '../../app/admin-socket.ts';
import { COMMANDS } from '../../app/commands.ts';
import { loadConfig } from '../../app/config/index.ts';
import { runCommand } from '../../app/run-command.ts';

const PERSON = 'Quillfeather';
const OTHER = 'Bystander';
const ERASURES = '/v1/crash/crash/erasures';

/** An event id of the agent, by the person's name. */
const eventIdOf = (name: string): string => `evt_01HF2MNW2ZQ1Z8E2S3J${name.slice(0, 7).toUpperCase()}`;

/** Repeats and stores its input, and waits for events named after it; "slowly" waits at the door. */
function createScript(door: Door) {
  return async function* (turn: AgentTurn): AsyncGenerator<AgentAction> {
    const name = [PERSON, OTHER].find((each) => turn.text.includes(each));
    if (name !== undefined) {
      yield { type: 'state', set: { name, heard: turn.text } };
      yield { type: 'entities', found: { name } };
      if (turn.text.includes('wait'))
        yield {
          type: 'wait_for_event',
          name: `payment of ${name}`,
          timeoutMs: 600_000,
          eventId: eventIdOf(name),
        };
    }
    if (turn.text.includes('slowly')) {
      yield { type: 'text', text: `Slowly, ${name}. ` };
      await door.opened;
      yield { type: 'state', set: { late: name } };
      if (!turn.text.includes('wait'))
        yield {
          type: 'wait_for_event',
          name: `late ${name}`,
          timeoutMs: 600_000,
          eventId: `evt_${randomUUID()}`,
        };
    }
    yield { type: 'text', text: turn.kind === 'greeting' ? 'Hello!' : `You said: ${turn.text}` };
  };
}

describe.each(STAGE_PLACES)('erasure on $name', (place) => {
  let stage: ErasureStage;
  let door: Door;
  const start = async (): Promise<void> => {
    door = createDoor();
    stage = await startStage(place, createScript(door));
  };
  afterEach(async () => {
    door.open();
    await stage.stop();
    await stage.data.remove();
  });

  const contactOf = (name: string) => ({ name, email: `${name}@example.com`, text: `Call ${name}.` });

  /** A call of the visitor. */
  const ask = ({ sessionId, accessToken }: TestSession, what: string, body: object = {}): Promise<Response> =>
    fetch(`${stage.last.url}/api/v1/sessions/${sessionId}/${what}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${accessToken}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });

  /** A conversation over sockets in which the person names themselves in every way there is. */
  const talk = async (
    name: string,
    userId: string,
  ): Promise<{ readonly sessionId: string; readonly sockets: readonly TestSocket[] }> => {
    const session = await stage.startSession();
    const socket = await stage.connect(stage.first, session);
    const custom = { user_id: userId, name };
    socket.send('REQUEST_AGENT_JOIN', {}, custom);
    await socket.next(isEndOfMessage);
    socket.send('USER_MESSAGE', { text: `I am ${name}, wait for my payment` }, custom);
    await socket.next(isEndOfMessage);
    const posted = await stage.call(
      'POST',
      `/v1/external-events/webhook?event_id_location=payload&event_id_path=id&account_id=crash&project_id=crash`,
      'events',
      { id: eventIdOf(name), payer: name },
    );
    expect(posted.status).toBe(201);
    await socket.next(isEndOfMessage);
    expect((await ask(session, 'contact', contactOf(name))).status).toBe(204);
    const second = await stage.connect(stage.last, session);
    return { sessionId: session.sessionId, sockets: [socket, second] };
  };

  const chat = async (name: string, userId: string): Promise<string> => {
    const integration_attributes = { user_id: userId, name, shared_id: `shared ${name}` };
    const created = await stage.call('POST', '/v1/crash/crash/chat/create', 'runtime', {
      integration_attributes,
    });
    const id = String(created.body['conversation_id']);
    await stage.call('POST', '/v1/crash/crash/chat/respond', 'runtime', {
      conversation_id: id,
      message: `${name} writes`,
      metadata: { user_id: userId },
    });
    return id;
  };

  const callAndReserve = async (name: string, userId: string): Promise<void> => {
    const attributes = { customer: { user_id: userId }, name, shared_id: `shared ${name}` };
    const reserved = await stage.call('POST', '/v1/conversations/dni-reservation', 'dni', { attributes });
    expect(reserved.status).toBe(200);
  };

  const speak = async (name: string): Promise<string> => {
    const spoken = await stage.call('POST', '/v1/agents/crash/generate-audio', 'monitoring', {
      text: `Good morning, ${name}.`,
      language: 'en',
      config: {},
    });
    expect(spoken.status).toBe(200);
    return String(spoken.body['url']);
  };

  const search = async (name: string): Promise<readonly unknown[]> => {
    const query = new URLSearchParams({
      query_type: 'semantic',
      query: name,
      limit: '50',
      start_time: '2020-01-01',
      end_time: '2100-01-01',
    });
    const found = await stage.call('GET', `/v3/crash/crash/conversations?${query}`, 'runtime');
    return found.body['conversations'] as readonly unknown[];
  };

  const erase = (body: object) => stage.call('POST', ERASURES, 'erasure', body);

  /** Tables that contain the words after every node has stopped. */
  const dump = async (...words: readonly string[]): Promise<readonly (readonly string[])[]> => {
    await stage.stop();
    const database = await stage.data.openDatabase();
    try {
      const found: (readonly string[])[] = [];
      for (const word of words) found.push(await findWords(database, word));
      return found;
    } finally {
      await database.close();
    }
  };

  it("erases a visitor's own session alone, shows it before, and leaves no text of theirs", async () => {
    await start();
    const [own, others] = [await stage.startSession(), await stage.startSession()];
    const socket = await stage.connect(stage.first, own);
    socket.send('REQUEST_AGENT_JOIN', {});
    await socket.next(isEndOfMessage);
    socket.send('USER_MESSAGE', { text: `I am ${PERSON}` });
    await socket.next(isEndOfMessage);
    const stranger = { ...own, accessToken: others.accessToken };
    for (const what of ['data', 'erase', 'contact'])
      expect((await ask(stranger, what, contactOf(OTHER))).status).toBe(401);
    expect((await ask(own, 'contact', contactOf(PERSON))).status).toBe(204);

    const shown = await ask(own, 'data');
    expect(await shown.json()).toMatchObject({
      session_id: own.sessionId,
      agent_memory: expect.anything(),
      events: expect.arrayContaining([
        expect.objectContaining({ payload: expect.objectContaining({ text: `I am ${PERSON}` }) }),
      ]),
      contact_requests: [{ ...contactOf(PERSON), created_at: expect.any(String) }],
    });
    expect((await ask(own, 'erase')).status).toBe(204);
    expect((await socket.closed).code).toBe(4001);
    for (const what of ['data', 'erase', 'contact'])
      expect((await ask(own, what, contactOf(PERSON))).status).toBe(404);
    expect(await dump(PERSON)).toEqual([[]]);
  });

  it('erases every text of a user during their live session, and nothing of others', async () => {
    await start();
    const person = await talk(PERSON, '42');
    const other = await talk(OTHER, '43');
    await chat(PERSON, '42');
    const otherChat = await chat(OTHER, '43');
    await callAndReserve(PERSON, '42');
    await callAndReserve(OTHER, '43');
    const url = await speak(PERSON);
    expect(await search(PERSON)).not.toHaveLength(0);
    expect(await stage.audioFiles()).toHaveLength(1);
    // An answer is in progress, and continues after the erasure.
    person.sockets[0]?.send('USER_MESSAGE', { text: `slowly, said ${PERSON}` });
    await person.sockets[0]?.next(({ payload }) => String(payload['text']).startsWith('Slowly'));
    const slowChat = await stage.call('POST', '/v1/crash/crash/chat/create', 'runtime', {
      integration_attributes: { user_id: '42', name: PERSON },
    });
    const slowReply = stage.call('POST', '/v1/crash/crash/chat/respond', 'runtime', {
      conversation_id: slowChat.body['conversation_id'],
      message: `slowly, writes ${PERSON}`,
    });

    const erased = await erase({ user_id: '42' });
    expect(erased.status).toBe(200);
    expect(erased.body['erased']).toMatchObject({
      sessions: 1,
      conversations: 3,
      external_waits: expect.any(Number),
      chats: 2,
      phone_numbers: 1,
      stored_audio: 1,
    });
    for (const socket of person.sockets) expect((await socket.closed).code).toBe(4001);
    door.open();
    expect((await slowReply).status).toBe(404);
    expect(await stage.audioFiles()).toEqual([]);
    expect((await fetch(url)).status).not.toBe(200);
    const again = await erase({ user_id: '42' });
    expect([again.status, again.body['error_code']]).toEqual([404, 'NOTHING_TO_ERASE']);
    // All others continue.
    other.sockets[0]?.send('USER_MESSAGE', { text: `still here, says ${OTHER}` });
    await other.sockets[0]?.next(isEndOfMessage);
    const reply = await stage.call('POST', '/v1/crash/crash/chat/respond', 'runtime', {
      conversation_id: otherChat,
      message: `${OTHER} goes on`,
    });
    expect(reply.status).toBe(200);
    expect(await search(OTHER)).toHaveLength(2);
    const [ofPerson, ofOther = []] = await dump(PERSON, OTHER);
    expect(ofPerson).toEqual([]);
    // The dump finds words that exist: in every table of the person's data except the vectors, which are numbers.
    expect(new Set(ofOther.map((where) => where.split('.')[0]))).toEqual(
      new Set([
        'chats',
        'contact_requests',
        'conversation_turns',
        'conversations',
        'events',
        'external_events',
        'external_waits',
        'phone_numbers',
        'sessions',
      ]),
    );
  });

  it('erases a session, named by an id in upper case, with its conversation', async () => {
    await start();
    const { sessionId, sockets } = await talk(PERSON, '42');
    const stays = await chat(PERSON, '42');
    const erased = await erase({ session_id: sessionId.toUpperCase() });
    expect(erased.body['erased']).toMatchObject({ sessions: 1, conversations: 1, chats: 0 });
    for (const socket of sockets) expect((await socket.closed).code).toBe(4001);
    expect((await erase({ session_id: sessionId })).status).toBe(404);
    expect((await erase({ conversation_id: stays })).status).toBe(200);
    expect(await dump(PERSON, sessionId)).toEqual([[], ['erasures.session_id']]);
  });

  it('erases a conversation with its session, and a chat with its reservation', async () => {
    await start();
    const { sessionId, sockets } = await talk(PERSON, '42');
    const listed = await stage.call('GET', '/v3/crash/crash/conversations?limit=50', 'runtime');
    const [{ id }] = listed.body['conversations'] as [{ id: string }];
    expect((await erase({ conversation_id: id })).body['erased']).toMatchObject({
      sessions: 1,
      conversations: 1,
    });
    for (const socket of sockets) expect((await socket.closed).code).toBe(4001);
    expect((await erase({ session_id: sessionId })).status).toBe(404);
    const chatId = await chat(PERSON, '42');
    await callAndReserve(PERSON, '42');
    expect((await erase({ conversation_id: chatId })).body['erased']).toMatchObject({
      chats: 1,
      phone_numbers: 1,
    });
    expect(await dump(PERSON)).toEqual([[]]);
  });

  it('erases a call with its number and attributes', async () => {
    await start();
    const attributes = { user_id: '42', name: PERSON };
    const { body } = await stage.call('POST', '/v1/conversations/dni-reservation', 'dni', { attributes });
    expect(STAGE_NUMBERS).toContain(body['dni']);
    const call = await stage.call('POST', '/internal/v1/simulated-calls', 'dni', {
      to: body['dni'],
      from: '+441632960077',
      turns: [{ text: `this is ${PERSON}, wait for my payment` }],
    });
    expect((await erase({ conversation_id: call.body['conversation_id'] })).status).toBe(200);
    expect(await dump(PERSON, '441632960077')).toEqual([[], []]);
  });

  it('erases a connector, then its account, beside serving nodes, and leaves no row', async () => {
    await start();
    const { sockets } = await talk(PERSON, '42');
    await chat(PERSON, '42');
    await callAndReserve(PERSON, '42');
    await speak(PERSON);
    const run = async (command: string, words: readonly string[], values: object): Promise<AdminAnswer> => {
      const request = { command, words, values: { ...values } };
      if (place.nodes === 1) return await asked(askAdminSocket(stage.data.folder, request));
      const database = await stage.data.openDatabase();
      const config = await loadConfig({ dataDir: stage.data.folder }, {});
      try {
        return await runCommand({ database, config, agents: [] }, request);
      } finally {
        await database.close();
      }
    };
    const asked = async (answer: Promise<AdminAnswer | null>): Promise<AdminAnswer> => {
      const given = await answer;
      if (given === null) throw new Error('The platform did not answer.');
      return given;
    };
    const web = ['crash', 'crash', 'web'];
    expect(await run('connector remove', web, {})).toEqual({
      status: 'refused',
      message: expect.stringMatching(/would be removed.*sessions 1\n.*conversations 2\nNothing was removed/s),
      exitCode: 2,
    });
    expect(await run('connector remove', web, { yes: true, json: true })).toEqual({
      status: 'done',
      lines: [expect.stringMatching(/"sessions": 1,.*"chats": 1,/s)],
    });
    for (const socket of sockets) expect((await socket.closed).code).toBe(4001);
    const listed = await run('account list', [], { json: true });
    const [{ id }] = JSON.parse(listed.status === 'done' ? listed.lines.join('') : '') as [{ id: string }];
    expect(await run('account remove', ['crash'], {})).toMatchObject({
      message: expect.stringMatching(/projects 1\n.*keys 5\n.*phone numbers 3\n.*stored audio 1\n/s),
    });
    expect(await run('account remove', ['crash'], { yes: true })).toMatchObject({ status: 'done' });
    expect((await stage.call('GET', '/v3/crash/crash/conversations', 'runtime')).status).toBe(401);
    expect(await stage.audioFiles().catch(() => [])).toEqual(place.nodes === 1 ? [] : expect.anything());
    expect(await dump(PERSON, id, STAGE_NUMBERS[0] ?? '')).toEqual([[], [], []]);
  });

  it('erases the same from the command line, beside running nodes where the database is shared', async () => {
    await start();
    const { sockets } = await talk(PERSON, '42');
    await speak(PERSON);
    const isShared = place.nodes > 1;
    if (!isShared) await stage.stop();
    const database = await stage.data.openDatabase();
    const options = {
      domains: [],
      apps: [],
      permissions: [],
      isLegacy: false,
      // Beside running nodes, the folder may belong to another machine.
      audio: {
        dataDir: isShared ? join(stage.data.folder, 'elsewhere') : stage.data.folder,
        objectStore: null,
      },
    };
    const run = async (...words: readonly string[]): Promise<readonly string[]> =>
      (await COMMANDS['erase user']?.run(database, words, options))?.lines ?? [];
    try {
      expect(await run('crash', 'crash', '42')).toEqual(
        expect.arrayContaining([
          expect.stringMatching(/^Erased \d+ rows:$/),
          '  sessions 1',
          '  conversations 1',
          '  stored_audio 1',
        ]),
      );
      await expect(run('crash', 'crash', '42')).rejects.toThrow(
        'Nothing of the user "42" is stored in crash/crash. Nothing was erased.',
      );
      await expect(run('crash', 'crash')).rejects.toThrow('Usage: natter-platform erase user');
      if (isShared) for (const socket of sockets) expect((await socket.closed).code).toBe(4001);
      await expect.poll(() => stage.audioFiles()).toEqual([]);
    } finally {
      await database.close();
    }
    expect(await dump(PERSON)).toEqual([[]]);
  });

  it('refuses an erasure of several subjects, without permission, or in another project', async () => {
    await start();
    for (const body of [
      {},
      { user_id: '1', session_id: '2' },
      { user_id: '' },
      { user_id: 42 },
      { other: '1' },
    ]) {
      const refused = await erase(body);
      expect([refused.status, refused.body['error_code']]).toEqual([400, 'SCHEMA_VALIDATION_FAILED']);
    }
    expect((await stage.call('POST', ERASURES, 'runtime', { user_id: '42' })).status).toBe(403);
    expect((await stage.call('POST', ERASURES, 'monitoring', { user_id: '42' })).status).toBe(401);
    expect((await stage.call('POST', '/v1/crash/else/erasures', 'erasure', { user_id: '42' })).status).toBe(
      403,
    );
    expect((await stage.call('GET', ERASURES, 'erasure')).status).toBe(405);
    for (const body of [
      { user_id: 'nobody' },
      { session_id: randomUUID() },
      { session_id: 'no uuid' },
      { conversation_id: 'CONV-NONE' },
      { conversation_id: 'CONV-\0' },
    ])
      expect((await erase(body)).status).toBe(404);
  });
});
