import type * as v from 'valibot';
import type { ConfigProblem } from './config-error.ts';

/** Turns an issue of the schema into a problem that names the field and what to write. */
export function describeIssue(issue: v.BaseIssue<unknown>): ConfigProblem {
  const keys = issue.path?.map((item) => item.key) ?? [];
  const parent = keys.slice(0, -1);
  const key = String(keys.at(-1) ?? '');
  if (issue.expected === 'never') {
    return {
      field: writePath(parent),
      message: `there is no setting "${key}"; remove it or correct its name`,
    };
  }
  if (
    issue.kind === 'schema' &&
    issue.type.includes('object') &&
    issue.received === 'undefined' &&
    key !== ''
  ) {
    return { field: writePath(parent), message: `"${key}" is missing` };
  }
  const message = issue.type.includes('object') ? 'must be an object, in braces' : issue.message;
  return { field: writePath(keys), message };
}

/** Writes a path as `accounts[0].slug`. */
function writePath(keys: readonly unknown[]): string {
  return keys
    .map((key, index) => (typeof key === 'number' ? `[${key}]` : `${index === 0 ? '' : '.'}${String(key)}`))
    .join('');
}
