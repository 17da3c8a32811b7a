import { connect } from 'node:net';
import { join } from 'node:path';
import { PATIENCE } from '../../../../e2e/patience.ts';
import type { Attack, AttackContext } from '../../attack.ts';

const COMMAND = '{"command":"account list","words":[],"values":{}}\n';
const FLOOD_BYTES = { small: 2_000_000, full: 30_000_000 };
const PATIENCE_MS = 5_000 * PATIENCE;

/** Peers at the socket that takes the operator's commands, as a program of the operator's gone wrong would be. */
export const adminSocket: Attack = {
  name: 'admin-socket',
  summary: 'sends commands, garbage, endless lines and floods to the socket that takes commands, or nothing',
  allowed: ['closed', 'left'],
  required: ['answered', 'closed', 'left'],
  async run(context) {
    await context.repeat(8, { small: 40, full: 2_000 }, async (index) => {
      context.count(await visit(context, index));
    });
  },
};

/** Resolves with how it ended: with an answer, closed without one, left by the peer, or `open` when it had to be closed. */
function visit(context: AttackContext, index: number): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ path: join(context.stack.dataDir, 'admin.sock'), allowHalfOpen: true });
    let received = '';
    const finish = (outcome: string): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(outcome);
    };
    const timer = setTimeout(() => finish('open'), PATIENCE_MS);
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      received += String(bytes);
    });
    // By the other end; this one would stay open.
    const onEnd = (): void => finish(received.includes('"done"') ? 'answered' : 'closed');
    socket.on('end', onEnd);
    socket.on('close', onEnd);
    switch (index % 4) {
      case 0:
        socket.write(COMMAND);
        break;
      case 1:
        socket.write('{"command":\n');
        break;
      case 2:
        socket.write(index % 8 === 2 ? COMMAND : 'x');
        socket.write(Buffer.alloc(context.pick(FLOOD_BYTES), 'x'));
        break;
      default:
        void context.pause(20).then(() => finish('left'));
    }
  });
}
