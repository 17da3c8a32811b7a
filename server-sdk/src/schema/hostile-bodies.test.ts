import * as v from 'valibot';
import { expect, it } from 'vitest';
import { webhookEndpointBodySchemas } from '../resources/webhook-endpoints.ts';
import { listOf, mapOf } from './fields.ts';
import { closedObjectOf, objectOf, type Schema } from './object-of.ts';
import { parseBody } from './parse.ts';

const MANY = 10_000;

/** The value with a counter of entries read. */
function counted<Value extends object>(
  value: Value,
): { readonly value: Value; readonly looks: Set<PropertyKey> } {
  const looks = new Set<PropertyKey>();
  const get = (target: Value, key: PropertyKey): unknown => {
    if (Object.hasOwn(target, key) && key !== 'length') looks.add(key);
    return Reflect.get(target, key);
  };
  return { value: new Proxy(value, { get }), looks };
}

const { create } = webhookEndpointBodySchemas(false);
const list = Array.from({ length: MANY }, () => 1);
const map = Object.fromEntries(list.map((one, index) => [`name ${index}`, one]));
it.each<[string, string, Schema<unknown>, object]>([
  ['a list', 'items', objectOf('Items', '', { items: listOf('', v.string()) }), list],
  ['a map', 'items', objectOf('Items', '', { items: mapOf('', v.string()) }), map],
  ['event types', 'event_types', create, list],
  ['headers', 'headers', create, map],
])('checks few entries of %s when the first one is invalid', (_name, field, schema, wrong) => {
  const { value, looks } = counted(wrong);
  const parsed = parseBody(schema, { [field]: value });
  expect(parsed).toMatchObject({
    isOk: false,
    errors: expect.arrayContaining([{ field, message: expect.any(String) }]),
  });
  expect(looks.size).toBeLessThan(5);
});

it('names at most twenty unknown fields of a body, and checks no more of them', () => {
  const { value, looks } = counted(Object.fromEntries(Object.keys(map).map((key) => [key, 1])));
  const parsed = parseBody(closedObjectOf('Closed', '', { name: v.optional(v.string()) }), value);
  expect(parsed.isOk ? [] : parsed.errors).toHaveLength(20);
  expect(looks.size).toBeLessThan(25);
});
