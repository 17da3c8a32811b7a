/** A JSON object whose fields nobody has looked at yet. Only names of the protocol are read, none of which a prototype has. */
export type Fields = Readonly<Record<string, unknown>>;

// This layer is type-checked without any host library. URL is the one host object it needs, present
// in every browser, worker and server runtime.
declare const URL: { canParse(text: string): boolean };

/** True for a JSON object: not null, not an array. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A string, else null: no other type is turned into one. Source: ENV-3. */
export function readString(fields: Fields, key: string): string | null {
  const value = fields[key];
  return typeof value === 'string' ? value : null;
}

/** A whole number (fractions cut off), else null. Source: ENV-3. */
export function readInteger(fields: Fields, key: string): number | null {
  const value = fields[key];
  return typeof value === 'number' && Number.isFinite(value) ? Math.trunc(value) : null;
}

/** True only for the JSON value `true`. */
export function readFlag(fields: Fields, key: string): boolean {
  return fields[key] === true;
}

/** An `http` or `https` URL as it was written, else null. Source: ENV-7. */
export function readUrl(fields: Fields, key: string): string | null {
  const text = readString(fields, key);
  // A host of thousands of other letters takes quadratic time to read; none has more than 253.
  return text && /^\s*https?:(?![\\/]*[^\\/?#]{256})/i.test(text) && URL.canParse(text) ? text : null;
}

/** The objects of a list; elements of another kind are left out, anything but a list is empty. Source: OBJ-1, OBJ-2. */
export function readObjects(fields: Fields, key: string): readonly Fields[] {
  const value = fields[key];
  return Array.isArray(value) ? value.filter(isFields) : [];
}

/** A nested object, else an empty one. */
export function readFields(fields: Fields, key: string): Fields {
  const value = fields[key];
  return isFields(value) ? value : {};
}

/** The string entries of `metadata.custom`; null when there is no such object. Source: MET-3. */
export function readCustom(frame: Fields): Readonly<Record<string, string>> | null {
  const custom = readFields(frame, 'metadata')['custom'];
  if (!isFields(custom)) return null;
  return Object.fromEntries(
    Object.entries(custom).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
