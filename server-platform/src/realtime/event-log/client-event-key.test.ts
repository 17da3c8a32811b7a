import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clientEventKey } from './client-event-key.ts';

describe('the key of a draft id', () => {
  it('keeps a short printable draft id as its key', () => {
    expect(clientEventKey('5f0c0c3e-6d0c-4a55-9a3e-2f4f1c3b7a10')).toBe(
      '5f0c0c3e-6d0c-4a55-9a3e-2f4f1c3b7a10',
    );
  });

  it('makes keys that fit the index and that PostgreSQL accepts', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 1_024 }), (id) => {
        expect(clientEventKey(id)).toMatch(/^[\x20-\x7e]{1,128}$/);
      }),
    );
  });

  it('makes different keys for different ids, even for lone surrogates and for an id that looks like a key', () => {
    const ids = ['', '\ud800', '\ud801', '\ufffd', 'a\u0000', 'a', 'x'.repeat(129), clientEventKey('\ud800')];
    expect(new Set(ids.map(clientEventKey)).size).toBe(ids.length);
  });
});
