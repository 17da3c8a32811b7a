import type { Attack } from '../../attack.ts';
import { floodSockets } from '../../peers/flood-sockets.ts';
import { encodeEvent, repeatFrame } from '../../peers/frames.ts';

/** Messages before a conversation exists: each is valid and refused. */
export const refusedFrames: Attack = {
  name: 'refused-frames',
  summary: 'floods sockets with messages before a conversation exists',
  allowed: ['close 1008', 'dropped', 'handshake 429'],
  required: ['close 1008'],
  run: (context) =>
    floodSockets(context, {
      bytes: repeatFrame(encodeEvent('USER_MESSAGE', { text: 'Is there anybody out there?' }), 65_536),
      writes: { small: 4, full: 400 },
    }),
};
