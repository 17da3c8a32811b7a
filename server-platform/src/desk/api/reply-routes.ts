import { randomUUID } from 'node:crypto';
import { and, eq, sql as fragment, type SQL } from 'drizzle-orm';
import { lockAccount } from '../../accounts/index.ts';
import { deskReplies, queryBuilder, storableText } from '../../db/index.ts';
import { DeskError, REFUSALS } from '../../staff/index.ts';
import { findRequest } from '../requests.ts';
import { type DeskRoute, deskRoute } from './desk-call.ts';
import { repliesView, replySchema } from './desk-schemas.ts';
import { viewReplies } from './desk-views.ts';
import { noteInAudit } from './note-in-audit.ts';
import { canSee } from './rights.ts';

/** Canned replies of an account: all of them are in one answer. */
const MAX_REPLIES = 500;

/** Compares texts, because an id in a path may be no UUID. */
const isReply = (accountId: string, id: string): SQL | undefined =>
  and(
    eq(deskReplies.accountId, accountId),
    eq(fragment`${deskReplies.id}::text`, storableText(id).toLowerCase()),
  );

/** The calls about canned replies. */
export const REPLY_ROUTES: readonly DeskRoute[] = [
  deskRoute(
    {
      ...{ id: 'deskReplies', method: 'GET', path: '/replies' },
      summary: 'The canned replies; with `request_id` those in its language, filled in for the conversation.',
      answer: repliesView,
    },
    async ({ server, person, query }) => {
      const id = query.get('request_id');
      const request = id === null ? null : await findRequest(server.database, person.accountId, id);
      if (id !== null && (request === null || !canSee(person, request))) throw REFUSALS.noRequest();
      return { replies: await viewReplies(server.database, person, request) };
    },
  ),
  deskRoute(
    {
      ...{ id: 'deskReplyAdd', method: 'POST', path: '/replies', role: 'supervisor' },
      summary: `Add a canned reply; an account has at most ${MAX_REPLIES}.`,
      body: replySchema,
    },
    async (call) => {
      const { server, person, body } = call;
      const id = randomUUID();
      const { accountId } = person;
      await server.database.tx(async (sql) => {
        await lockAccount(sql, accountId);
        const build = queryBuilder(sql);
        if ((await build.$count(deskReplies, eq(deskReplies.accountId, accountId))) >= MAX_REPLIES)
          throw new DeskError(
            409,
            'TOO_MANY_REPLIES',
            `An account can have at most ${MAX_REPLIES} canned replies.`,
          );
        await build.insert(deskReplies).values({ id, accountId, ...body, createdAt: server.clock.now() });
      });
      await noteInAudit(call, 'add_reply', body.name);
      return { id };
    },
  ),
  deskRoute(
    {
      ...{ id: 'deskReplyChange', method: 'PUT', path: '/replies/{id}', role: 'supervisor' },
      summary: 'Change a canned reply.',
      body: replySchema,
    },
    async (call) => {
      const { server, person, params, body } = call;
      const changed = await queryBuilder(server.database)
        .update(deskReplies)
        .set(body)
        .where(isReply(person.accountId, params['id'] ?? ''))
        .returning({ id: deskReplies.id });
      if (changed.length === 0) throw new DeskError(404, 'NOT_FOUND', 'There is no such reply.');
      await noteInAudit(call, 'change_reply', body.name);
      return {};
    },
  ),
  deskRoute(
    {
      ...{ id: 'deskReplyRemove', method: 'DELETE', path: '/replies/{id}', role: 'supervisor' },
      summary: 'Remove a canned reply.',
    },
    async (call) => {
      const { server, person, params } = call;
      const [reply] = await queryBuilder(server.database)
        .delete(deskReplies)
        .where(isReply(person.accountId, params['id'] ?? ''))
        .returning({ name: deskReplies.name });
      if (reply === undefined) throw new DeskError(404, 'NOT_FOUND', 'There is no such reply.');
      await noteInAudit(call, 'remove_reply', reply.name);
      return {};
    },
  ),
];
