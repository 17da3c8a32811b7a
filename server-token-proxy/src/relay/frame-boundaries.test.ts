import fc from 'fast-check';
import { expect, it } from 'vitest';
import { FrameBoundaries } from './frame-boundaries.ts';

/** A binary frame. Source: RFC 6455, 5.2. */
function frameOf(length: number, isMasked: boolean): Buffer {
  const mask = isMasked ? 0x80 : 0;
  const head = Buffer.alloc(10);
  head[0] = 0x82;
  const [size, headLength] = length < 126 ? [length, 2] : length < 65_536 ? [126, 4] : [127, 10];
  head[1] = mask | size;
  if (size === 126) head.writeUInt16BE(length, 2);
  if (size === 127) head.writeBigUInt64BE(BigInt(length), 2);
  // Masks and payloads contain bytes that look like headers.
  return Buffer.concat([head.subarray(0, headLength), Buffer.alloc((isMasked ? 4 : 0) + length, 0x81)]);
}

it('finds the ends of frames of every size, however the bytes are cut', () => {
  const lengths = fc.array(fc.oneof(fc.constantFrom(0, 1, 125, 126, 65_535, 65_536), fc.nat(300)), {
    minLength: 1,
    maxLength: 6,
  });
  fc.assert(
    fc.property(lengths, fc.boolean(), fc.array(fc.integer({ min: 1, max: 70_000 })), (sizes, mask, cuts) => {
      const frames = sizes.map((size) => frameOf(size, mask));
      const ends = new Set<number>();
      let total = 0;
      for (const { length } of frames) {
        total += length;
        ends.add(total);
      }
      const bytes = Buffer.concat(frames);
      const boundaries = new FrameBoundaries();
      expect(boundaries.isBetweenFrames).toBe(true);
      let position = 0;
      for (const cut of [...cuts, 1, 1, total]) {
        const chunk = bytes.subarray(position, position + cut);
        const first = [...ends].find((end) => end > position && end <= position + chunk.length);
        expect(boundaries.read(chunk)).toBe(first === undefined ? -1 : first - position);
        position += chunk.length;
        expect(boundaries.isBetweenFrames).toBe(position === 0 || ends.has(position));
      }
      expect(position).toBe(total);
    }),
    { numRuns: 200 },
  );
});
