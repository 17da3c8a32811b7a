import type { Attack } from '../../attack.ts';
import { encodeFrame } from '../../peers/frames.ts';
import { ask, outcomeOf } from '../../peers/hostile-http.ts';
import { type HostileSession, join, startSession } from '../../peers/hostile-session.ts';
import { bodyHeads } from '../http/slow-bodies.ts';

const nest = (open: string, close: string, depth: number): string => open.repeat(depth) + close.repeat(depth);
const FRAME_DEPTH = 60_000;
const BODY_DEPTH = 30_000;
const REST_DEPTH = 250_000;

const FRAMES: readonly string[] = [
  nest('[', ']', FRAME_DEPTH),
  nest('{"a":', '}', 20_000).replace('{"a":}', '{"a":1}'),
  `{"type":"EVENT_TYPE_USER_MESSAGE","payload":${nest('[', ']', FRAME_DEPTH)}}`,
  `{"type":"EVENT_TYPE_HEARTBEAT","payload":{},"x":${nest('[', ']', FRAME_DEPTH)}}`,
  `{"type":"EVENT_TYPE_HEARTBEAT","payload":{},"metadata":{"custom":{"a":${nest('[', ']', FRAME_DEPTH)}}}}`,
  '['.repeat(120_000),
];

// Two frames each, of the 20 that a session may send at once: above them, section 16 asks for silence, not for answers.
const SOCKETS_PER_SESSION = 8;

/** JSON nested as deep as frames and bodies have room for. */
export const nestedJson: Attack = {
  name: 'nested-json',
  summary: 'sends JSON nested a quarter of a million levels deep, in frames and in bodies',
  allowed: ['frame answered', /^HTTP (?:200|204|4\d\d)$/, 'dropped', 'handshake 429', 'close 1008'],
  required: ['frame answered', 'HTTP 400'],
  async run(context) {
    const sessions: Promise<HostileSession>[] = [];
    const routes = bodyHeads(context, 0);
    await context.repeat(4, { small: 22, full: 2_000 }, async (index) => {
      if (index % 2 === 0) {
        const session = Math.floor(index / 2 / SOCKETS_PER_SESSION);
        sessions[session] ??= startSession(context);
        const { socket, status } = await join(context, await sessions[session]);
        if (socket === null) return context.count(`handshake ${status}`);
        const seen = socket.frames;
        await socket.write(encodeFrame(FRAMES[(index / 2) % FRAMES.length] ?? ''));
        await socket.write(encodeFrame('{}'));
        await socket.socket.wait(() => socket.frames >= seen + 2 || socket.isOver, 10_000);
        if (socket.closeCode !== null) context.count(`close ${socket.closeCode}`);
        else context.count(socket.frames > seen ? 'frame answered' : 'frame without an answer');
        await socket.leave();
        return;
      }
      const route = routes[((index - 1) / 2) % routes.length];
      if (route === undefined) return;
      const depth = /external-events|chat/.test(route.head) ? REST_DEPTH : BODY_DEPTH;
      const body = index % 4 === 1 ? nest('[', ']', depth) : `{"a":${nest('[', ']', depth - 8)}}`;
      context.count(outcomeOf(await ask(context, { ...readHead(route.head), target: route.target, body })));
    });
  },
};

/** Path and headers of a request's head, without its length. */
function readHead(head: string): { readonly path: string; readonly headers: Record<string, string> } {
  const [line = '', ...fields] = head.trimEnd().split('\r\n');
  const headers = fields
    .map((field): readonly [string, string] => {
      const colon = field.indexOf(': ');
      return [field.slice(0, colon), field.slice(colon + 2)];
    })
    .filter(([name]) => name !== 'Content-Length');
  return { path: line.split(' ')[1] ?? '/', headers: Object.fromEntries(headers) };
}
