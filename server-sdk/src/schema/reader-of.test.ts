import * as v from 'valibot';
import { expect, it } from 'vitest';
import { decimal, flag, integer, listOf, mapOf, nonEmptyText, oneOf, orNull, text } from './fields.ts';
import { objectOf } from './object-of.ts';
import { orElse, readerOf, repaired, withVendorNames } from './reader-of.ts';

const part = objectOf('Part', 'A part.', { id: text('Id.'), colour: v.optional(oneOf('Colour.', ['red'])) });
const schema = withVendorNames(
  { amount: 'vendorAmount' },
  objectOf('Thing', 'A thing.', {
    id: nonEmptyText('Id.'),
    kind: oneOf('Kind.', ['a', 'b']),
    amount: integer('Amount.', 1, 5),
    note: v.optional(text('Note.')),
    owner: orNull(text('Owner.')),
    parent: v.optional(orNull(text('Parent.'))),
    label: orElse('', text('Label.')),
    ratio: v.optional(repaired((raw) => (typeof raw === 'number' ? raw : undefined), decimal('Ratio.'))),
    isOn: flag('On.'),
    parts: orElse([], listOf('Parts.', part)),
    names: mapOf('Names.', orNull(text('Name.'))),
  }),
);
const bare = { id: 'x', kind: 'a', amount: 2, isOn: true, names: {} };
const read = (over: Readonly<Record<string, unknown>>): unknown =>
  v.parse(readerOf(schema), { ...bare, ...over });
const isRead = (over: Readonly<Record<string, unknown>>): boolean =>
  v.safeParse(readerOf(schema), { ...bare, ...over }).success;

it("reads a strict writer's object unchanged", () => {
  const whole = { ...bare, note: 'n', owner: 'o', parent: 'p', label: 'l', ratio: 1.5, parts: [{ id: '1' }] };
  expect(v.parse(readerOf(schema), whole)).toEqual(v.parse(schema, whole));
});

it.each<[Readonly<Record<string, unknown>>, Readonly<Record<string, unknown>>]>([
  [{}, { owner: null, label: '', parts: [] }],
  [{ future: 1 }, {}],
  [
    { note: null, ratio: null, label: null, parts: null },
    { label: '', parts: [] },
  ],
  [
    { owner: null, parent: null },
    { owner: null, parent: null },
  ],
  [{ kind: 'c' }, { kind: 'c' }],
  [{ amount: 7.5 }, { amount: 7.5 }],
  [{ ratio: { total: 1 } }, {}],
  [
    {
      parts: [
        { id: '', colour: 'blue' },
        { id: '2', colour: null },
      ],
    },
    { parts: [{ id: '', colour: 'blue' }, { id: '2' }] },
  ],
  [{ names: { a: 'x', b: null } }, { names: { a: 'x', b: null } }],
])('reads %j from a tolerant writer', (over, expected) => {
  expect(read(over)).toEqual({ ...bare, owner: null, label: '', parts: [], ...expected });
});

it('reads a vendor’s name where the neutral one is missing', () => {
  const { amount: _, ...rest } = bare;
  expect(v.parse(readerOf(schema), { ...rest, vendorAmount: 3 })).toMatchObject({ amount: 3 });
  expect(read({ vendorAmount: 3 })).toMatchObject({ amount: 2 });
});

it.each<[Readonly<Record<string, unknown>>]>([
  [{ id: '' }],
  [{ id: 5 }],
  [{ kind: 1 }],
  [{ amount: '2' }],
  [{ isOn: undefined }],
  [{ isOn: null }],
  [{ owner: 5 }],
  [{ note: 5 }],
  [{ parts: {} }],
  [{ parts: [{}] }],
  [{ names: [] }],
  [{ names: { a: 1 } }],
])('refuses a value of another type: %j', (over) => {
  expect(isRead(over)).toBe(false);
});

it.each([[null], [[]], ['x'], [undefined]])('refuses %j as an object', (raw) => {
  expect(v.safeParse(readerOf(schema), raw).success).toBe(false);
});
