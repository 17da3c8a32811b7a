import { describe, expect, it } from 'vitest';
import { loadVectors } from '../../test/load-vectors.ts';
import { parseCursor, writeCursor } from './index.ts';

const vectors = loadVectors<{
  readonly parse: readonly {
    readonly name: string;
    readonly value: string | null;
    readonly expect: number;
  }[];
  readonly query: readonly { readonly name: string; readonly query: string; readonly expect: number }[];
  readonly write: readonly {
    readonly name: string;
    readonly highest_sequence: number;
    readonly expect_parameter: string | null;
  }[];
}>('cursor');

describe('the cursor follows its vectors', () => {
  it.each(vectors.parse)('reads the cursor of the vector "$name"', ({ value, expect: expected }) => {
    expect(parseCursor(value).cursor).toBe(expected);
  });

  it.each(vectors.query)('reads the cursor from a query: $name', ({ query, expect: expected }) => {
    expect(parseCursor(new URLSearchParams(query).get('cursor')).cursor).toBe(expected);
  });

  it.each(vectors.write)(
    'writes the cursor of the vector "$name"',
    ({ highest_sequence, expect_parameter }) => {
      expect(writeCursor(highest_sequence)).toBe(expect_parameter);
    },
  );
});

describe('parseCursor', () => {
  it('distinguishes a missing cursor from an unreadable one', () => {
    expect(parseCursor(null).isValid).toBe(true);
    expect(parseCursor('x').isValid).toBe(false);
  });
});
