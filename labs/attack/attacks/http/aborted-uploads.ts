import type { Attack } from '../../attack.ts';
import { HostileSocket } from '../../peers/hostile-socket.ts';
import { bodyHeads } from './slow-bodies.ts';

const DECLARED_BYTES = 60_000;
const PART = `{"upload":"${'x'.repeat(30_000)}`;

/** Uploads that are reset, or ended, halfway. */
export const abortedUploads: Attack = {
  name: 'aborted-uploads',
  summary: 'resets or ends the connection in the middle of a body, on every route that reads one',
  allowed: ['aborted'],
  required: ['aborted'],
  async run(context) {
    const heads = bodyHeads(context, DECLARED_BYTES);
    await context.repeat(16, { small: 100, full: 20_000 }, async (index) => {
      const route = heads[index % heads.length];
      if (route === undefined) return;
      const socket = await HostileSocket.open(context, route.target);
      if (socket === null) return context.count('refused connection');
      await socket.write(route.head);
      await socket.write(PART.slice(0, context.dice.between(1, PART.length)));
      if (index % 2 === 0) socket.reset();
      else socket.socket.end();
      await context.pause(5);
      socket.destroy();
      await socket.ended;
      context.count('aborted');
    });
  },
};
