/** Error text for a value that `toJson` cannot write. */
export const NO_JSON_FORM = 'must have a JSON form: no cycles, and a bigint as a string';

/** A value as JSON; null for one without a JSON form, such as a cyclic object, a bigint or `undefined`. */
export function toJson(value: unknown): string | null {
  try {
    return JSON.stringify(value) ?? null;
  } catch {
    return null;
  }
}
