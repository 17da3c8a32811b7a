import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clientEventKey } from './client-event-key.ts';

describe('the key of a draft id', () => {
  it('is a short printable id itself', () => {
    expect(clientEventKey('5f0c0c3e-6d0c-4a55-9a3e-2f4f1c3b7a10')).toBe(
      '5f0c0c3e-6d0c-4a55-9a3e-2f4f1c3b7a10',
    );
  });

  it('fits the index and holds nothing that PostgreSQL refuses', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 1_024 }), (id) => {
        expect(clientEventKey(id)).toMatch(/^[\x20-\x7e]{1,128}$/);
      }),
    );
  });

  it('differs for different ids, also for two halves of surrogate pairs and for an id that looks like a key', () => {
    const ids = ['', '\ud800', '\ud801', '\ufffd', 'a\u0000', 'a', 'x'.repeat(129), clientEventKey('\ud800')];
    expect(new Set(ids.map(clientEventKey)).size).toBe(ids.length);
  });
});
