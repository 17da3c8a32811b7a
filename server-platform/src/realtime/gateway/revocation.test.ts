import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EMBEDDED_ENGINE } from '../../../test/db/engines.ts';
import { clientFrame, openRawPeer, upgradeRequest } from '../../../test/realtime/raw-peer.ts';
import { createSkippingClock } from '../../../test/realtime/skipping-clock.ts';
import { startTestPlatform } from '../../../test/realtime/test-platform.ts';
import { RevocationWatch } from './revocation-watch.ts';

describe('a connector that is revoked', () => {
  it("ignores a revoked connector's socket that does not answer the close", async () => {
    const platform = await startTestPlatform(EMBEDDED_ENGINE);
    try {
      const { socket, ...session } = await platform.converse();
      const peer = await openRawPeer(platform.messaging.port);
      const path = `/ws?session_id=${session.sessionId}&access_token=${session.accessToken}`;
      peer.socket.write(upgradeRequest(path));
      await peer.sees('SESSION_START');
      Object.assign(platform.connector, { isRevoked: true });
      platform.clock.skip(1_000);
      await peer.sees('connector revoked');
      expect(await socket.closed).toEqual({ code: 4001, reason: 'connector revoked' });
      const frame = { type: 'EVENT_TYPE_USER_MESSAGE', payload: { text: 'still talking' } };
      peer.socket.write(clientFrame(JSON.stringify(frame)));
      await fetch(`${platform.url}/healthz`);
      await fetch(`${platform.url}/healthz`);
      const stored = await platform.log.readAfter(session.sessionId, 0, 100);
      expect(JSON.stringify(stored)).not.toContain('still talking');
      await peer.reset();
    } finally {
      await platform.stop();
    }
  });
});

describe('the watch for revoked connectors', () => {
  // Fake time moves only when the test advances it, so a slow machine changes nothing.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  it('reports a store outage once, and reads nothing after it was stopped', async () => {
    const clock = createSkippingClock();
    const seen: string[] = [];
    let isAway = true;
    const watch = new RevocationWatch({
      clock,
      connectors: {
        async findById() {
          seen.push('read');
          if (isAway) throw new Error('the database is away');
          return null;
        },
      },
      sockets: () => [{ connectorId: 'c', host: 'example.com', onRevoked: () => seen.push('revoked') }],
      onFailure: () => seen.push('failed'),
    });
    const look = async (): Promise<readonly string[]> => {
      clock.skip(1_000);
      await new Promise((resolve) => setImmediate(resolve));
      return seen.splice(0);
    };
    watch.start();
    expect([await look(), await look()]).toEqual([['read', 'failed'], ['read']]);
    isAway = false;
    expect(await look()).toEqual(['read', 'revoked']);
    isAway = true;
    expect([await look(), await look()]).toEqual([['read', 'failed'], ['read']]);
    watch.stop();
    expect(await look()).toEqual([]);
  });
});
