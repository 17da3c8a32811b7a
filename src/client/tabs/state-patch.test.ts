import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { append, createAppendMap, entriesOf } from '../conversation/transcript/append-map.ts';
import { applyPatch, createPatch } from './state-patch.ts';

/** A state as exchanged between tabs: plain data that shares unchanged parts with the previous state. */
const part = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(null, undefined, Infinity, 0, 1, '', 'a', 'ab', 'abc'),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'length', 'set', 'fields'), tie('value'), {
      noNullPrototype: true,
    }),
  ),
})).value;

/** Simulates the copy that a channel makes. */
const send = <Value>(value: Value): Value => structuredClone(value);

describe('a patch', () => {
  it('patches one state into the other in a tab with a copy, without changing the copy', () => {
    fc.assert(
      fc.property(part, part, (before, after) => {
        const copy = send(before);
        const patch = createPatch(before, after);
        const patched = patch ? applyPatch(copy, send(patch)) : copy;
        expect(patched).toEqual(after);
        expect(copy).toEqual(before);
      }),
    );
  });

  it('patches a map that grows, forks and restarts', () => {
    const step = fc.record({ isAnew: fc.boolean(), isOlder: fc.boolean(), key: fc.nat(4), value: fc.nat() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        let [older, state] = [createAppendMap<number, number>(), createAppendMap<number, number>()];
        let copy: unknown = send(state);
        for (const { isAnew, isOlder, key, value } of steps) {
          const base = isOlder ? older : state;
          const next = isAnew && isOlder ? createAppendMap<number, number>() : append(base, key, value);
          const patch = createPatch(state, next);
          if (patch) copy = applyPatch(copy, send(patch));
          [older, state] = [state, next];
          expect(entriesOf(copy as typeof state)).toEqual(entriesOf(state));
        }
      }),
    );
  });

  it('creates no patch for equal states, and otherwise one with only the differences', () => {
    const shared = { list: [1, 2, 3] };
    expect(createPatch({ shared, text: 'a' }, { shared: { list: [1, 2, 3] }, text: 'a' })).toBeNull();
    expect(createPatch({ shared, text: 'Hel' }, { shared, text: 'Hello' })).toEqual({
      fields: { text: { append: 'lo' } },
    });
    expect(createPatch([shared, { id: 1 }], [shared, { id: 2 }, 'new'])).toEqual({
      fields: { 1: { fields: { id: { set: 2 } } }, 2: { set: 'new' } },
      length: 3,
    });
  });
});
