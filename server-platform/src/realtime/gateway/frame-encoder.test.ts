import { expect, it } from 'vitest';
import { transientEvent } from '../conversation/outgoing-event.ts';
import { createFrameEncoder } from './frame-encoder.ts';

it('encodes an event once per vocabulary, for any number of sockets', () => {
  let reads = 0;
  const payload = {
    get text() {
      reads += 1;
      return 'hüllo';
    },
  };
  const event = transientEvent(0, 'EVENT_TYPE_AGENT_MESSAGE', payload);
  const frames = createFrameEncoder();
  const frame = frames.encode(event, 'neutral');
  expect(frame.bytes).toBe(Buffer.byteLength(frame.text));
  const once = reads;
  expect(once).toBeGreaterThan(0);
  expect([frames.encode(event, 'neutral'), frames.encode(event, 'neutral')]).toEqual([frame, frame]);
  expect(reads).toBe(once);
  frames.encode(event, 'poly');
  expect(reads).toBe(2 * once);
  frames.encode(event, 'poly');
  expect(reads).toBe(2 * once);
});
