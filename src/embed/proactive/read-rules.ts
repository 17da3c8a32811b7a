import type { ProactiveRule } from '../../widget/index.ts';

const EXAMPLE =
  'Write rules like this: [{ "id": "fares", "text": "Can we help?", "page": "/fares*", "afterSeconds": 20 }].';
const MAX_RULES = 20;
/** A BCP-47 tag, by its form. */
const TAG = /^[a-z]{2,3}(?:-[a-z0-9]{1,8})*$/i;

/** Check of the value of a field, and description of accepted values. */
interface Field {
  readonly accepts: (value: unknown) => boolean;
  readonly takes: string;
}

const isText = (value: unknown, max: number): boolean =>
  typeof value === 'string' && value.trim() !== '' && value.length <= max;
const isNumber = (value: unknown, min: number, max: number): boolean =>
  typeof value === 'number' && value >= min && value <= max;

/** A record, so that the compiler reports a missing field. */
const FIELDS: Readonly<Record<keyof ProactiveRule, Field>> = {
  id: {
    accepts: (value) => typeof value === 'string' && /^[\w.-]{1,50}$/.test(value),
    takes: 'up to 50 letters, digits, ".", "_" and "-"',
  },
  text: { accepts: (value) => isText(value, 160), takes: 'a text of at most 160 characters' },
  texts: {
    accepts: (value) =>
      typeof value === 'object' &&
      value !== null &&
      Object.entries(value).every(([tag, text]) => TAG.test(tag) && isText(text, 160)),
    takes: 'an object with languages such as "de", each with a text of at most 160 characters',
  },
  from: { accepts: (value) => isText(value, 50), takes: 'a name of at most 50 characters' },
  page: {
    accepts: (value) => isText(value, 200) && /^[/*]/.test(String(value)),
    takes: 'a path that begins with "/", with "*" for any characters',
  },
  afterSeconds: {
    accepts: (value) => isNumber(value, 0, 86_400),
    takes: 'a number of seconds from 0 to 86400',
  },
  scrollPercent: { accepts: (value) => isNumber(value, 1, 100), takes: 'a number from 1 to 100' },
  exitIntent: { accepts: (value) => typeof value === 'boolean', takes: 'true or false' },
  visits: {
    accepts: (value) => Number.isInteger(value) && isNumber(value, 1, 1_000),
    takes: 'a whole number from 1 to 1000',
  },
};
const CONDITIONS = ['page', 'afterSeconds', 'scrollPercent', 'exitIntent', 'visits'] as const;

const refuse = (fault: string): TypeError => new TypeError(`"proactive" ${fault}. ${EXAMPLE}`);
const write = (value: unknown): string => (JSON.stringify(value) ?? String(value)).slice(0, 60);

/**
 * Reads the rules of proactive messages: a list, or the JSON of one. Throws a `TypeError` that names the rule and the field
 * that cannot be used.
 */
export function readRules(input: unknown): readonly ProactiveRule[] {
  const rules = typeof input === 'string' ? parse(input) : input;
  if (!Array.isArray(rules)) throw refuse('is not a list of rules');
  if (rules.length > MAX_RULES) throw refuse(`has ${rules.length} rules; at most ${MAX_RULES} are taken`);
  const ids = new Set<unknown>();
  rules.forEach((rule, index) => {
    checkRule(rule, `has a rule ${index + 1}`);
    const { id } = rule as ProactiveRule;
    if (ids.has(id)) throw refuse(`has two rules with the id ${write(id)}; each needs its own`);
    ids.add(id);
  });
  // Checked above. A copy, because the caller may change its objects later.
  return rules.map((rule) => ({ ...(rule as ProactiveRule) }));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw refuse(`is not valid JSON: ${write(text)}`);
  }
}

function checkRule(rule: unknown, name: string): void {
  if (typeof rule !== 'object' || rule === null || Array.isArray(rule))
    throw refuse(`${name} that is not an object: ${write(rule)}`);
  const entries = Object.entries(rule).filter(([, value]) => value !== undefined);
  for (const [key, value] of entries) {
    if (!Object.hasOwn(FIELDS, key))
      throw refuse(
        `${name} with the unknown field ${write(key)}; there are ${Object.keys(FIELDS).join(', ')}`,
      );
    const { accepts, takes } = FIELDS[key as keyof ProactiveRule];
    if (!accepts(value)) throw refuse(`${name} whose "${key}" is ${write(value)}; it takes ${takes}`);
  }
  // A switch that is off is not a condition.
  const names = entries.filter(([, value]) => value !== false).map(([key]) => key);
  for (const needed of ['id', 'text'])
    if (!names.includes(needed)) throw refuse(`${name} without "${needed}"`);
  if (!CONDITIONS.some((condition) => names.includes(condition)))
    throw refuse(`${name} without a condition; it needs at least one of ${CONDITIONS.join(', ')}`);
}
