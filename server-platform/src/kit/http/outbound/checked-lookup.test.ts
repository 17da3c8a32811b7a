import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { afterEach, expect, it } from 'vitest';
import { createNameServerResolver } from './checked-lookup.ts';

const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.close();
});

/** A name server on this machine that responds with bytes, or not at all for null. */
async function serve(answer: (question: Buffer) => Buffer | null): Promise<string> {
  const socket = createSocket('udp4');
  sockets.push(socket);
  socket.on('message', (question: Buffer, { port, address }: RemoteInfo) => {
    const bytes = answer(question);
    if (bytes !== null) socket.send(bytes, port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return `127.0.0.1:${socket.address().port}`;
}

const A = 1;
const NOT_FOUND = 3;
// Offset of the question.
const HEAD_BYTES = 12;

/** Builds a response to a question: an address, or a code. */
function answerTo(question: Buffer, { address = '', code = 0 }): Buffer {
  const end = question.indexOf(0, HEAD_BYTES) + 5;
  const asked = question.subarray(HEAD_BYTES, end);
  const isA = question.readUInt16BE(end - 4) === A;
  const head = Buffer.from([0, 0, 0x81, 0x80 | code, 0, 1, 0, isA && address !== '' ? 1 : 0, 0, 0, 0, 0]);
  question.copy(head, 0, 0, 2);
  if (!isA || address === '') return Buffer.concat([head, asked]);
  const record = Buffer.from([
    0xc0,
    HEAD_BYTES,
    0,
    A,
    0,
    1,
    0,
    0,
    0,
    60,
    0,
    4,
    ...address.split('.').map(Number),
  ]);
  return Buffer.concat([head, asked, record]);
}

it('resolves a name with the name servers, and reports a name without addresses', async () => {
  const server = await serve((question) =>
    question.includes('hooks')
      ? answerTo(question, { address: '203.0.113.7' })
      : answerTo(question, { code: NOT_FOUND }),
  );
  const resolve = createNameServerResolver([server]);
  expect(await resolve('hooks.example')).toEqual(['203.0.113.7']);
  await expect(resolve('nowhere.example')).rejects.toMatchObject({ code: 'ENOTFOUND' });
});

it('keeps resolving names while others never get a response', async () => {
  const server = await serve((question) =>
    question.includes('hangs') ? null : answerTo(question, { address: '203.0.113.7' }),
  );
  const resolve = createNameServerResolver([server]);
  // Many times the number of threads of the system's resolver.
  const hanging = Array.from({ length: 40 }, (_, nr) => resolve(`hangs-${nr}.example`).catch(() => 'never'));
  expect(await resolve('other.example')).toEqual(['203.0.113.7']);
  expect(await Promise.race([...hanging, 'still waiting'])).toBe('still waiting');
});
