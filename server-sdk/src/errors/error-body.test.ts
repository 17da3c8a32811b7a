import { describe, expect, it } from 'vitest';
import { readErrorText } from '../index.ts';

describe('readErrorText', () => {
  it('reads the error text from the first of three fields that is a string', () => {
    expect(readErrorText({ message: 'a', error: 'b', error_message: 'c' })).toBe('a');
    expect(readErrorText({ message: 5, error: 'b', error_message: 'c' })).toBe('b');
    expect(readErrorText({ error: null, error_message: 'c' })).toBe('c');
  });

  it('finds no error text in bodies of another shape', () => {
    for (const body of [null, 'text', [], {}, { error: {} }]) expect(readErrorText(body)).toBeNull();
  });
});
