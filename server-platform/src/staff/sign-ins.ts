import { randomBytes } from 'node:crypto';
import { and, eq, gt, lte } from 'drizzle-orm';
import { hashToken } from '../accounts/index.ts';
import { deskSignIns, queryBuilder, type Sql } from '../db/index.ts';

/** How long a sign-in lasts: a working day and its evening. */
const SIGN_IN_MS = 16 * 3_600_000;

/** The `__Host-` prefix makes browsers refuse it without `Secure`, with a `Domain` or with another path. */
const COOKIE = '__Host-natter-desk';

/** Signs a person in and resolves with the token of the cookie. Sign-ins that have expired are removed. */
export async function addSignIn(sql: Sql, personId: string, nowMs: number): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const build = queryBuilder(sql);
  await build.delete(deskSignIns).where(lte(deskSignIns.expiresAt, nowMs));
  await build
    .insert(deskSignIns)
    .values({ tokenHash: hashToken(token), personId, createdAt: nowMs, expiresAt: nowMs + SIGN_IN_MS });
  return token;
}

/** The person of a sign-in; null when it is unknown or has ended. */
export async function findSignedIn(sql: Sql, tokenHash: string, nowMs: number): Promise<string | null> {
  const [row] = await queryBuilder(sql)
    .select({ personId: deskSignIns.personId })
    .from(deskSignIns)
    .where(and(eq(deskSignIns.tokenHash, tokenHash), gt(deskSignIns.expiresAt, nowMs)));
  return row?.personId ?? null;
}

export async function removeSignIn(sql: Sql, tokenHash: string): Promise<void> {
  await queryBuilder(sql).delete(deskSignIns).where(eq(deskSignIns.tokenHash, tokenHash));
}

/** The hash of the token in a `Cookie` header; null: there is none. */
export function readSignInCookie(header: string | null): string | null {
  for (const part of (header ?? '').split(';')) {
    const [name, value = ''] = part.trim().split('=', 2);
    if (name === COOKIE && /^[\w-]{43}$/.test(value)) return hashToken(value);
  }
  return null;
}

/** The `Set-Cookie` header that signs in; without a token the one that signs out. */
export function writeSignInCookie(token: string | null): string {
  const age = token === null ? 0 : SIGN_IN_MS / 1_000;
  return `${COOKIE}=${token ?? ''}; Path=/; Max-Age=${age}; Secure; HttpOnly; SameSite=Strict`;
}
