import { randomBytes } from 'node:crypto';
import { AccountError } from './account-error.ts';

// Source: C-5.
const PREFIXED = /^(ACCOUNT|ws|PROJECT)-([A-Za-z0-9]+)$/;
const SLUG = /^[A-Za-z0-9][A-Za-z0-9_-]*$/;
const MAX_LENGTH = 64;

/** Makes a prefixed id, such as `PROJECT-4f0c…`. */
export function newPrefixedId(prefix: 'ACCOUNT' | 'PROJECT'): string {
  return `${prefix}-${randomBytes(10).toString('hex')}`;
}

/**
 * Returns the prefixed id and the slug that a path segment may stand for. Both may be set (`ws-blue` is a valid slug
 * too); the id is tried first. `ws-…` is another spelling of `ACCOUNT-…`. Source: C-4, C-5.
 */
export function readReference(
  kind: 'ACCOUNT' | 'PROJECT',
  reference: string,
): { readonly id: string | null; readonly slug: string | null } {
  const [, prefix, rest] = PREFIXED.exec(reference) ?? [];
  const own = prefix === 'ws' ? 'ACCOUNT' : prefix;
  return {
    id: own === kind && rest !== undefined ? `${kind}-${rest}` : null,
    slug: SLUG.test(reference) ? reference : null,
  };
}

/**
 * Formats an account's id for responses: `ACCOUNT-…`, or `ws-…` in route groups that use the vendor's names. Source:
 * C-4.
 */
export function writeAccountId(id: string, hasVendorNames: boolean): string {
  return hasVendorNames ? id.replace(/^ACCOUNT-/, 'ws-') : id;
}

/** Rejects a text that is not a prefixed id of its kind. */
export function checkId(kind: 'ACCOUNT' | 'PROJECT', id: string): string {
  if (id.length <= MAX_LENGTH && readReference(kind, id).id === id) return id;
  throw new AccountError('invalid', `The id "${id}" must be ${kind}- followed by letters and digits.`);
}

/** Rejects an invalid slug. */
export function checkSlug(slug: string): string {
  if (slug.length <= MAX_LENGTH && SLUG.test(slug)) return slug;
  throw new AccountError(
    'invalid',
    `The slug "${slug}" must be letters, digits, "-" and "_", begin with a letter or digit, and have at most ${MAX_LENGTH} characters.`,
  );
}

/** Rejects an empty or too long display name. */
export function checkName(name: string): string {
  const trimmed = name.trim();
  if (trimmed !== '' && trimmed.length <= 200) return trimmed;
  throw new AccountError('invalid', 'A name must have 1 to 200 characters.');
}
