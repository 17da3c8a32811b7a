import { isFields } from '../protocol/index.ts';

/**
 * True for an object whose fields named in `example` have the same types (string or number); other fields are ignored.
 */
export function hasShape<Value extends object>(value: unknown, example: Value): value is Value {
  return (
    isFields(value) && Object.entries(example).every(([key, field]) => typeof value[key] === typeof field)
  );
}
