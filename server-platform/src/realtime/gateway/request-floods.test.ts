import { afterEach, describe, expect, it, vi } from 'vitest';
import { EMBEDDED_ENGINE } from '../../../test/db/engines.ts';
import { openRawPeer } from '../../../test/realtime/raw-peer.ts';
import { createDoor } from '../../../test/realtime/scripted-agent.ts';
import {
  startTestPlatform,
  type TestPlatform,
  type TestPlatformOptions,
} from '../../../test/realtime/test-platform.ts';

const HEAD = 'Host: 127.0.0.1\r\n';
const readyRequest = `GET /readyz HTTP/1.1\r\n${HEAD}\r\n`;
const tokenRequest = (token: string): string =>
  `POST /api/v1/access-token HTTP/1.1\r\n${HEAD}X-Token: ${token}\r\nX-Host: example.com\r\nContent-Length: 2\r\n\r\n{}`;

const running: TestPlatform[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((each) => each.stop()));
});

async function start(options: TestPlatformOptions = {}): Promise<TestPlatform> {
  const platform = await startTestPlatform(EMBEDDED_ENGINE, options);
  running.push(platform);
  return platform;
}

const count = (text: string, part: string): number => text.split(part).length - 1;

describe('whether the platform is ready', () => {
  it('checks the database once for concurrent readiness requests', async () => {
    const platform = await start();
    const pings = vi.spyOn(platform.database, 'ping');
    const peers = await Promise.all(Array.from({ length: 20 }, () => openRawPeer(platform.messaging.port)));
    for (const { socket } of peers) socket.write(readyRequest.repeat(20));
    await expect
      .poll(() => peers.every(({ received }) => count(received, '{"status":"ready"}') === 20))
      .toBe(true);
    expect(pings.mock.calls.length).toBeLessThan(20);
    await Promise.all(peers.map((peer) => peer.reset()));
  });

  it('checks the database again for a later readiness request', async () => {
    const platform = await start();
    const ready = async (): Promise<number> => (await fetch(`${platform.url}/readyz`)).status;
    expect(await ready()).toBe(200);
    const pings = vi.spyOn(platform.database, 'ping').mockRejectedValue(new Error('gone'));
    await expect.poll(ready).toBe(503);
    pings.mockRestore();
    await expect.poll(ready).toBe(200);
  });
});

describe('requests that are sent without awaiting the answers', () => {
  it('handles pipelined requests one after the other, in order', async () => {
    let handled = 0;
    let atOnce = 0;
    let mostAtOnce = 0;
    const platform = await start({
      async findByToken() {
        handled += 1;
        atOnce += 1;
        mostAtOnce = Math.max(mostAtOnce, atOnce);
        await new Promise((resolve) => setImmediate(resolve));
        atOnce -= 1;
        return null;
      },
    });
    const peer = await openRawPeer(platform.messaging.port);
    const statuses = (): readonly string[] =>
      [...peer.received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status = '']) => status);
    const pairs = 50;
    peer.socket.write(`${tokenRequest('t')}${readyRequest}`.repeat(pairs));
    await expect.poll(() => statuses().length).toBe(2 * pairs);
    expect(statuses()).toEqual(Array.from({ length: pairs }, () => ['401', '200']).flat());
    expect([handled, mostAtOnce]).toEqual([pairs, 1]);
    await peer.reset();
  });

  it('drops pipelined requests after their connection has closed', async () => {
    const door = createDoor();
    let handled = 0;
    const platform = await start({
      async findByToken() {
        handled += 1;
        await door.opened;
        return null;
      },
    });
    const peer = await openRawPeer(platform.messaging.port);
    peer.socket.write(tokenRequest('t').repeat(50));
    await expect.poll(() => handled).toBe(1);
    await peer.reset();
    // Another connection is not delayed.
    expect((await fetch(`${platform.url}/healthz`)).status).toBe(200);
    door.open();
    const answer = await platform.post('/api/v1/access-token', { 'X-Token': 't', 'X-Host': 'a' }, '{}');
    expect([answer.status, handled]).toEqual([401, 2]);
  });
});
