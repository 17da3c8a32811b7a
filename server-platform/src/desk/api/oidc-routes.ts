import * as v from 'valibot';
import {
  addSignIn,
  DeskError,
  findPeopleAt,
  listSlugs,
  readKnownDevice,
  writeAudit,
  writeDeviceCookie,
  writeSignInCookie,
} from '../../staff/index.ts';
import type { DeskRoute } from './desk-call.ts';
import { signInOptionsView } from './desk-schemas.ts';

const COOKIE = '__Host-natter-oidc';
const TRANSACTION_SECONDS = 600;
const CONSOLE = '/console/';

const transactionSchema = v.object({
  state: v.string(),
  nonce: v.string(),
  verifier: v.string(),
  /** The account that was chosen; absent: none was. */
  account: v.exactOptional(v.string()),
});
type Transaction = v.InferOutput<typeof transactionSchema>;

// Sent with navigation from the provider's page, so it cannot be strict.
const writeTransaction = (transaction: Transaction | null): string => {
  const value = transaction === null ? '' : Buffer.from(JSON.stringify(transaction)).toString('base64url');
  const age = transaction === null ? 0 : TRANSACTION_SECONDS;
  return `${COOKIE}=${value}; Path=/; Max-Age=${age}; Secure; HttpOnly; SameSite=Lax`;
};

function readTransaction(cookies: string | null): Transaction | null {
  for (const part of (cookies ?? '').split(';')) {
    const [name, value = ''] = part.trim().split('=', 2);
    if (name !== COOKIE) continue;
    try {
      const read = v.safeParse(transactionSchema, JSON.parse(Buffer.from(value, 'base64url').toString()));
      if (read.success) return read.output;
    } catch {
      // Not our cookie: the sign-in starts again.
    }
  }
  return null;
}

function redirect(to: string, ...cookies: readonly string[]): Response {
  const response = new Response(null, { status: 302, headers: { Location: to } });
  for (const cookie of cookies) response.headers.append('Set-Cookie', cookie);
  return response;
}

/** Back to the sign-in page, which says why. */
const refuse = (reason: 'failed' | 'not_verified' | 'unknown_person'): Response =>
  redirect(`${CONSOLE}?sign_in=${reason}`, writeTransaction(null));

/** Back to the sign-in page, which asks for one of the accounts that the address is in. */
const askForAccount = (slugs: readonly string[]): Response =>
  redirect(
    `${CONSOLE}?${new URLSearchParams({ sign_in: 'account_needed', accounts: slugs.join(',') })}`,
    writeTransaction(null),
  );

/** The calls that sign people in at the OpenID provider of the configuration. */
export const OIDC_ROUTES: readonly DeskRoute[] = [
  {
    ...{ id: 'deskSignInOptions', method: 'GET', path: '/sign-in-options', isPublic: true },
    summary: 'How people can sign in: oidc is the name of the OpenID provider, or null.',
    answer: signInOptionsView,
    handle: async ({ server }) => ({ oidc: server.oidc?.name ?? null }),
  },
  {
    ...{ id: 'deskOidcStart', method: 'GET', path: '/oidc/start', isPublic: true, isNavigation: true },
    summary:
      'Send the browser to the OpenID provider, for a sign-in to the account of `account` where one is named.',
    async handle({ server, address, query }) {
      if (server.oidc === null)
        throw new DeskError(404, 'NOT_FOUND', 'The configuration has no OpenID provider (oidc).');
      server.limitOidc(address);
      try {
        const { url, transaction } = await server.oidc.start();
        const account = query.get('account');
        const chosen = account === null ? transaction : { ...transaction, account: account.slice(0, 100) };
        return redirect(url.href, writeTransaction(chosen));
      } catch (error) {
        server.onFailure('reach the OpenID provider', error);
        return refuse('failed');
      }
    },
  },
  {
    ...{ id: 'deskOidcCallback', method: 'GET', path: '/oidc/callback', isPublic: true, isNavigation: true },
    summary:
      'The OpenID provider redirects the browser to this address. People are identified by their verified email address.',
    async handle({ server, address, headers, query }) {
      const { oidc, database, clock } = server;
      const cookies = headers.get('cookie');
      const transaction = readTransaction(cookies);
      if (oidc === null || transaction === null) return refuse('failed');
      server.limitOidc(address);
      const outcome = await oidc.finish(query, transaction).catch((error: unknown) => {
        server.onFailure('sign a person in with the OpenID provider', error);
        return null;
      });
      if (outcome === null) return refuse('failed');
      if (outcome.status === 'not_verified') return refuse('not_verified');
      const known = await findPeopleAt(database, outcome.email, transaction.account ?? null);
      const people = known.filter(({ disabledAtMs }) => disabledAtMs === null);
      const [person] = people;
      if (person === undefined) return refuse('unknown_person');
      if (people.length > 1) return askForAccount(await listSlugs(database, people));
      const nowMs = clock.now();
      const token = await addSignIn(database, person.id, nowMs);
      const { accountId, email } = person;
      await writeAudit(database, { accountId, actor: email, action: 'sign_in_oidc', subject: email }, nowMs);
      const device = readKnownDevice(cookies, person) === null ? [writeDeviceCookie(person)] : [];
      return redirect(CONSOLE, writeSignInCookie(token), writeTransaction(null), ...device);
    },
  },
];
