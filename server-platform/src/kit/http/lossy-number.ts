import { findEndOfString } from './find-excess.ts';

// Shorter numbers without a three-digit exponent are always exact.
const SUSPICIOUS = /^.{16}|[eE][+-]?\d{3}/;
// Longer numbers are never intended.
const MAX_CHARACTERS = 120;
// Shorter numbers are always exact, and extracting each would take longer than parsing it.
const SHORTEST = 5;
const QUOTE = 0x22;

/**
 * Returns the path of the first number in a JSON text that would change when parsed (`9007199254740993`, `1e999`), such
 * as `items.0.amount`; null when there is none. A number is exact if its value, rounded to as many digits, equals it.
 * The text must be valid JSON. Runs in one pass, without allocating a value per number.
 */
export function findLossyNumber(json: string): string | null {
  for (let index = 0; index < json.length; index += 1) {
    const unit = json.charCodeAt(index);
    if (unit === QUOTE) index = findEndOfString(json, index + 1);
    else if (isDigit(unit)) {
      const end = findEndOfNumber(json, index + 1);
      if (end - index >= SHORTEST) {
        const number = json.slice(index, end);
        if (SUSPICIOUS.test(number) && !isKept(number)) return pathOf(json, index);
      }
      index = end - 1;
    }
  }
  return null;
}

function findEndOfNumber(json: string, start: number): number {
  for (let index = start; index < json.length; index += 1)
    if (!isDigit(json.charCodeAt(index)) && !'.eE+-'.includes(json.charAt(index))) return index;
  return json.length;
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

function isKept(number: string): boolean {
  if (number.length > MAX_CHARACTERS) return false;
  const written = readDecimal(number);
  const value = Number(number);
  if (written.digits === '') return true;
  if (!Number.isFinite(value) || value === 0) return false;
  const kept = readDecimal(value.toPrecision(written.digits.length));
  return kept.digits === written.digits && kept.exponent === written.exponent;
}

/** A decimal number as its significant digits and the power of ten of the first one. */
function readDecimal(text: string): { readonly digits: string; readonly exponent: number } {
  const [, whole = '', fraction = '', power = '0'] =
    /^(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const all = `${whole}${fraction}`;
  const significant = all.replace(/^0+/, '');
  return {
    digits: significant.replace(/(?<!0)0+$/, ''),
    exponent: whole.length - (all.length - significant.length) + Number(power),
  };
}

/** Returns the keys and indexes leading to a position in a JSON text. */
function pathOf(json: string, place: number): string {
  const path: (string | number)[] = [];
  for (let index = 0; index < place; index += 1) {
    const sign = json.charAt(index);
    if (sign === '{') path.push('');
    else if (sign === '[') path.push(0);
    else if (sign === '}' || sign === ']') path.pop();
    else if (sign === ',') {
      const last = path.at(-1);
      if (typeof last === 'number') path[path.length - 1] = last + 1;
    } else if (sign === '"') {
      const end = findEndOfString(json, index + 1);
      if (/^\s*:/.test(json.slice(end + 1, place)))
        path[path.length - 1] = JSON.parse(json.slice(index, end + 1));
      index = end;
    }
  }
  return path.join('.');
}
