import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isEndOfMessage } from '../../../test/realtime/test-platform.ts';
import { openTestSocket, type TestSocket } from '../../../test/realtime/test-socket.ts';
import { type AdminAnswer, askAdminSocket } from '../../app/admin-socket.ts';
import { openNodeTraceReader } from '../../app/cli/open-node-trace-reader.ts';
import { loadConfig } from '../../app/config/index.ts';
import { runCommand } from '../../app/run-command.ts';
import { type Platform, startPlatform } from '../../app/start-platform.ts';
import { openDatabase } from '../../db/index.ts';
import { createLogger } from '../../kit/logger.ts';
import type { Timeline } from './timeline.ts';

const WORDS = 'May my dog Bruno come along?\u001b[2J\u202e';

/** Acts as a visitor of the platform's page. */
async function openChat(platform: Platform) {
  const { token, host } = platform.developmentConnector ?? { token: '', host: '' };
  const post = async (path: string, headers: Record<string, string>, body: string) =>
    (await fetch(`${platform.url}/api/v1${path}`, { method: 'POST', headers, body })).json();
  const { access_token: accessToken } = await post(
    '/access-token',
    { 'X-Token': token, 'X-Host': host },
    '{}',
  );
  const body = JSON.stringify({ streaming_enabled: true });
  const { session_id: id } = await post('/sessions', { Authorization: `Bearer ${accessToken}` }, body);
  const address = `${platform.url.replace('http', 'ws')}/ws?session_id=${id}&access_token=`;
  return {
    id: String(id),
    accessToken: String(accessToken),
    connect: (given = accessToken): Promise<TestSocket> => openTestSocket(`${address}${given}`),
  };
}

