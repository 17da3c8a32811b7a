import { PATIENCE } from '../../../../e2e/patience.ts';
import type { Attack, AttackContext } from '../../attack.ts';
import { countPlaces } from '../../peers/count-places.ts';
import {
  type HostileSession,
  handshakeRequest,
  socketPath,
  startSession,
} from '../../peers/hostile-session.ts';
import { HostileSocket } from '../../peers/hostile-socket.ts';

// Fewer than a session has places, so that none is refused for those that are still being reset.
const LANES = 6;
const LOOK_PATIENCE_MS = 2_000 * PATIENCE;

type Step = (socket: HostileSocket, session: HostileSession) => Promise<void>;

const isUpgraded = (received: string): boolean => received.includes('\r\n\r\n');

/** How far each peer goes before it resets the connection. */
const STEPS: readonly Step[] = [
  async () => {},
  async (socket) => await socket.write('GET /ws?sess'),
  async (socket) => await socket.write('GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgr'),
  // No credentials: refused at once, and reset before the refusal is written.
  async (socket) => await socket.write(handshakeRequest('/ws')),
  async (socket) => await socket.write(handshakeRequest('/elsewhere')),
  async (socket) =>
    await socket.write('GET /ws HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'),
  // The handshake is being checked.
  async (socket, session) => await socket.write(handshakeRequest(socketPath(session))),
  async (socket, session) => {
    await socket.write(handshakeRequest(socketPath(session)));
    await socket.wait(isUpgraded, LOOK_PATIENCE_MS);
  },
  // In the middle of the replay.
  async (socket, session) => {
    await socket.write(handshakeRequest(socketPath(session)));
    await socket.wait((received) => received.includes('EVENT_TYPE_EVENT_BATCH'), LOOK_PATIENCE_MS);
  },
];

/** TCP resets at every step of the WebSocket handshake. */
export const handshakeResets: Attack = {
  name: 'handshake-resets',
  summary: 'resets the connection at each step of the WebSocket handshake',
  allowed: ['reset'],
  required: ['reset', 'all 10 places'],
  async run(context: AttackContext) {
    const session = await startSession(context);
    await context.repeat(LANES, { small: 360, full: 20_000 }, async (index) => {
      const socket = await HostileSocket.open(context, 'platform');
      if (socket === null) return context.count('refused connection');
      await STEPS[index % STEPS.length]?.(socket, session);
      socket.reset();
      await socket.ended;
      context.count('reset');
    });
    await countPlaces(context, session);
  },
};
