import type { Attack } from '../../attack.ts';
import { floodSockets } from '../../peers/flood-sockets.ts';
import { encodeFrame } from '../../peers/frames.ts';

// `max_message_size_bytes`, and the limit above which the platform reads no frame to its end.
const LIMIT_BYTES = 131_072;
const HARD_LIMIT_BYTES = 1_048_576;

/** Frames above the capability's limit, above the hard limit, and of a length that no frame has. */
export const largeFrames: Attack = {
  name: 'large-frames',
  summary: 'sends frames of 128 kB, of 1 MB and more, and headers that promise exabytes',
  allowed: ['close 1008', 'close 1009', 'open', 'dropped', 'handshake 429'],
  required: ['close 1009', 'close 1008'],
  async run(context) {
    const once = { small: 1, full: 1 };
    const frame = (bytes: number): Buffer => encodeFrame('x'.repeat(bytes));
    await Promise.all([
      floodSockets(context, { bytes: frame(LIMIT_BYTES + 1), writes: { small: 60, full: 60 } }),
      // The platform reads so much only slowly, and ends the attack or not.
      floodSockets(context, {
        bytes: frame(HARD_LIMIT_BYTES),
        writes: { small: 5, full: 60 },
        mayStayOpen: true,
      }),
      floodSockets(context, { bytes: frame(HARD_LIMIT_BYTES + 1), writes: once }),
      floodSockets(context, { bytes: encodeFrame('x', { declaredLength: 2n ** 62n }), writes: once }),
      floodSockets(context, { bytes: encodeFrame('x', { declaredLength: 2n ** 52n }), writes: once }),
    ]);
  },
};
