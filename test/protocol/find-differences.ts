// Values that differ each time, by format. Two values of one format count as equal.
const FORMS: readonly RegExp[] = [
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/,
  /^(msg|survey)_[0-9a-f]{32}$/,
  /^ctx_[\w-]{32}$/,
  /^eyJ[\w-]+\.[\w-]+\.[\w-]+$/,
  /^CONV-[0-9A-Z]{26}$/,
  /^(ACCOUNT|PROJECT)-\w+$/,
  /^ar_\w{22}$/,
  /^whe_\w+$/,
  /^whs_[\w-]{43}$/,
  /^https?:\/\/[^/]+\/audio\/\S+$/,
  // A duration in seconds.
  /^\d+$/,
];

/** Keys of numbers that depend on earlier calls, or on the duration of a call. */
const COUNTS: ReadonlySet<string> = new Set([
  'sequence',
  'last_sequence',
  'latency',
  'total_duration',
  'platform_duration',
  'totalDuration',
  'platformDuration',
  'duration',
]);

/**
 * Returns each difference between an answer and its example, one per line. Ids, tokens and times only need the same
 * format, and counters only need to be numbers.
 */
export function findDifferences(example: unknown, actual: unknown, path = ''): readonly string[] {
  if (Array.isArray(example) && Array.isArray(actual)) {
    if (example.length !== actual.length) return [`${path}: ${actual.length} entries, not ${example.length}`];
    return example.flatMap((item, index) => findDifferences(item, actual[index], `${path}[${index}]`));
  }
  if (isObject(example) && isObject(actual)) {
    const keys = new Set([...Object.keys(example), ...Object.keys(actual)]);
    return [...keys].flatMap((key) => findDifferences(example[key], actual[key], `${path}.${key}`));
  }
  const key = path.split('.').at(-1) ?? '';
  const isAlike =
    Object.is(example, actual) ||
    (typeof example === 'number' &&
      typeof actual === 'number' &&
      (COUNTS.has(key) || path.includes('.erased.'))) ||
    (typeof example === 'string' &&
      typeof actual === 'string' &&
      FORMS.some((form) => form.test(example) && form.test(actual)));
  return isAlike ? [] : [`${path}: ${JSON.stringify(actual)}, not ${JSON.stringify(example)}`];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
