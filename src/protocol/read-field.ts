/** A JSON object with unchecked fields. Reading them is safe: no name of the protocol is a property of `Object.prototype`. */
export type Fields = Readonly<Record<string, unknown>>;

// This layer is type-checked without a host library. Every runtime has this one host object.
declare const URL: { canParse(text: string): boolean };

/** Returns true for a JSON object: not `null`, not an array. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reads a string; `null` for any other type. Source: ENV-3. */
export function readString(fields: Fields, key: string): string | null {
  const value = fields[key];
  return typeof value === 'string' ? value : null;
}

/** Reads a number without its fraction; `null` for any other type. Source: ENV-3. */
export function readInteger(fields: Fields, key: string): number | null {
  const value = fields[key];
  return typeof value === 'number' && Number.isFinite(value) ? Math.trunc(value) : null;
}

/** Returns true only for the JSON value `true`. */
export function readFlag(fields: Fields, key: string): boolean {
  return fields[key] === true;
}

/** Reads an `http` or `https` URL as it was written; `null` for any other value. Source: ENV-7. */
export function readUrl(fields: Fields, key: string): string | null {
  const text = readString(fields, key);
  // A long host of non-ASCII letters takes quadratic time to parse; valid hosts have at most 253 characters.
  return text && /^\s*https?:(?![\\/]*[^\\/?#]{256})/i.test(text) && URL.canParse(text) ? text : null;
}

/** Reads the objects of a list and leaves out other elements; empty for any other value. Source: OBJ-1, OBJ-2. */
export function readObjects(fields: Fields, key: string): readonly Fields[] {
  const value = fields[key];
  return Array.isArray(value) ? value.filter(isFields) : [];
}

/** Reads the strings of a list and leaves out other elements; undefined for any other value. */
export function readStrings(fields: Fields, key: string): readonly string[] | undefined {
  const value = fields[key];
  return Array.isArray(value) ? value.filter((element) => typeof element === 'string') : undefined;
}

/** Reads a nested object; empty for any other value. */
export function readFields(fields: Fields, key: string): Fields {
  const value = fields[key];
  return isFields(value) ? value : {};
}

/** Reads the string entries of `metadata.custom`; `null` without such an object. Source: MET-3. */
export function readCustom(frame: Fields): Readonly<Record<string, string>> | null {
  const custom = readFields(frame, 'metadata')['custom'];
  if (!isFields(custom)) return null;
  return Object.fromEntries(
    Object.entries(custom).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
