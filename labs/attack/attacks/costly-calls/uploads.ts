import { readdir } from 'node:fs/promises';
import type { Attack, AttackContext } from '../../attack.ts';
import { ask, outcomeOf, readStatuses } from '../../peers/hostile-http.ts';
import { HostileSocket } from '../../peers/hostile-socket.ts';
import { startVisit } from '../../peers/hostile-visit.ts';

const PNG = Buffer.from('89504e470d0a1a0a', 'hex');
const NAMES = [
  ...[
    '../../../test/etc/passwd.txt',
    '..%2F..%2Fshadow.txt',
    '%00.txt',
    '.htaccess',
    'a.svg',
    'a.html',
    'CON.txt',
  ],
  ...['%E2%80%AEtxt.exe', 'a%0D%0ASet-Cookie:b.txt', '%ED%A0%80.txt', '%', 'a.txt::$DATA', '%C4%B0.png'],
];
const TYPES = [
  'application/octet-stream',
  'text/plain',
  'multipart/form-data; boundary=a',
  'application/json',
];
// One byte more than `uploads.maxBytes`.
const TOO_MUCH = 10_485_761;
const LEFT_OVER_EVERY_MS = 100;
const LEFT_OVER_TRIES = 50;
const ANSWER_MS = 10_000;

/** Uploads with names, types and lengths that lie, and such as break off. */
export const uploads: Attack = {
  name: 'uploads',
  summary: 'uploads files with hostile names, types and lengths, too large, or broken off, many at once',
  allowed: [/^HTTP (?:200|400|408|410|413|415|422|429)$/, 'dropped', 'aborted'],
  required: ['HTTP 200', 'HTTP 413', 'HTTP 415', 'aborted', 'nothing left over'],
  async run(context) {
    const visits = context.pick({ small: 3, full: 6 });
    const tickets = await Promise.all(Array.from({ length: visits }, () => startVisit(context)));
    await context.repeat(16, { small: 48, full: 3_000 }, async (index) => {
      const ticket = tickets[(index >> 2) % visits] ?? '';
      switch (index % 4) {
        case 0:
          return await sendWhole(context, ticket, index);
        case 1:
          return await sendTooMuch(context, ticket);
        default:
          return await breakOff(context, ticket, index % 4 === 2);
      }
    });
    context.count(await findLeftOver(context));
  },
};

async function sendWhole(context: AttackContext, ticket: string, index: number): Promise<void> {
  const headers = {
    Authorization: `Bearer ${ticket}`,
    'Content-Type': TYPES[(index >> 2) % 8] ?? 'application/octet-stream',
    'X-Natter-File-Name': NAMES[(index >> 2) % NAMES.length] ?? '',
  };
  const body = index % 8 === 0 ? PNG : Buffer.from('<script>alert(1)</script>');
  context.count(outcomeOf(await ask(context, { target: 'proxy', path: '/v1/upload', headers, body })));
}

const head = (ticket: string, length: string): string =>
  [
    'POST /v1/upload HTTP/1.1',
    'Host: 127.0.0.1',
    `Authorization: Bearer ${ticket}`,
    'Content-Type: application/octet-stream',
    'X-Natter-File-Name: a.txt',
    length,
    '',
    '',
  ].join('\r\n');

/** A body without a length, which ends only when it is refused. */
async function sendTooMuch(context: AttackContext, ticket: string): Promise<void> {
  const socket = await HostileSocket.open(context, 'proxy');
  if (socket === null) return context.count('dropped');
  await socket.write(head(ticket, 'Transfer-Encoding: chunked'));
  const chunk = Buffer.alloc(1_048_576, 'x');
  const isAnswered = (): boolean => readStatuses(socket.received).length > 0;
  for (let sent = 0; sent < TOO_MUCH && !isAnswered() && !socket.isEnded; sent += chunk.length)
    await socket.write(Buffer.concat([Buffer.from('100000\r\n'), chunk, Buffer.from('\r\n')]));
  await socket.wait(isAnswered, ANSWER_MS);
  context.count(outcomeOf({ status: readStatuses(socket.received)[0] ?? 0 }));
  socket.destroy();
  await socket.ended;
}

async function breakOff(context: AttackContext, ticket: string, isReset: boolean): Promise<void> {
  const socket = await HostileSocket.open(context, 'proxy');
  if (socket === null) return context.count('dropped');
  await socket.write(head(ticket, 'Content-Length: 1000000'));
  await socket.write(Buffer.alloc(context.dice.between(1, 500_000), 'x'));
  await context.pause(context.dice.between(0, 30));
  if (isReset) socket.reset();
  else socket.destroy();
  await socket.ended;
  context.count('aborted');
}

/** Whether a part of an unfinished file remains. */
async function findLeftOver({ stack }: AttackContext): Promise<string> {
  for (let attempt = 0; attempt < LEFT_OVER_TRIES; attempt += 1) {
    const files = await readdir(stack.filesDir, { recursive: true });
    if (!files.some((file) => file.endsWith('part'))) return 'nothing left over';
    await new Promise((resolve) => setTimeout(resolve, LEFT_OVER_EVERY_MS));
  }
  return 'parts of files left over';
}
