import type { Attack } from '../../attack.ts';
import { countPlaces } from '../../peers/count-places.ts';
import { encodeEvent } from '../../peers/frames.ts';
import { converse, join, startSession } from '../../peers/hostile-session.ts';
import type { HostileWebSocket } from '../../peers/hostile-web-socket.ts';

const MESSAGE_BYTES = 100_000;
// As many as the bucket of section 16 holds.
const MESSAGES = { small: 4, full: 18 };
const READERS_PER_SESSION = 8;

/** Sockets that ask for a long history and live events, and never read. */
export const deafReaders: Attack = {
  name: 'deaf-readers',
  summary: 'asks for long histories and answers on sockets that are never read',
  allowed: ['deaf'],
  required: ['deaf', 'all 10 places'],
  async run(context) {
    const peers = context.pick({ small: 1, full: 4 });
    const sessions = await Promise.all(Array.from({ length: peers }, () => startSession(context)));
    await Promise.all(
      sessions.map(async (session) => {
        const writer = await converse(context, session);
        if (writer === null) return context.count('handshake refused');
        const message = encodeEvent('USER_MESSAGE', { text: 'x'.repeat(MESSAGE_BYTES) });
        for (let sent = 0; sent < context.pick(MESSAGES); sent += 1) await writer.write(message);
        await context.pause(200);
        const readers: HostileWebSocket[] = [];
        for (let reader = 0; reader < READERS_PER_SESSION; reader += 1) {
          const { socket, status } = await join(context, session);
          if (socket === null) context.count(`handshake ${status}`);
          else {
            socket.socket.socket.pause();
            readers.push(socket);
            context.count('deaf');
          }
        }
        if (!context.isSmall) await context.pause(60_000);
        await Promise.all([writer, ...readers].map((socket) => socket.leave()));
      }),
    );
    const [session] = sessions;
    if (session !== undefined) await countPlaces(context, session);
  },
};
