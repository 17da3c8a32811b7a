// Deeper than anything that is meant, and far from where parsers, writers and databases run out of stack.
const MAX_DEPTH = 200;

/** Whether a JSON value has lists or objects in each other more than 200 levels deep. Without recursion. */
export function isNestedTooDeeply(value: unknown): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) return true;
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []));
  }
  return false;
}
