import { afterEach, expect, it } from 'vitest';
import { EMBEDDED_ENGINE } from '../../test/db/engines.ts';
import { createDoor, echoScript } from '../../test/realtime/scripted-agent.ts';
import { startTestPlatform, type TestPlatform } from '../../test/realtime/test-platform.ts';
import { type Frame, type TestSocket, typesOf } from '../../test/realtime/test-socket.ts';

const NAMED = { natter_extensions: 'stop' };

let platform: TestPlatform;
afterEach(() => platform.stop());

const isEndOfChunks = ({ payload }: Frame): boolean => payload['is_complete'] === true;

interface Story {
  readonly socket: TestSocket;
  /** First part of an answer; the agent then waits until its turn ends. */
  readonly first: Frame;
  /** Whether the agent's abort signal for that turn has fired. */
  readonly isAborted: () => boolean;
}

/** Starts a story and waits for its first words. */
async function startStory(custom: Readonly<Record<string, string>> = NAMED): Promise<Story> {
  // A story that is not stopped never ends; without this limit, closing the platform would wait 20 s.
  platform = await startTestPlatform(EMBEDDED_ENGINE, { limits: { shutdownGraceMs: 0 } });
  let signal: AbortSignal | undefined;
  platform.agent.script = async function* (turn) {
    if (turn.text !== 'a story, please') return yield* echoScript(turn);
    ({ signal } = turn);
    yield { type: 'text', text: 'Once upon a time' };
    yield { type: 'state', set: { chapter: 1 } };
    // An agent that ignores its signal.
    await createDoor().opened;
  };
  const socket = await platform.connect(await platform.startSession({ streaming_enabled: true }));
  socket.send('REQUEST_AGENT_JOIN', {}, custom);
  await socket.next(isEndOfChunks);
  socket.send('USER_MESSAGE', { text: 'a story, please' });
  const first = await socket.next('AGENT_MESSAGE_CHUNK');
  return { socket, first, isAborted: () => signal?.aborted === true };
}

const stop = ({ socket, first }: Story): void =>
  socket.send('X_STOP_RESPONSE', { message_id: first.payload['message_id'] });

it('ends a stopped answer with the text so far, aborts its agent, and answers the next message (EXT-4)', async () => {
  const story = await startStory();
  const { socket, first } = story;
  expect(first.payload).toMatchObject({ text: 'Once upon a time', is_complete: false });
  stop(story);
  const last = await socket.next('AGENT_MESSAGE_CHUNK');
  expect(last).toMatchObject({
    sequence: Number(first.sequence) + 1,
    payload: { message_id: first.payload['message_id'], text: '', chunk_index: 2, is_complete: true },
    metadata: { custom: { stopped: 'true' } },
  });
  expect(story.isAborted()).toBe(true);
  socket.send('USER_MESSAGE', { text: 'thanks' });
  expect((await socket.next(isEndOfChunks)).payload['text']).toBe('You said: thanks');
  const turn = platform.agent.turns.at(-1);
  expect(turn?.history.at(-1)).toMatchObject({ text: 'Once upon a time' });
  expect(turn?.state).toMatchObject({ chapter: 1 });
  expect(typesOf(socket.events)).not.toContain('X_STOP_RESPONSE');
  expect(platform.failures).toEqual([]);
});

it("keeps a stopped answer's text in the log and in the turn's record (EXT-4)", async () => {
  const story = await startStory();
  stop(story);
  await story.socket.next(isEndOfChunks);
  const turns = await platform.database.query<{ agent_response: string; failure: string | null }>(
    "SELECT agent_response, failure FROM conversation_turns WHERE kind = 'message'",
  );
  expect(turns).toEqual([{ agent_response: 'Once upon a time', failure: null }]);
  const [{ id: sessionId } = { id: '' }] = await platform.database.query<{ id: string }>(
    'SELECT id FROM sessions',
  );
  const { events } = await platform.log.readPage(sessionId, 0, 200);
  expect(events.at(-1)?.custom).toEqual({ stopped: 'true' });
});

it('ignores a stop for an unknown or finished answer, and a repeated one (EXT-4)', async () => {
  const story = await startStory();
  const { socket, first } = story;
  socket.send('X_STOP_RESPONSE', { message_id: 'msg_unknown' });
  socket.send('X_STOP_RESPONSE', { message_id: 'msg_unknown' });
  expect(story.isAborted()).toBe(false);
  stop(story);
  stop(story);
  await socket.next(isEndOfChunks);
  stop(story);
  socket.send('USER_MESSAGE', { text: 'thanks' });
  await socket.next(isEndOfChunks);
  const parts = socket.events.filter(({ payload }) => payload['message_id'] === first.payload['message_id']);
  expect(parts.map(({ payload }) => payload['is_complete'])).toEqual([false, true]);
  expect(typesOf(socket.events)).not.toContain('SYSTEM_MESSAGE');
});

it('refuses a stop from a client that did not name the extension, and continues (EXT-1)', async () => {
  const story = await startStory({});
  stop(story);
  const refusal = await story.socket.next('SYSTEM_MESSAGE');
  expect(refusal.payload['message']).toBe('Event type not allowed: EVENT_TYPE_X_STOP_RESPONSE');
  expect(story.isAborted()).toBe(false);
});

it.each([{}, { message_id: '' }, { message_id: 7 }])(
  'refuses a stop with %j, which identifies no message',
  async (payload) => {
    const { socket } = await startStory();
    socket.send('X_STOP_RESPONSE', payload);
    const refusal = await socket.next('SYSTEM_MESSAGE');
    expect(refusal.payload['message']).toBe('Unknown event type or invalid message format');
  },
);

it('marks turns as interrupted when they were stopped or when a message arrived during the answer', async () => {
  const story = await startStory();
  story.socket.send('USER_MESSAGE', { text: 'a word' });
  await story.socket.next('USER_MESSAGE');
  stop(story);
  await story.socket.next(({ payload }) => payload['text'] === 'You said: a word');
  story.socket.send('USER_MESSAGE', { text: 'thanks' });
  await story.socket.next(({ payload }) => payload['text'] === 'You said: thanks');
  const read = () =>
    platform.database.query<{ user_input: string; barge_in: boolean }>(
      'SELECT user_input, barge_in FROM conversation_turns ORDER BY ordinal',
    );
  await expect.poll(async () => (await read()).length).toBe(4);
  expect((await read()).map(({ user_input, barge_in }) => [user_input, barge_in])).toEqual([
    ['', false],
    ['a story, please', true],
    ['a word', true],
    ['thanks', false],
  ]);
});
