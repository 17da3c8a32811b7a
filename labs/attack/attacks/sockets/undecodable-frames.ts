import type { Attack } from '../../attack.ts';
import { floodSockets } from '../../peers/flood-sockets.ts';
import { encodeEvent, encodeFrame, repeatFrame } from '../../peers/frames.ts';

const tooManyKeys = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`key${index}`, 'v']));

/** One for every row of 5.6 that is refused with an answer. */
const FRAMES = Buffer.concat([
  encodeFrame('{'),
  encodeFrame('{}'),
  encodeFrame('[]'),
  encodeFrame('{"type":"EVENT_TYPE_NONSENSE","payload":{}}'),
  encodeEvent('AGENT_MESSAGE', { text: 'I am the agent' }),
  encodeFrame('{"type":"EVENT_TYPE_USER_MESSAGE","payload":[]}'),
  encodeFrame(
    JSON.stringify({ type: 'EVENT_TYPE_HEARTBEAT', payload: {}, metadata: { custom: tooManyKeys } }),
  ),
  encodeEvent('USER_MESSAGE', { text: '   ' }),
  encodeEvent('USER_TYPING', { state: 'NO_SUCH_STATE' }),
]);

/** Frames that no rule lets through. */
export const undecodableFrames: Attack = {
  name: 'undecodable-frames',
  summary: 'floods sockets with frames that cannot be decoded or are not allowed',
  allowed: ['close 1008', 'dropped', 'handshake 429'],
  required: ['close 1008'],
  run: (context) =>
    floodSockets(context, {
      bytes: repeatFrame(FRAMES, 65_536),
      writes: { small: 4, full: 400 },
      hasConversation: true,
    }),
};
