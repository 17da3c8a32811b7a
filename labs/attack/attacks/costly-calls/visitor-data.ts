import type { Attack, AttackContext } from '../../attack.ts';
import { encodeEvent } from '../../peers/frames.ts';
import { ask, outcomeOf, readStatuses } from '../../peers/hostile-http.ts';
import { converse, type HostileSession, startSession } from '../../peers/hostile-session.ts';
import { HostileSocket } from '../../peers/hostile-socket.ts';
import { callProxy, startVisit } from '../../peers/hostile-visit.ts';

const MESSAGE_BYTES = 100_000;
const MESSAGES = { small: 4, full: 24 };
// Below the refill of section 16, 5 frames a second.
const MESSAGE_EVERY_MS = 210;
// Of the ten calls that a session has a minute; two are for the erasure.
const DOWNLOADS = { small: 4, full: 8 };
const ANSWER_MS = 10_000;

const ODD = ['\u0000', '\ud800', 'a'.repeat(20_000), { a: [] }, null, -1, '__proto__', '{{email}}'];

/** Visitors with many messages who concurrently request their data, contact and erasure. */
export const visitorData: Attack = {
  name: 'visitor-data',
  summary:
    'fills conversations and asks for all that is stored of them, for contact and for erasure, at once',
  seconds: 20,
  allowed: [/^(?:proxy: )?HTTP (?:200|204|400|404|410|429)$/, 'deaf download', 'dropped'],
  required: ['HTTP 200', 'HTTP 204', 'proxy: HTTP 200', 'proxy: HTTP 400', 'deaf download'],
  async run(context) {
    const peers = context.pick({ small: 1, full: 5 });
    const sessions = await Promise.all(Array.from({ length: peers }, () => startSession(context)));
    await Promise.all(sessions.map((session) => fill(context, session)));
    const ticket = await startVisit(context);
    await Promise.all([
      ...sessions.map((session) => download(context, session)),
      ...ODD.map((odd) => askOddly(context, ticket, odd)),
    ]);
    const erasures = sessions.flatMap((session) => [session, session]);
    await Promise.all(erasures.map((session) => call(context, session, 'erase')));
    await Promise.all([callOnce(context, '/v1/erase', ticket), callOnce(context, '/v1/data', ticket)]);
  },
};

async function fill(context: AttackContext, session: HostileSession): Promise<void> {
  const writer = await converse(context, session);
  if (writer === null) return context.count('handshake refused');
  const message = encodeEvent('USER_MESSAGE', { text: 'x'.repeat(MESSAGE_BYTES) });
  for (let sent = 0; sent < context.pick(MESSAGES); sent += 1) {
    await writer.write(message);
    await context.pause(MESSAGE_EVERY_MS);
  }
  await writer.leave();
}

/** Half of the downloads are not read. */
async function download(context: AttackContext, session: HostileSession): Promise<void> {
  const count = context.pick(DOWNLOADS);
  await Promise.all(
    Array.from({ length: count }, (_, index) =>
      index % 2 === 0 ? call(context, session, 'data') : downloadDeaf(context, session),
    ),
  );
}

async function call(context: AttackContext, session: HostileSession, what: string): Promise<void> {
  const headers = { Authorization: `Bearer ${session.accessToken}` };
  const path = `/api/v1/sessions/${session.sessionId}/${what}`;
  context.count(outcomeOf(await ask(context, { target: 'platform', path, headers, body: '{}' })));
}

async function downloadDeaf(context: AttackContext, session: HostileSession): Promise<void> {
  const socket = await HostileSocket.open(context, 'platform');
  if (socket === null) return context.count('dropped');
  const lines = [
    `POST /api/v1/sessions/${session.sessionId}/data HTTP/1.1`,
    'Host: 127.0.0.1',
    `Authorization: Bearer ${session.accessToken}`,
    'Content-Length: 2',
  ];
  await socket.write(`${lines.join('\r\n')}\r\n\r\n{}`);
  await socket.wait((received) => readStatuses(received).length > 0, ANSWER_MS);
  socket.socket.pause();
  const [status] = readStatuses(socket.received);
  context.count(status === 200 ? 'deaf download' : outcomeOf({ status: status ?? 0 }));
  await context.pause(context.pick({ small: 100, full: 3_000 }));
  socket.destroy();
  await socket.ended;
}

async function askOddly(context: AttackContext, ticket: string, odd: unknown): Promise<void> {
  const contact = { email: 'mallory@example.com', text: 'x', resume_ticket: ticket };
  const bodies = [
    { ...contact, name: odd },
    { ...contact, email: odd },
    { ...contact, text: odd },
  ];
  for (const body of bodies)
    context.count(`proxy: ${outcomeOf(await callProxy(context, '/v1/contact', body))}`);
  await callOnce(context, '/v1/data', ticket);
}

async function callOnce(context: AttackContext, path: string, ticket: string): Promise<void> {
  context.count(`proxy: ${outcomeOf(await callProxy(context, path, { resume_ticket: ticket }))}`);
}
