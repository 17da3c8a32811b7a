import { SLICE_CHARACTERS, type Slices } from './run-in-slices.ts';

/** A form's fields by name, in order; a list for repeated names. */
export type FormFields = ReadonlyMap<string, string | readonly string[]>;

/** An undecoded form: its bytes, each as one character, and the encoding of bytes and escapes. */
export interface UnreadForm {
  readonly bytes: string;
  readonly decoder: InstanceType<typeof TextDecoder>;
}

/**
 * Reads a form (`application/x-www-form-urlencoded`) in its declared encoding. `URLSearchParams` cannot: it assumes
 * UTF-8 and inserts replacement characters. Null when something cannot be decoded.
 */
export function* readForm({ bytes, decoder }: UnreadForm): Slices<FormFields | null> {
  // Lists only for repeated names, because forms may have a hundred thousand fields.
  const fields = new Map<string, string | string[]>();
  let pause = SLICE_CHARACTERS;
  try {
    for (let from = 0; from < bytes.length; ) {
      const found = bytes.indexOf('&', from);
      const end = found < 0 ? bytes.length : found;
      if (end > from) addField(fields, bytes.slice(from, end), decoder);
      from = end + 1;
      if (from < pause) continue;
      pause = from + SLICE_CHARACTERS;
      yield;
    }
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
  return fields;
}

function addField(
  fields: Map<string, string | string[]>,
  field: string,
  decoder: UnreadForm['decoder'],
): void {
  const at = field.indexOf('=');
  const name = decode(at < 0 ? field : field.slice(0, at), decoder);
  const value = at < 0 ? '' : decode(field.slice(at + 1), decoder);
  const found = fields.get(name);
  if (found === undefined) fields.set(name, value);
  else if (typeof found === 'string') fields.set(name, [found, value]);
  else found.push(value);
}

// Text without escapes, as in nearly all names and numbers.
const PLAIN = /^[\w.-]*$/;

/** Throws a `TypeError` when the bytes are invalid in that encoding. */
function decode(text: string, decoder: UnreadForm['decoder']): string {
  if (PLAIN.test(text)) return text;
  const bytes = text
    .replaceAll('+', ' ')
    .replace(/%([\dA-Fa-f]{2})/g, (_escape, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  // Printable ASCII is the same in every encoding that a form may use.
  return /^[ -~]*$/.test(bytes) ? bytes : decoder.decode(Buffer.from(bytes, 'latin1'));
}
