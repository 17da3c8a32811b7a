import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonListReader } from './json-list-reader.ts';

/** Cuts a text at the given places. */
const cut = (text: string, at: readonly number[]): readonly string[] => {
  const places = [0, ...at.map((place) => place % (text.length + 1)).sort((a, b) => a - b), text.length];
  return places.slice(1).map((end, index) => text.slice(places[index], end));
};

const read = (pieces: readonly string[]): { items: unknown[]; rest: unknown; hasList: boolean } => {
  const reader = new JsonListReader('conversations');
  const items = pieces.flatMap((piece) => reader.push(piece));
  return { items, rest: reader.end(), hasList: reader.hasList };
};

const cuts = fc.array(fc.nat({ max: 500 }), { maxLength: 12 });

describe('reading a list while it arrives', () => {
  it('yields what JSON.parse would, however the text is cut', () => {
    fc.assert(
      fc.property(
        fc.array(fc.jsonValue()),
        fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true }),
        cuts,
        fc.constantFrom(undefined, 2, '\t\n\r '),
        (conversations, before, at, space) => {
          const { conversations: _, ...others } = before;
          const text = JSON.stringify({ ...others, conversations, cursor: null }, null, space);
          const { conversations: expected, ...rest } = JSON.parse(text);
          expect(read(cut(text, at))).toEqual({ items: expected, rest, hasList: true });
        },
      ),
    );
  });

  it('refuses exactly the objects that JSON.parse refuses', () => {
    const soup = fc.string({
      unit: fc.constantFrom(
        '{',
        '}',
        '[',
        ']',
        ',',
        ':',
        '"',
        '\\',
        '1',
        '-',
        ' ',
        'null',
        '"conversations"',
        '"a"',
      ),
      maxLength: 14,
    });
    const isObject = (text: string): boolean => {
      try {
        const value: unknown = JSON.parse(text);
        return typeof value === 'object' && value !== null && !Array.isArray(value);
      } catch {
        return false;
      }
    };
    const isRead = (text: string, at: readonly number[]): boolean => {
      try {
        read(cut(text, at));
        return true;
      } catch (error) {
        expect(error).toBeInstanceOf(SyntaxError);
        return false;
      }
    };
    fc.assert(
      fc.property(
        fc.oneof(
          soup,
          soup.map((inner) => `{"conversations":[${inner}]}`),
          soup.map((inner) => `{${inner}}`),
        ),
        cuts,
        (text, at) => {
          expect(isRead(text, at)).toBe(isObject(text));
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('yields an item as soon as its last character has arrived', () => {
    const reader = new JsonListReader('conversations');
    expect(reader.push('{"descriptions":{"x":[1]},"conversations":[{"id":"a}"')).toEqual([]);
    expect(reader.push('}')).toEqual([{ id: 'a}' }]);
    expect(reader.push(',{"id":"b"},{"id"')).toEqual([{ id: 'b' }]);
    expect(reader.isComplete).toBe(false);
    expect(reader.push(':"c"}],"cursor":"n"}')).toEqual([{ id: 'c' }]);
    expect(reader.end()).toEqual({ descriptions: { x: [1] }, cursor: 'n' });
  });

  it('distinguishes a missing list from an empty one', () => {
    expect(read(['{"cursor":null}']).hasList).toBe(false);
    expect(read(['{"conversations":null}']).hasList).toBe(false);
    expect(read(['{"conversations":[ ]}']).hasList).toBe(true);
  });
});
