import * as v from 'valibot';
import { isRecord } from './is-record.ts';
import { parseTime } from './iso-time.ts';
import { NO_JSON_FORM, toJson } from './json-form.ts';
import type { Schema } from './object-of.ts';

/** A string of any length. */
export const text = (description: string, message = 'must be a string'): Schema<string> =>
  v.pipe(v.string(message), v.description(description));

/** A non-empty string. */
export const nonEmptyText = (description: string, message = 'must be a non-empty string'): Schema<string> =>
  v.pipe(v.string(message), v.nonEmpty(message), v.description(description));

/** A string of `min` to `max` characters, counted as JSON Schema counts them: by code points. */
export const boundedText = (description: string, min: number, max: number): Schema<string> => {
  const message = `must be a string of ${min} to ${max} characters`;
  const fits = (value: string): boolean => {
    const { length } = [...value];
    return length >= min && length <= max;
  };
  return v.pipe(
    v.string(message),
    v.check(fits, message),
    v.metadata({ description, json: { minLength: min, maxLength: max } }),
  );
};

/** A string of a given form. */
export const patternText = (description: string, pattern: RegExp, message: string): Schema<string> =>
  v.pipe(v.string(message), v.regex(pattern, message), v.description(description));

/** One of a few strings. */
export const oneOf = <const Value extends string>(
  description: string,
  values: readonly Value[],
  message: string = `must be one of: ${values.join(', ')}`,
): Schema<Value> => v.pipe(v.picklist(values, message), v.description(description));

/** A boolean. */
export const flag = (description: string): Schema<boolean> =>
  v.pipe(v.boolean('must be a boolean'), v.description(description));

/** A whole number in a range; out-of-range values are refused, not clamped (C-10). */
export const integer = (
  description: string,
  min: number,
  max: number = Number.MAX_SAFE_INTEGER,
  message: string = max === Number.MAX_SAFE_INTEGER
    ? `must be an integer of ${min} or more`
    : `must be an integer between ${min} and ${max}`,
): Schema<number> =>
  v.pipe(
    v.number(message),
    v.integer(message),
    v.minValue(min, message),
    v.maxValue(max, message),
    v.description(description),
  );

/** Any number. */
export const decimal = (description: string): Schema<number> =>
  v.pipe(v.number('must be a number'), v.description(description));

/** A time in a response, kept as text. */
export const moment = (description: string): Schema<string> =>
  v.pipe(v.string('must be a time'), v.metadata({ description, json: { format: 'date-time' } }));

/** A time as accepted from callers: ISO 8601 text, or a date. */
export type TimeInput = string | Date;

// An unescaped "+" in a query means a space.
const LOST_PLUS = /^\d{4}-\d{2}-\d{2}[Tt ][\d:.,]+ \d{2}(?::?\d{2})?$/;

/** A time in a request: parses ISO 8601 to milliseconds since 1970. Source: C-11. */
export const requestTime = (description: string): v.GenericSchema<TimeInput, number> => {
  const message = 'must be an ISO 8601 time';
  return v.pipe(
    v.string(message),
    v.check(
      (value) => parseTime(value) !== null,
      ({ input }) => (LOST_PLUS.test(input) ? `${message}; write the "+" of its offset as %2B` : message),
    ),
    v.metadata({ description, json: { format: 'date-time' } }),
    v.transform((value) => parseTime(value) ?? Number.NaN),
  );
};

/**
 * Stops at the first fault, for lists and maps: a response names one fault of them, while a body may contain half a
 * million.
 */
export const untilFault = <Value>(schema: Schema<Value>): Schema<Value> =>
  v.config(schema, { abortEarly: true });

/** A list. */
export const listOf = <Item>(description: string, item: Schema<Item>): Schema<readonly Item[]> =>
  v.pipe(untilFault(v.array(item, 'must be a list')), v.description(description));

/** An object with values of one kind. */
export const mapOf = <Value>(
  description: string,
  value: Schema<Value>,
  message = 'must be a JSON object',
): Schema<Readonly<Record<string, Value>>> =>
  v.pipe(
    v.unknown(),
    v.check(isRecord, message),
    untilFault(v.record(v.string(), value, message)),
    v.description(description),
  );

/** An object with any fields, kept unchanged. */
export const freeMap = (
  description: string,
  message = 'must be a JSON object',
): Schema<Readonly<Record<string, unknown>>> =>
  v.pipe(
    v.custom<Readonly<Record<string, unknown>>>(isRecord, message),
    v.metadata({ description, json: { type: 'object', additionalProperties: true } }),
  );

/** A free object whose JSON is at most `maxBytes` bytes of UTF-8. */
export const boundedMap = (
  description: string,
  maxBytes: number,
): Schema<Readonly<Record<string, unknown>>> =>
  v.pipe(
    freeMap(description),
    v.check((value) => toJson(value) !== null, NO_JSON_FORM),
    v.check((value) => jsonBytes(value) <= maxBytes, `must be at most ${maxBytes} bytes of JSON`),
  );

/** A default that is documented here and applied by the value's user. */
export const withDefault = <Value>(schema: Schema<Value>, value: Value): Schema<Value> =>
  v.pipe(schema, v.metadata({ json: { default: value } }));

/** Null, or a value of the schema. */
export const orNull = <Value>(schema: Schema<Value>): Schema<Value | null> => v.nullable(schema);

const jsonBytes = (value: unknown): number => new TextEncoder().encode(toJson(value) ?? '').byteLength;
