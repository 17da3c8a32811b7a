import type * as v from 'valibot';
import {
  addSignIn,
  DeskError,
  HEAVY_COST,
  hashPassword,
  isDeskError,
  listAudit,
  readKnownDevice,
  removeSignIn,
  setPassword,
  setPresence,
  writeDeviceCookie,
  writeSignInCookie,
} from '../../staff/index.ts';
import { type DeskRoute, deskRoute } from './desk-call.ts';
import {
  auditView,
  foundView,
  inboxView,
  meView,
  passwordSchema,
  presenceSchema,
  signInSchema,
} from './desk-schemas.ts';
import { viewFound, viewInbox, viewMe } from './desk-views.ts';
import { noteInAudit as note } from './note-in-audit.ts';

const AUDIT_ENTRIES = 200;

const withCookie = (body: object, cookie: string): Response =>
  Response.json(body, { headers: { 'Set-Cookie': cookie } });

const signIn: DeskRoute = {
  id: 'deskSignIn',
  method: 'POST',
  path: '/sign-in',
  summary: 'Sign in. Sets the cookie that all other calls need.',
  isPublic: true,
  body: signInSchema,
  answer: meView,
  async handle({ server, body, address, headers }) {
    const credentials = body as v.InferOutput<typeof signInSchema>;
    const cookies = headers.get('cookie');
    const person = await server.checkSignIn({ ...credentials, address, cookies, signIn: null });
    const token = await addSignIn(server.database, person.id, server.clock.now());
    await note({ server, person }, 'sign_in', person.email);
    const response = withCookie(viewMe(person), writeSignInCookie(token));
    if (readKnownDevice(cookies, person) === null)
      response.headers.append('Set-Cookie', writeDeviceCookie(person));
    return response;
  },
};

/** The calls about the person who is signed in, and about what the account shares. */
export const PERSON_ROUTES: readonly DeskRoute[] = [
  signIn,
  deskRoute(
    // Not limited, so that a thief who uses up the allowance with a stolen cookie cannot prevent its owner from signing
    // out.
    { id: 'deskSignOut', method: 'POST', path: '/sign-out', summary: 'Sign out, and be away.', cost: 0 },
    async ({ server, signIn: tokenHash, person }) => {
      await removeSignIn(server.database, tokenHash);
      await setPresence(server.database, person.id, 'away');
      await server.desk.settle(person.accountId);
      await note({ server, person }, 'sign_out', person.email);
      return withCookie({}, writeSignInCookie(null));
    },
  ),
  deskRoute(
    { id: 'deskMe', method: 'GET', path: '/me', summary: 'The person who is signed in.', answer: meView },
    async ({ person }) => viewMe(person),
  ),
  deskRoute(
    {
      ...{ id: 'deskPassword', method: 'POST', path: '/password' },
      summary: 'Set a new password. Ends every other sign-in of the person.',
      body: passwordSchema,
    },
    async ({ server, person, body, signIn: tokenHash, address }) => {
      // Limited like sign-ins, so that a stolen cookie cannot reveal the password, nor many checks cause load.
      const { email } = person;
      const attempt = {
        ...{ email, account: person.accountId, password: body.current },
        ...{ address, cookies: null, signIn: tokenHash },
      };
      await server.checkSignIn(attempt).catch((error: unknown) => {
        throw isDeskError(error) && error.status === 401
          ? new DeskError(400, 'WRONG_PASSWORD', 'The current password is another one.')
          : error;
      });
      const passwordHash = await hashPassword(body.next);
      await setPassword(server.database, person.id, passwordHash, tokenHash);
      await note({ server, person }, 'set_password', person.email);
      return withCookie({}, writeDeviceCookie({ ...person, passwordHash }));
    },
  ),
  deskRoute(
    {
      ...{ id: 'deskPresence', method: 'POST', path: '/presence' },
      summary: 'Be available for offers, or away.',
      body: presenceSchema,
    },
    async ({ server, person, body }) => {
      await setPresence(server.database, person.id, body.presence);
      await note({ server, person }, body.presence, person.email);
      await server.desk.settle(person.accountId);
      return {};
    },
  ),
  deskRoute(
    {
      ...{ id: 'deskInbox', method: 'GET', path: '/inbox' },
      summary: "Waiting requests, the person's own conversations, and the people of the account.",
      answer: inboxView,
    },
    async ({ server, person }) => await viewInbox(server.database, person, server.clock.now()),
  ),
  deskRoute(
    {
      ...{ id: 'deskSearch', method: 'GET', path: '/search', cost: HEAVY_COST },
      summary:
        'The newest 20 conversations with every word of `text`, among the open ones and the last 500 that the person may see: in ids, queue, person, tags and notes; if they may read transcripts, also in messages and the metadata of the page.',
      answer: foundView,
    },
    async ({ server, person, query }) =>
      await viewFound(server.database, person, query.get('text') ?? '', server.clock.now()),
  ),
  deskRoute(
    {
      ...{ id: 'deskAudit', method: 'GET', path: '/audit', role: 'admin' },
      summary: `Audit log: the last ${AUDIT_ENTRIES} entries, newest first. \`before\` is the id of an entry: the list has older ones only.`,
      answer: auditView,
    },
    async ({ server, person, query }) => {
      const requested = Number(query.get('before') ?? Number.NaN);
      const before = Number.isSafeInteger(requested) ? requested : null;
      const entries = await listAudit(server.database, person.accountId, { before, limit: AUDIT_ENTRIES });
      return {
        entries: entries.map(({ id, actor, action, subject, atMs }) => ({
          ...{ id, actor, action, subject },
          at: new Date(atMs).toISOString(),
        })),
      };
    },
  ),
];
