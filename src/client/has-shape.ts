import { isFields } from '../protocol/index.ts';

type NameOf<Value> = Value extends string ? 'string' : 'number';

/** The type of every field of a flat object of strings and numbers. */
export type Shape<Value> = { readonly [Key in keyof Value]: NameOf<Value[Key]> };

/** True for an object that has these fields, whatever else it has. */
export function hasShape<Value>(value: unknown, shape: Shape<Value>): value is Value {
  return isFields(value) && Object.entries<string>(shape).every(([key, type]) => typeof value[key] === type);
}
