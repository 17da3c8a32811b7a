import { setImmediate } from 'node:timers/promises';

/** A form's fields by name, in their order; a list where a name stands several times. */
export type FormFields = ReadonlyMap<string, string | readonly string[]>;

// One or two milliseconds of work.
const SLICE_CHARACTERS = 16_384;

/**
 * Reads a form (`application/x-www-form-urlencoded`) in slices, between which other requests get their turn: a megabyte
 * of small fields takes some 50 ms.
 */
export async function readForm(text: string): Promise<FormFields> {
  const slices = readFormSlices(text);
  for (;;) {
    const slice = slices.next();
    if (slice.done === true) return slice.value;
    await setImmediate();
  }
}

/** Reads one slice of a form per step; returns its fields after the last one. */
export function* readFormSlices(text: string): Generator<undefined, FormFields, undefined> {
  // Gathered in one pass: `getAll` searches the whole form for every name. A list only where a name stands several times:
  // forms may have a hundred thousand fields.
  const fields = new Map<string, string | string[]>();
  for (let from = 0; from < text.length; yield) {
    const found = text.indexOf('&', from + SLICE_CHARACTERS);
    const end = found < 0 ? text.length : found;
    addFields(fields, text.slice(from, end));
    from = end + 1;
  }
  return fields;
}

function addFields(fields: Map<string, string | string[]>, slice: string): void {
  // The constructor takes a leading question mark off, which in a form is part of the first name.
  for (const [name, value] of new URLSearchParams(`?${withValues(slice)}`)) {
    const found = fields.get(name);
    if (found === undefined) fields.set(name, value);
    else if (typeof found === 'string') fields.set(name, [found, value]);
    else found.push(value);
  }
}

const FIELD_WITHOUT_VALUE = /(?:^|&)[^=&]+(?:&|$)/;

/** The same form with a `=` in every field: Node takes quadratic time for fields without one. */
function withValues(form: string): string {
  if (!FIELD_WITHOUT_VALUE.test(form)) return form;
  const fields = form.split('&');
  return fields.map((field) => (field === '' || field.includes('=') ? field : `${field}=`)).join('&');
}
