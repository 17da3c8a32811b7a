import type { Attack } from '../../attack.ts';
import { floodSockets } from '../../peers/flood-sockets.ts';
import { encodeEvent, repeatFrame } from '../../peers/frames.ts';

const FRAMES = Buffer.concat([
  encodeEvent('HEARTBEAT'),
  encodeEvent('USER_TYPING', { state: 'TYPING_STATE_STARTED' }),
  encodeEvent('USER_MESSAGE', { text: 'When does the ferry leave?' }),
  encodeEvent('REQUEST_AGENT_JOIN'),
]);

/** Frames that are valid, far more than section 16 lets through. */
export const acceptedFrames: Attack = {
  name: 'accepted-frames',
  summary: 'floods sockets with valid heartbeats, typing, messages and joins',
  allowed: ['open', 'close 1008', 'dropped', 'handshake 429'],
  required: [],
  run: (context) =>
    floodSockets(context, {
      bytes: repeatFrame(FRAMES, 65_536),
      writes: { small: 4, full: 400 },
      hasConversation: true,
      mayStayOpen: true,
    }),
};
