import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeNodeMessage, encodeNodeMessage } from './node-message.ts';
import { PacketReader, PacketWriter } from './packets.ts';

const lineText = fc.string({
  minLength: 0,
  maxLength: 60,
  unit: fc.constantFrom('a', 'b', ' ', '+', '-', '7'),
});
const batches = fc.array(fc.array(lineText, { minLength: 1, maxLength: 5 }), { maxLength: 8 });

const writeAll = (writer: PacketWriter, said: readonly (readonly string[])[]): readonly string[] =>
  said.flatMap((lines) => writer.write(lines.map((line) => `${line}\n`).join('')));

describe('packets', () => {
  it('carries lines of any length in packets, unchanged and in order', () => {
    fc.assert(
      fc.property(batches, fc.integer({ min: 12, max: 40 }), (said, maxLength) => {
        const packets = writeAll(new PacketWriter('n1', maxLength), said);
        const reader = new PacketReader();
        const read = packets.map((packet) => reader.read(packet, null));
        expect(packets.every(({ length }) => length <= maxLength)).toBe(true);
        expect(read.flatMap((content) => content?.lines ?? [])).toEqual(said.flat());
        expect(read.some((content) => content === null || content.hasGap)).toBe(false);
      }),
    );
  });

  it('drops whole lines with a lost packet, alters none, and reports a gap', () => {
    fc.assert(
      fc.property(batches, fc.infiniteStream(fc.boolean()), (said, coins) => {
        // Every line is unique, so that each output line can be matched to its input.
        const lines = said.map((batch, at) => batch.map((line, index) => `${at}.${index} ${line}`));
        const packets = writeAll(new PacketWriter('n1', 20), lines);
        const reader = new PacketReader();
        const kept = packets.filter((_, index) => index === 0 || coins.next().value);
        const read = kept.map((packet) => reader.read(packet, null));
        const all = lines.flat();
        const positions = read.flatMap((content) => content?.lines ?? []).map((line) => all.indexOf(line));
        expect(positions.every((position, index) => position > (positions[index - 1] ?? -1))).toBe(true);
        const lastKept = kept.at(-1);
        const lost = packets.filter((packet) => !kept.includes(packet));
        const isLostInside = lost.some((packet) => packets.indexOf(packet) < packets.indexOf(lastKept ?? ''));
        expect(read.some((content) => content?.hasGap === true)).toBe(isLostInside);
      }),
    );
  });

  it('separates the packets of several nodes, and ignores messages that are not packets', () => {
    const [one, other] = [new PacketWriter('n1', 14), new PacketWriter('n2', 14)];
    const reader = new PacketReader();
    const [ofOne, ofOther] = [one.write('first of one\n'), other.write('first of other\n')];
    const mixed = ofOther.flatMap((packet, index) => [ofOne[index] ?? '', packet]);
    const read = mixed.map((packet) => reader.read(packet, null));
    expect(read.flatMap((content) => content?.lines ?? [])).toEqual(['first of one', 'first of other']);
    for (const text of ['', 'n1', 'n1 x - y', 'n1 1 * y']) expect(reader.read(text, null)).toBeNull();
  });
});

describe('a line of the bus', () => {
  it('encodes a packet as one line of ASCII, for any text', () => {
    const texts = ['ünd 🦉\u0000\n\r"\\', '\ud800 alone', '\u2028\u2029\u007f', '{"kind":"bye"}\n'];
    for (const text of texts) {
      const line = { kind: 'call', to: 'n1', id: '1', ask: 'input', body: { text } } as const;
      const encoded = encodeNodeMessage(line);
      expect(encoded).toMatch(/^[\x20-\x7e]+\n$/);
      expect(decodeNodeMessage(encoded)).toEqual(line);
    }
  });

  it.each([
    '',
    '[]',
    'null',
    '{',
    '{"kind":"sung"}',
    '{"kind":"call","to":1}',
    '{"kind":"session","sessionId":"s"}',
  ])('that this version does not know is left out: %s', (text) => {
    expect(decodeNodeMessage(text)).toBeNull();
  });
});
