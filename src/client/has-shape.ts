import { isFields } from '../protocol/index.ts';

/** True for an object that has the fields of `example`, strings and numbers, of the same types; other fields are ignored. */
export function hasShape<Value extends object>(value: unknown, example: Value): value is Value {
  return (
    isFields(value) && Object.entries(example).every(([key, field]) => typeof value[key] === typeof field)
  );
}
