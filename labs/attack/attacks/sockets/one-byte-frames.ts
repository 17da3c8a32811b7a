import type { Attack } from '../../attack.ts';
import { floodSockets } from '../../peers/flood-sockets.ts';
import { encodeFrame, OPCODES, repeatFrame } from '../../peers/frames.ts';

const FRAMES = Buffer.concat([
  encodeFrame('x'),
  encodeFrame('x', { opcode: OPCODES.binary }),
  encodeFrame(''),
]);

/** Frames of one byte, as fast as the stack reads them. */
export const oneByteFrames: Attack = {
  name: 'one-byte-frames',
  summary: 'floods sockets with frames of one byte',
  allowed: ['close 1008', 'dropped', 'handshake 429'],
  required: ['close 1008'],
  run: (context) =>
    floodSockets(context, { bytes: repeatFrame(FRAMES, 65_536), writes: { small: 4, full: 400 } }),
};
