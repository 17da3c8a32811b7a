import { listContactRequests, markContactRequest } from '../../realtime/index.ts';
import { DeskError, writeAudit } from '../../staff/index.ts';
import { type DeskRoute, deskRoute } from './desk-call.ts';
import { contactListView, doneSchema } from './desk-schemas.ts';
import { viewContact } from './desk-views.ts';

const OPEN = 200;
const DONE = 50;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Calls about visitors' contact requests. */
export const CONTACT_ROUTES: readonly DeskRoute[] = [
  deskRoute(
    {
      ...{ id: 'deskContactRequests', method: 'GET', path: '/contact-requests' },
      summary: `Contact requests to answer by email: the oldest ${OPEN} open ones, then the last ${DONE} done.`,
      answer: contactListView,
    },
    async ({ server, person }) => {
      const [open, done] = await Promise.all([
        listContactRequests(server.database, person.accountId, 'open', OPEN),
        listContactRequests(server.database, person.accountId, 'done', DONE),
      ]);
      return { contact_requests: [...open, ...done].map(viewContact) };
    },
  ),
  deskRoute(
    {
      ...{ id: 'deskContactDone', method: 'PUT', path: '/contact-requests/{id}/done' },
      summary: 'Mark a visitor’s message as done or open.',
      body: doneSchema,
    },
    async ({ server, person, params, body }) => {
      const { id = '' } = params;
      const { accountId, email, name } = person;
      const nowMs = server.clock.now();
      const isMarked = await server.database.tx(async (sql) => {
        const isKnown =
          UUID.test(id) && (await markContactRequest(sql, { accountId, id }, body.done ? name : null, nowMs));
        const action = body.done ? 'contact_done' : 'contact_open';
        if (isKnown) await writeAudit(sql, { accountId, actor: email, action, subject: id }, nowMs);
        return isKnown;
      });
      if (!isMarked)
        throw new DeskError(404, 'NOT_FOUND', 'There is no such contact request: it may have been erased.');
      server.desk.announce(accountId);
      return {};
    },
  ),
];