describe('session show', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'natter-show-'));
  let platform: Platform;
  let chat: Awaited<ReturnType<typeof openChat>>;
  let conversationId: string;
  const show = async (id: string, values = {}): Promise<AdminAnswer> =>
    (await askAdminSocket(dataDir, { command: 'session show', words: [id], values })) ?? {
      ...{ status: 'refused', message: 'nobody answers', exitCode: 9 },
    };
  const read = async (id: string, values = {}): Promise<Timeline> => {
    const answer = await show(id, { json: true, ...values });
    return JSON.parse(answer.status === 'done' ? answer.lines.join('\n') : answer.message);
  };
  const summaries = ({ steps }: Timeline) => steps.map(({ kind, summary }) => `${kind} ${summary}`);

  beforeAll(async () => {
    platform = await startPlatform({ dataDir, port: 0, logger: createLogger('silent') });
    chat = await openChat(platform);
    const socket = await chat.connect();
    socket.send('REQUEST_AGENT_JOIN');
    await socket.next(isEndOfMessage);
    socket.sendRaw('no frame at all');
    await socket.next('SYSTEM_MESSAGE');
    socket.send('USER_MESSAGE', { text: WORDS });
    await socket.next(isEndOfMessage);
    await socket.close(1000);
    await expect(chat.connect(`${chat.accessToken}x`)).rejects.toThrow('401');
    const life = await read(chat.id);
    conversationId = life.conversation?.id ?? '';
  });
  afterAll(async () => {
    await platform.close();
    rmSync(dataDir, { recursive: true });
  });

  it('session show lists handshake, frames, commits, turns and close in order', async () => {
    const lines = summaries(await read(chat.id));
    const expected = [
      /^stored 1 SESSION_START, \d+ B$/,
      /^socket socket 1 opened, cursor 0$/,
      /^in REQUEST_AGENT_JOIN, \d+ B, socket 1$/,
      /^owner the node writes the session, epoch \d+$/,
      /^stored 2 REQUEST_AGENT_JOIN, \d+ B, committed in \d+ ms$/,
      /^turn conversation CONV-.+ began$/,
      /^turn greeting begins$/,
      /^turn turn 1 on record, greeting: answered in \d.+, first words after \d.+$/,
      /^in frame, 15 B, refused, socket 1$/,
      /^out SYSTEM_MESSAGE, \d+ B, socket 1$/,
      /^in USER_MESSAGE, \d+ B, socket 1$/,
      /^stored \d+ USER_MESSAGE, \d+ B, committed in \d+ ms$/,
      /^out USER_MESSAGE, \d+ B, socket 1$/,
      /^turn message \d+ begins, \d+ ms after it was stored$/,
      /^stored \d+(–\d+)? AGENT_MESSAGE_CHUNK.*commit/,
      /^turn turn 2 on record, message: answered in/,
      /^socket socket 1 closed with 1000 \(normal\)$/,
      /^handshake refused: AUTHENTICATION_FAILED$/,
    ];
    const places = expected.map((pattern) => lines.findLastIndex((line) => pattern.test(line)));
    expect(
      places.filter((place) => place === -1),
      lines.join('\n'),
    ).toEqual([]);
    // The visitor writes before the turn of the last answer has ended: frames and turns are ordered separately.
    for (const chain of [
      [0, 1, 2, 4, 8, 10, 11, 16, 17],
      [3, 6, 7],
      [11, 13, 14, 15],
      [8, 9],
      [10, 12],
    ]) {
      const inOrder = chain.map((index) => places[index] ?? -1);
      expect(inOrder, lines.join('\n')).toEqual(inOrder.toSorted((one, other) => one - other));
    }
  });

  it("session show prints the same for the conversation's id", async () => {
    expect(conversationId).toMatch(/^CONV-/);
    expect(await read(conversationId)).toEqual(await read(chat.id));
  });

  it('session show prints texts only on request, without control characters, and never a token', async () => {
    const answer = await show(chat.id);
    const withTexts = await show(chat.id, { texts: true });
    const lines = answer.status === 'done' ? answer.lines.join('\n') : '';
    const texts = withTexts.status === 'done' ? withTexts.lines.join('\n') : '';
    expect(lines).toContain('USER_MESSAGE');
    expect(lines).not.toMatch(/Bruno|Ada/);
    expect(texts).toContain('"May my dog Bruno come along?\\u001b[2J\\u202e"');
    for (const text of [lines, texts, JSON.stringify(await read(chat.id, { texts: true }))])
      expect(text).not.toContain(chat.accessToken);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: matches control characters on purpose
    expect(texts).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
  });

  it.each([
    [
      '3f1c0c3e-6d0c-4a55-9a3e-2f4f1c3b7a10',
      1,
      'It was erased, retention removed it, or it is in another database',
    ],
    ['CONV-none', 1, 'There is no conversation "CONV-none" here'],
    ['yesterday', 2, 'is neither the id of a session'],
    ['\u0000', 2, 'is neither the id of a session'],
  ])('session show refuses the id %j and says what to do', async (id, exitCode, message) => {
    expect(await show(id)).toEqual({
      status: 'refused',
      exitCode,
      message: expect.stringContaining(message),
    });
  });

  it('session show names the kind of another id', async () => {
    const listed = await askAdminSocket(dataDir, {
      command: 'connector list',
      words: [],
      values: { json: true },
    });
    const [connector] = JSON.parse(listed?.status === 'done' ? listed.lines.join('') : '[]');
    expect(await show(connector.id)).toMatchObject({
      exitCode: 2,
      message: expect.stringContaining('is the id of a connector, not of a session'),
    });
  });

  it('session show prints what follows a sequence number, and refuses an invalid one', async () => {
    const [first] = summaries(await read(chat.id, { after: '2' })).filter((line) =>
      line.startsWith('stored 3'),
    );
    expect(first).toContain('AGENT_JOINED');
    expect(summaries(await read(chat.id, { after: '2' })).join()).not.toContain('SESSION_START');
    expect(await show(chat.id, { after: 'x' })).toMatchObject({ exitCode: 2 });
  });

  it('session show omits earlier frames once the session is erased', async () => {
    const other = await openChat(platform);
    const socket = await other.connect();
    socket.send('REQUEST_AGENT_JOIN');
    await socket.next(isEndOfMessage);
    const { conversation } = await read(other.id);
    const words = [...(conversation?.project.split('/') ?? []), other.id];
    expect(await askAdminSocket(dataDir, { command: 'erase session', words, values: {} })).toMatchObject({
      status: 'done',
    });
    await socket.closed;
    expect(await show(other.id)).toMatchObject({ exitCode: 1 });
  });

  it('session show prints the stored data when no platform runs, and names what is missing', async () => {
    await platform.close();
    const database = await openDatabase({ dataDir });
    const config = await loadConfig({ dataDir }, {});
    const { readTraces } = await openNodeTraceReader(config, database);
    const context = { database, config, agents: [], readTraces };
    const answer = await runCommand(context, { command: 'session show', words: [chat.id], values: {} });
    await database.close();
    const lines = answer.status === 'done' ? answer.lines : [];
    expect(lines.at(-1)).toContain('No platform runs on this data folder');
    expect(lines.join('\n')).toMatch(/turn 2 on record, message: answered, first words \d/);
    expect(lines.join('\n')).not.toMatch(/^[\d:.]+ {2}(in|out|socket) /m);
  });
});
