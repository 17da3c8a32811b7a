import type { Attack } from '../../attack.ts';
import { floodSockets } from '../../peers/flood-sockets.ts';
import { encodeFrame, OPCODES, repeatFrame } from '../../peers/frames.ts';

const PINGS = repeatFrame(encodeFrame('x'.repeat(125), { opcode: OPCODES.ping }), 65_536);
const PONGS = repeatFrame(encodeFrame('x'.repeat(125), { opcode: OPCODES.pong }), 65_536);

/** Protocol-level pings, whose answers half of the peers never read, and pongs that answer no ping. */
export const pings: Attack = {
  name: 'pings',
  summary: 'floods sockets with pings, with and without reading the pongs, and with unasked pongs',
  allowed: ['open', 'close 1008', 'close 1013', 'dropped', 'handshake 429'],
  required: [],
  async run(context) {
    const writes = { small: 16, full: 400 };
    await Promise.all([
      floodSockets(context, { bytes: PINGS, writes, mayStayOpen: true }),
      floodSockets(context, { bytes: PINGS, writes, isDeaf: true, mayStayOpen: true }),
      floodSockets(context, { bytes: PONGS, writes, mayStayOpen: true }),
    ]);
  },
};
