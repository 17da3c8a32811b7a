import type { Attack } from '../../attack.ts';
import { floodSockets } from '../../peers/flood-sockets.ts';
import { encodeFrame, OPCODES, repeatFrame } from '../../peers/frames.ts';

const FIRST = encodeFrame('{', { isFinal: false });
const piece = (text: string): Buffer => encodeFrame(text, { opcode: OPCODES.continuation, isFinal: false });

/** Messages in pieces of one byte, in empty pieces, and pieces between which pings come; none ever ends. */
export const fragments: Attack = {
  name: 'fragments',
  summary: 'sends messages in endless fragments of one byte and of none',
  allowed: ['close 1002', 'close 1008', 'close 1009', 'dropped', 'handshake 429'],
  required: ['close 1008'],
  async run(context) {
    const writes = { small: 30, full: 200 };
    const endless = (text: string): Buffer => repeatFrame(piece(text), 65_536);
    const withPings = Buffer.concat([piece('x'), encodeFrame('', { opcode: OPCODES.ping })]);
    await Promise.all([
      floodSockets(context, { first: FIRST, bytes: endless('x'), writes }),
      floodSockets(context, { first: FIRST, bytes: endless(''), writes }),
      floodSockets(context, { first: FIRST, bytes: repeatFrame(withPings, 65_536), writes }),
    ]);
  },
};
