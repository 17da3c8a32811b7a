import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { type JoinedSockets, joinSockets } from './join-sockets.ts';

const open: Socket[] = [];
afterEach(() => {
  vi.useRealTimers();
  for (const socket of open.splice(0)) socket.destroy();
});

/** Both ends of one connection: the peer's, and the joined one. */
async function connection(): Promise<readonly [peer: Socket, own: Socket]> {
  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const peer = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [own] = (await once(server, 'connection')) as [Socket];
  server.close();
  open.push(
    peer.on('error', () => {}),
    own,
  );
  return [peer, own];
}

async function join(): Promise<{
  readonly browser: Socket;
  /** The joined end of the browser's connection. */
  readonly ownOfBrowser: Socket;
  readonly platform: Socket;
  readonly pair: JoinedSockets;
  readonly ended: Promise<string>;
}> {
  const [browser, ownOfBrowser] = await connection();
  const [platform, ownOfPlatform] = await connection();
  let onEnd = (_end: string): void => {};
  const ended = new Promise<string>((resolve) => {
    onEnd = resolve;
  });
  return { browser, ownOfBrowser, platform, pair: joinSockets(ownOfBrowser, ownOfPlatform, onEnd), ended };
}

const NOTHING = new Uint8Array(1_048_576);

it('closes an end that has read nothing for a minute, although it still sends', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { browser, ownOfBrowser, platform, ended } = await join();
  platform.on('data', () => {});
  // Permanently full: kernel buffers grow, so a real one would accept an unpredictable amount.
  const write = vi.spyOn(ownOfBrowser, 'write').mockReturnValue(false);
  platform.write('?');
  await expect.poll(() => write.mock.calls.length).toBe(1);
  for (let second = 0; second < 59; second += 1) {
    vi.advanceTimersByTime(1_000);
    browser.write('?');
  }
  expect(platform.destroyed).toBe(false);
  vi.advanceTimersByTime(1_000);
  expect(await ended).toBe('stalled');
});

it('lets an end read pending bytes after the other one has left, for at most five seconds', async () => {
  const first = await join();
  const received: number[] = [];
  first.browser.on('data', (bytes: Buffer) => received.push(bytes.length));
  first.platform.end(NOTHING);
  expect(await first.ended).toBe('platform');
  await expect.poll(() => first.browser.closed).toBe(true);
  expect(received.reduce((sum, length) => sum + length)).toBe(NOTHING.length);

  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const second = await join();
  // This platform is permanently silent: it neither reads nor ends.
  second.platform.pause();
  second.browser.destroy();
  await expect.poll(() => second.ownOfBrowser.readableEnded).toBe(true);
  vi.advanceTimersByTime(5_000);
  expect(await second.ended).toBe('browser');
});

it('sends a close frame 1001 after the current frame on shutdown', async () => {
  const { browser, platform, pair, ended } = await join();
  let received = '';
  browser.setEncoding('latin1').on('data', (text: string) => {
    received += text;
  });
  // A frame of two bytes, and the first half of one of six.
  platform.write('\x81\x02hi\x81\x06abc', 'latin1');
  await expect.poll(() => received).toBe('\x81\x02hi\x81\x06abc');
  pair.goAway();
  platform.write('def\x81\x04late', 'latin1');
  await expect.poll(() => browser.closed).toBe(true);
  expect(received).toBe('\x81\x02hi\x81\x06abcdef\x88\x02\x03\xe9');
  platform.destroy();
  expect(await ended).toBe('shutdown');
});
