import { PATIENCE } from '../../../../e2e/patience.ts';
import type { Attack } from '../../attack.ts';
import { encodeEvent, encodeFrame, OPCODES } from '../../peers/frames.ts';
import { join, startSession } from '../../peers/hostile-session.ts';
import { closeOutcome } from '../../peers/hostile-web-socket.ts';

const CLOSE_PATIENCE_MS = 5_000 * PATIENCE;

interface BrokenFrame {
  readonly kind: string;
  readonly bytes: Buffer;
}

const heartbeat = encodeEvent('HEARTBEAT').toString('latin1').length;

/** Everything that RFC 6455 forbids a client to send, with the close code that it asks for. */
const FRAMES: readonly BrokenFrame[] = [
  { kind: '1002', bytes: encodeFrame('{}', { isMasked: false }) },
  { kind: '1002', bytes: encodeFrame('{}', { reserved: 1 }) },
  { kind: '1002', bytes: encodeFrame('{}', { reserved: 2 }) },
  { kind: '1002', bytes: encodeFrame('{}', { opcode: 3 }) },
  { kind: '1002', bytes: encodeFrame('{}', { opcode: 11 }) },
  { kind: '1002', bytes: encodeFrame('{}', { opcode: OPCODES.continuation }) },
  { kind: '1002', bytes: encodeFrame('x'.repeat(126), { opcode: OPCODES.ping }) },
  { kind: '1002', bytes: encodeFrame('', { opcode: OPCODES.ping, isFinal: false }) },
  { kind: '1002', bytes: encodeFrame('x', { opcode: OPCODES.close }) },
  { kind: '1002', bytes: encodeFrame(Buffer.from([0x03, 0xed]), { opcode: OPCODES.close }) },
  { kind: '1002', bytes: Buffer.concat([encodeFrame('{', { isFinal: false }), encodeFrame('}')]) },
  { kind: '1007', bytes: encodeFrame(Buffer.from([0xff, 0xfe])) },
  { kind: '1007', bytes: encodeFrame(Buffer.from([0x03, 0xe8, 0xff]), { opcode: OPCODES.close }) },
  // Masked with one key and announced with another: bytes that are no text.
  { kind: 'scrambled', bytes: scramble(encodeEvent('HEARTBEAT')) },
];

function scramble(frame: Buffer): Buffer {
  const bytes = Buffer.from(frame);
  bytes[2] = (bytes[2] ?? 0) ^ 0xff;
  return bytes.subarray(0, heartbeat);
}

/** Frames that break RFC 6455: wrongly masked, reserved bits, unknown opcodes, broken control frames, no UTF-8. */
export const brokenFrames: Attack = {
  name: 'broken-frames',
  summary: 'sends unmasked and wrongly masked frames, reserved bits, unknown opcodes, broken control frames',
  allowed: ['1002: close 1002', '1007: close 1007', 'scrambled: close 1007'],
  required: ['1002: close 1002', '1007: close 1007'],
  async run(context) {
    const session = await startSession(context);
    await context.repeat(6, { small: FRAMES.length, full: 5_000 }, async (index) => {
      const frame = FRAMES[index % FRAMES.length];
      const { socket, status } = await join(context, session);
      if (frame === undefined) return;
      if (socket === null) return context.count(`handshake ${status}`);
      await socket.write(frame.bytes);
      await socket.socket.wait(() => socket.isOver, CLOSE_PATIENCE_MS);
      context.count(`${frame.kind}: ${closeOutcome(socket)}`);
      await socket.leave();
    });
  },
};
