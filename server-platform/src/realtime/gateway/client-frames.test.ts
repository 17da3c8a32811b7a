import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EMBEDDED_ENGINE } from '../../../test/db/engines.ts';
import { readVectors } from '../../../test/realtime/read-vectors.ts';
import { startTestPlatform, type TestPlatform } from '../../../test/realtime/test-platform.ts';
import type { TestSocket } from '../../../test/realtime/test-socket.ts';

interface FrameCase {
  readonly name: string;
  readonly frame?: unknown;
  readonly raw?: string;
  readonly expect:
    | { readonly accept: { readonly type: string; readonly payload: object; readonly custom: object | null } }
    | { readonly error: string; readonly custom: object | null };
}
interface SizeCase {
  readonly name: string;
  readonly build: {
    readonly prefix: string;
    readonly fill: string;
    readonly suffix: string;
    readonly total_bytes: number;
  };
  readonly expect: { readonly accept_type: string } | { readonly error: string } | { readonly close: number };
}
const vectors = readVectors<{
  readonly client_frames: readonly FrameCase[];
  readonly client_frame_sizes: readonly SizeCase[];
}>('wire-frames.json');

let platform: TestPlatform;
let socket: TestSocket;
beforeAll(async () => {
  platform = await startTestPlatform(EMBEDDED_ENGINE, {
    // Every vector must be answered at once; `floods.test.ts` covers the limits.
    limits: { heartbeatsPerSecond: 10_000, refusalAnswersPerSecond: 10_000, maxRefusedFrames: 10_000 },
  });
  ({ socket } = await platform.converse());
});
afterAll(() => platform.stop());

/** Sends a frame that is always answered, so that all frames before its answer belong to earlier requests. */
async function answersTo(
  send: () => void,
): Promise<readonly { type: string; payload: object; metadata?: object }[]> {
  const before = socket.events.length;
  const mark = crypto.randomUUID();
  send();
  socket.send('NO_SUCH_TYPE', {}, { mark });
  await socket.next(({ metadata }) => metadata?.custom['mark'] === mark);
  // The agent may still be answering an earlier message.
  return socket.events
    .slice(before)
    .filter(
      ({ type, metadata }) => type === 'EVENT_TYPE_SYSTEM_MESSAGE' && metadata?.custom['mark'] !== mark,
    );
}

const ECHOED = ['EVENT_TYPE_USER_MESSAGE', 'EVENT_TYPE_REQUEST_AGENT_JOIN', 'EVENT_TYPE_HEARTBEAT'];

describe('a frame from a client, over a real socket', () => {
  it.each(vectors.client_frames.map((each) => [each.name, each] as const))(
    'vector: %s',
    async (_name, { frame, raw, expect: expected }) => {
      // Ending the session uses a separate conversation.
      if ('accept' in expected && expected.accept.type === 'EVENT_TYPE_USER_END_SESSION') {
        ({ socket } = await platform.converse());
      }
      const text = raw ?? JSON.stringify(frame);
      if ('error' in expected) {
        const [answer] = await answersTo(() => socket.sendRaw(text));
        expect(answer).toMatchObject({
          type: 'EVENT_TYPE_SYSTEM_MESSAGE',
          sequence: null,
          payload: { level: 'SYSTEM_MESSAGE_LEVEL_ERROR', message: expected.error },
        });
        expect(answer?.metadata ?? null).toEqual(
          expected.custom === null ? null : { custom: expected.custom },
        );
        return;
      }
      const { type, payload, custom } = expected.accept;
      if (type === 'EVENT_TYPE_USER_TYPING') {
        const answers = await answersTo(() => socket.sendRaw(text));
        expect(answers.map((answer) => answer.payload)).not.toContainEqual(
          expect.objectContaining({ level: 'SYSTEM_MESSAGE_LEVEL_ERROR' }),
        );
        return;
      }
      socket.sendRaw(text);
      const echo = await socket.next((event) => event.type === type);
      expect(echo.payload).toMatchObject(payload);
      expect(echo.metadata ?? null).toEqual(custom === null ? null : { custom });
      if (type === 'EVENT_TYPE_USER_END_SESSION') {
        expect(await socket.closed).toMatchObject({ code: 1000 });
        ({ socket } = await platform.converse());
      } else expect(ECHOED).toContain(type);
    },
  );

  it.each(vectors.client_frame_sizes.map((each) => [each.name, each] as const))(
    'vector: %s',
    async (_name, { build, expect: expected }) => {
      const { prefix, fill, suffix, total_bytes: total } = build;
      const text = `${prefix}${fill.repeat((total - prefix.length - suffix.length) / fill.length)}${suffix}`;
      const own = await platform.converse();
      own.socket.sendRaw(text);
      if ('close' in expected) {
        expect(await own.socket.closed).toMatchObject({ code: expected.close });
      } else if ('error' in expected) {
        const answer = await own.socket.next('SYSTEM_MESSAGE');
        expect(answer.payload['message']).toBe(expected.error);
        expect(answer.sequence).toBeNull();
      } else {
        expect(await own.socket.next(({ type }) => type === expected.accept_type)).toBeDefined();
      }
    },
  );

  it('refuses a binary frame and keeps the socket open', async () => {
    const own = await platform.converse();
    own.socket.sendRaw(Buffer.from('{"type":"EVENT_TYPE_HEARTBEAT"}'));
    const answer = await own.socket.next('SYSTEM_MESSAGE');
    expect(answer.payload['message']).toBe('Unknown event type or invalid message format');
    own.socket.send('HEARTBEAT');
    await own.socket.next('HEARTBEAT');
  });

  it('refuses a frame nested more than 200 levels deep before parsing it', async () => {
    const own = await platform.converse();
    const heartbeat = (depth: number): string =>
      `{"type":"EVENT_TYPE_HEARTBEAT","x":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    own.socket.sendRaw(heartbeat(199));
    await own.socket.next('HEARTBEAT');
    platform.clock.skip(1_000);
    own.socket.sendRaw(heartbeat(60_000));
    own.socket.send('USER_MESSAGE', { text: `${'['.repeat(300)} in a text means nothing` });
    const answer = await own.socket.next(({ type }) => /SYSTEM_MESSAGE|HEARTBEAT/.test(type));
    expect(answer.payload['message']).toBe('Unknown event type or invalid message format');
    await own.socket.next('USER_MESSAGE');
  });

  it('refuses every type that the platform does not support yet by name', async () => {
    for (const type of ['USER_READ_MESSAGE', 'CSAT_RESPONSE', 'POLY_AGENT_MESSAGE']) {
      const [answer] = await answersTo(() => socket.send(type));
      expect(answer?.payload).toMatchObject({ message: `Event type not allowed: EVENT_TYPE_${type}` });
    }
  });

  it('stores and echoes characters unchanged that databases refuse', async () => {
    const own = await platform.converse();
    const text = 'nul \u0000 and a lone \ud800 half';
    own.socket.send('USER_MESSAGE', { text }, { local_id: 'a\u0000\ud800', 'k\u0000': '\u0000' });
    const echo = await own.socket.next('USER_MESSAGE');
    expect(echo.payload['text']).toBe(text);
    expect(echo.metadata?.custom).toEqual({ local_id: 'a\u0000\ud800', 'k\u0000': '\u0000' });
    expect(platform.failures).toEqual([]);
  });
});
