import { PATIENCE } from '../../../../e2e/patience.ts';
import type { Attack, AttackContext } from '../../attack.ts';
import { encodeEvent } from '../../peers/frames.ts';
import { callDesk, signIn } from '../../peers/hostile-desk.ts';
import { outcomeOf, readStatuses } from '../../peers/hostile-http.ts';
import { converse, startSession } from '../../peers/hostile-session.ts';
import { HostileSocket } from '../../peers/hostile-socket.ts';
import type { HostileWebSocket } from '../../peers/hostile-web-socket.ts';

const MESSAGE_BYTES = 100_000;
const MESSAGES = { small: 3, full: 18 };
const WAIT_MS = 15_000 * PATIENCE;
const TEXTS = ['hello', '\u0000', '\ud800', 'x'.repeat(40_000), { a: 1 }, [], '<img src=x onerror=alert(1)>'];
const IDS = ['%00', '%ED%A0%80', '..%2f..', '__proto__', "'; --", 'x'.repeat(4_000)];
// As many as one person may have open.
const STREAMS = 5;

/** A malicious user of the desk. */
export const deskCalls: Attack = {
  name: 'desk-calls',
  summary: 'opens streams of the desk that are never read, and posts texts, ids and bodies of every kind',
  seconds: 12,
  allowed: [/^HTTP (?:200|400|403|404|409|413|429|503)$/, 'dropped'],
  required: ['HTTP 200', 'HTTP 400', 'HTTP 403', 'HTTP 404', 'HTTP 413', 'streams within the limit'],
  async run(context) {
    const cookie = await signIn(context);
    const visitor = await ask(context);
    const id = await takeRequest(context, cookie);
    const streams = await openStreams(context, cookie, id);
    await context.repeat(8, { small: 80, full: 20_000 }, async (index) => {
      context.count(outcomeOf(await post(context, cookie, id, index)));
    });
    context.count(await countStreams(streams));
    for (const stream of streams) stream.destroy();
    await callDesk(context, `POST /requests/${id}/end`, { cookie });
    await visitor.leave();
  },
};

/** A visitor with a long conversation who asks for a person. */
async function ask(context: AttackContext): Promise<HostileWebSocket> {
  const socket = await converse(context, await startSession(context));
  if (socket === null) throw new Error('The visitor was not let in.');
  const message = encodeEvent('USER_MESSAGE', { text: 'x'.repeat(MESSAGE_BYTES) });
  for (let sent = 0; sent < context.pick(MESSAGES); sent += 1) await socket.write(message);
  await socket.write(encodeEvent('USER_MESSAGE', { text: 'Can I speak to a person?' }));
  await socket.waitForEvent('AGENT_TRIGGERED_HANDOFF', WAIT_MS);
  return socket;
}

/** The request of the visitor, taken from the queue. */
async function takeRequest(context: AttackContext, cookie: string): Promise<string> {
  let last = '';
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const { status, body } = await callDesk(context, 'GET /inbox', { cookie });
    last = `${status} ${body}`;
    // A platform that is busy may say so.
    const { requests = [] } = JSON.parse(status === 200 ? body : '{}') as {
      readonly requests?: readonly { readonly id: string }[];
    };
    const id = requests.at(-1)?.id;
    if (id !== undefined) {
      const taken = await callDesk(context, `POST /requests/${id}/take`, { cookie });
      if (taken.status === 200) return id;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`The visitor did not come to the desk: ${last}`);
}

async function openStreams(
  context: AttackContext,
  cookie: string,
  id: string,
): Promise<readonly HostileSocket[]> {
  const streams: HostileSocket[] = [];
  await context.repeat(8, { small: 12, full: 100 }, async () => {
    const socket = await HostileSocket.open(context, 'platform');
    if (socket === null) return context.count('dropped');
    const lines = [
      `GET /desk/api/stream?request_id=${id} HTTP/1.1`,
      'Host: 127.0.0.1',
      `Cookie: ${cookie}`,
      'Connection: close',
    ];
    await socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    await socket.wait((received) => readStatuses(received).length > 0, WAIT_MS);
    context.count(outcomeOf({ status: readStatuses(socket.received)[0] ?? 0 }));
    socket.socket.pause();
    streams.push(socket);
  });
  return streams;
}

/** Reads the streams, and returns how many are still open. */
async function countStreams(streams: readonly HostileSocket[]): Promise<string> {
  for (const { socket } of streams) socket.resume();
  const isOver = (): boolean => streams.filter(({ isEnded }) => !isEnded).length <= STREAMS;
  await Promise.all(streams.map((stream) => stream.wait(isOver, WAIT_MS)));
  return isOver() ? 'streams within the limit' : 'streams beyond the limit';
}

async function post(
  context: AttackContext,
  cookie: string,
  id: string,
  index: number,
): ReturnType<typeof callDesk> {
  const text = TEXTS[(index >> 3) % TEXTS.length];
  const oddId = encodeURI(IDS[(index >> 3) % IDS.length] ?? '').replaceAll('%25', '%');
  switch (index % 8) {
    case 0:
      return await callDesk(context, `POST /requests/${id}/messages`, {
        cookie,
        body: { id: `${index}`, text },
      });
    case 1:
      return await callDesk(context, `POST /requests/${id}/notes`, { cookie, body: { text } });
    case 2:
      return await callDesk(context, `PUT /requests/${id}/tags`, { cookie, body: { tags: [text] } });
    case 3:
      return await callDesk(context, `POST /requests/${oddId}/take`, { cookie });
    case 4:
      return await callDesk(context, `GET /requests/${id}`, { cookie });
    case 5:
      return await callDesk(context, `POST /requests/${id}/transfer`, {
        cookie,
        body: { queue_id: text, person_id: text },
      });
    case 6:
      return await callDesk(context, 'POST /replies', {
        cookie,
        body: index % 16 === 6 ? '['.repeat(60_000) : 'x'.repeat(70_000),
      });
    default:
      return await callDesk(context, 'POST /presence', {
        cookie,
        headers: { Origin: 'https://evil.example' },
        body: { presence: 'away' },
      });
  }
}
