import { describe, expect, it } from 'vitest';
import { readErrorText } from '../index.ts';

describe('readErrorText', () => {
  it('takes the first string of the three places an error text may stand', () => {
    expect(readErrorText({ message: 'a', error: 'b', error_message: 'c' })).toBe('a');
    expect(readErrorText({ message: 5, error: 'b', error_message: 'c' })).toBe('b');
    expect(readErrorText({ error: null, error_message: 'c' })).toBe('c');
  });

  it('finds nothing in bodies of another shape', () => {
    for (const body of [null, 'text', [], {}, { error: {} }]) expect(readErrorText(body)).toBeNull();
  });
});
