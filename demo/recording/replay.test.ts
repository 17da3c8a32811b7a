import { readFileSync } from 'node:fs';
import { type ChatClient, createChatClient } from 'natter/client';
import { afterEach, describe, expect, it } from 'vitest';
import { parseRecording } from './recording.ts';
import { type ReplayServer, startReplay } from './replay-server.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function replay(name: string, untilMs = Number.POSITIVE_INFINITY): Promise<ChatClient> {
  const file = new URL(`../../e2e/recordings/${name}.json`, import.meta.url);
  const server: ReplayServer = await startReplay(parseRecording(readFileSync(file, 'utf8')), {
    speed: Number.POSITIVE_INFINITY,
    untilMs,
    port: 0,
    embedDir: '.',
  });
  closers.push(() => server.close());
  const values = new Map<string, unknown>();
  const chat = createChatClient({
    endpoint: server.url,
    allowInsecure: true,
    ports: {
      storage: {
        get: async (key) => values.get(key),
        set: async (key, value) => void values.set(key, value),
        delete: async (key) => void values.delete(key),
      },
    },
  });
  closers.push(() => chat.destroy());
  await chat.start();
  return chat;
}

const linesOf = (chat: ChatClient): readonly string[] =>
  chat
    .getSnapshot()
    .messages.flatMap((item) =>
      item.kind === 'user' || item.kind === 'agent' ? [`${item.kind}: ${item.text}`] : [],
    );
const until = (read: () => unknown) => expect.poll(read);

describe('a replay', () => {
  it('a replay waits for the visitor, and answers in the order of the recording with the visitor’s own words', async () => {
    const chat = await replay('answer');
    await until(() => linesOf(chat).length).toBe(1);
    chat.send('Is a cat welcome?');
    await until(() => linesOf(chat).at(-1)).toMatch(/^agent: .*dog/is);
    expect(linesOf(chat)[1]).toBe('user: Is a cat welcome?');
    chat.send('And a horse?');
    await until(() => JSON.stringify(chat.getSnapshot().messages)).toContain('no answer to this');
  });

  it('a replay loses the connection where the recording does, and continues from the cursor without a gap', async () => {
    const chat = await replay('reconnects');
    for (const [index, text] of ['One?', 'Two?', 'Three?'].entries()) {
      await until(() => linesOf(chat).length).toBe(1 + 2 * index);
      chat.send(text);
    }
    await until(() => linesOf(chat).length).toBe(7);
    expect(linesOf(chat).filter((line) => line.startsWith('user'))).toEqual([
      'user: One?',
      'user: Two?',
      'user: Three?',
    ]);
  });

  it('a replay ends as the recording does', async () => {
    const chat = await replay('survey');
    await until(() => linesOf(chat).length).toBe(1);
    chat.send('A dog?');
    await until(() => linesOf(chat).length).toBe(3);
    void chat.endChat();
    await until(() => chat.getSnapshot().survey?.id).toBe('survey-1');
    chat.answerSurvey(5);
    await until(() => chat.getSnapshot().session.status).toBe('ended');
  });

  it('a replay stops at the given time', async () => {
    const chat = await replay('answer', 1);
    await until(() => chat.getSnapshot().connection.status).toBe('open');
    expect(linesOf(chat)).toEqual([]);
  });
});
