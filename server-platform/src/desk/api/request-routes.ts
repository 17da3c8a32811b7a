import { randomUUID } from 'node:crypto';
import type * as v from 'valibot';
import { deskNotes, queryBuilder } from '../../db/index.ts';
import { DeskError, listPeople, noteSeen, REFUSALS, writeAudit } from '../../staff/index.ts';
import { listQueues } from '../queues.ts';
import type { RequestStep } from '../request-state.ts';
import { type DeskRequest, findRequest, setTags } from '../requests.ts';
import { type DeskCall, type DeskRoute, deskRoute } from './desk-call.ts';
import {
  detailsView,
  messageSchema,
  noteSchema,
  returnSchema,
  sentView,
  tagsSchema,
  transferSchema,
  typingSchema,
} from './desk-schemas.ts';
import { openDeskStream } from './desk-stream.ts';
import { viewDetails } from './desk-views.ts';
import { answerStream, makeRoomForStream, readCursor } from './person-stream.ts';
import { canSee, followRights } from './rights.ts';

/** Finds the request of the path if the person may see it. */
async function needRequest(call: DeskCall<unknown>, id = call.params['id'] ?? ''): Promise<DeskRequest> {
  const request = await findRequest(call.server.database, call.person.accountId, id);
  if (request === null || !canSee(call.person, request)) throw REFUSALS.noRequest();
  return request;
}

/** The same, if it is the person's own conversation. */
async function needOwn(call: DeskCall<unknown>): Promise<DeskRequest> {
  const request = await needRequest(call);
  if (request.status !== 'accepted') throw REFUSALS.tooLate();
  if (request.personId !== call.person.id) throw REFUSALS.notYours();
  return request;
}

async function step(call: DeskCall<unknown>, taken: RequestStep, isOwn: boolean): Promise<object> {
  const { server, person, params } = call;
  const { id = '' } = params;
  // A person whose stream is not open yet counts as present.
  if (taken.type === 'accept' || taken.type === 'take')
    await noteSeen(server.database, person.id, server.clock.now());
  const isDone = await server.desk.step(person.accountId, id, taken, person, isOwn ? person.id : null);
  if (!isDone) throw REFUSALS.tooLate();
  return {};
}

async function transfer(call: DeskCall<v.InferOutput<typeof transferSchema>>) {
  const { server, person, body } = call;
  const own = await needOwn(call);
  const queueId = body.queue_id ?? own.queueId;
  const queues = await listQueues(server.database, person.accountId);
  if (!queues.some(({ id }) => id === queueId))
    throw new DeskError(404, 'NOT_FOUND', 'There is no such queue: see queues of the inbox.');
  const toPersonId = body.person_id ?? null;
  if (toPersonId !== null) {
    const people = await listPeople(server.database, person.accountId);
    const to = people.find(({ id }) => id === toPersonId);
    if (to === undefined || to.id === person.id || to.disabledAtMs !== null)
      throw new DeskError(
        404,
        'NOT_FOUND',
        'There is no such person to transfer to: see people of the inbox.',
      );
  }
  const passed = await step(call, { type: 'transfer', queueId, toPersonId }, true);
  if (body.note !== undefined) await addNote(call, own.sessionId, body.note);
  return passed;
}

/** Stores a private note about a session. Resolves with its id. */
async function addNote(
  { server, person }: Pick<DeskCall<unknown>, 'server' | 'person'>,
  sessionId: string,
  text: string,
): Promise<string> {
  const [id, createdAt] = [randomUUID(), server.clock.now()];
  await queryBuilder(server.database)
    .insert(deskNotes)
    .values({ id, sessionId, personName: person.name, text, createdAt });
  server.desk.announce(person.accountId);
  return id;
}

async function openStream(call: DeskCall<unknown>): Promise<Response> {
  const { server, person, signIn, query, headers } = call;
  const id = query.get('request_id');
  const request = id === null ? null : await needRequest(call, id);
  makeRoomForStream(server.streams, person.id);
  const stream = openDeskStream({
    ...server,
    person,
    shown: request === null ? null : { request, cursor: readCursor(headers, request.id, query.get('after')) },
    ...followRights(server, { signIn, role: 'agent', requestId: id }),
    onSlowReader: server.countSlowReader,
    onClose: () => server.streams.delete(stream),
  });
  server.streams.add(stream);
  return answerStream(stream);
}

const onRequest = (name: string) => ({ method: 'POST', path: `/requests/{id}/${name}` }) as const;

/** The calls about conversations. */
export const REQUEST_ROUTES: readonly DeskRoute[] = [
  deskRoute(
    {
      ...{ id: 'deskStream', method: 'GET', path: '/stream', streams: 'text/event-stream' },
      summary:
        'Server-sent events: `inbox` (all of it, when it has changed), and of the conversation of `request_id`: `entry` (its log, after `Last-Event-ID` or `after`) and `typing`. `closed` has a reason and is the last one: of more than five streams of a person the oldest is closed. While one is open, its person is there.',
    },
    openStream,
  ),
  deskRoute(
    {
      ...{ id: 'deskRequestGet', method: 'GET', path: '/requests/{id}' },
      summary: 'A conversation beside its transcript: notes, tags, the state of the agent, the survey.',
      answer: detailsView,
    },
    async (call) => {
      const { database, clock } = call.server;
      return await viewDetails(database, call.person, await needRequest(call), clock.now());
    },
  ),
  deskRoute(
    { id: 'deskAccept', ...onRequest('accept'), summary: 'Accept an offer.' },
    async (call) => await step(call, { type: 'accept', personId: call.person.id }, false),
  ),
  deskRoute(
    { id: 'deskDecline', ...onRequest('decline'), summary: 'Decline an offer: the next person gets it.' },
    async (call) => await step(call, { type: 'decline', personId: call.person.id }, false),
  ),
  deskRoute(
    {
      ...{ id: 'deskTake', ...onRequest('take') },
      summary: 'Take what waits; supervisors take any conversation over.',
    },
    async (call) => {
      await needRequest(call);
      // Availability is checked under the lock, because two people may press at the same time.
      const isTakeOver = call.person.role !== 'agent';
      return await step(call, { type: 'take', personId: call.person.id, isTakeOver }, false);
    },
  ),
  deskRoute(
    {
      ...{ id: 'deskTransfer', ...onRequest('transfer') },
      summary: 'Give a conversation to another queue, or offer it to a person first.',
      body: transferSchema,
    },
    transfer,
  ),
  deskRoute(
    {
      ...{ id: 'deskReturn', ...onRequest('return') },
      summary: 'Return a conversation to the automated agent, with a summary for it.',
      body: returnSchema,
    },
    async (call) => {
      const { sessionId } = await needOwn(call);
      const { summary } = call.body;
      const returned = await step(call, { type: 'return', summary }, true);
      if (summary !== undefined) await addNote(call, sessionId, summary);
      return returned;
    },
  ),
  deskRoute({ id: 'deskEnd', ...onRequest('end'), summary: 'End a conversation.' }, async (call) => {
    await needOwn(call);
    return await step(call, { type: 'end' }, true);
  }),
  deskRoute(
    {
      ...{ id: 'deskMessage', ...onRequest('messages') },
      summary: 'Send a message. Sent again with the same `id`, it is stored once.',
      body: messageSchema,
      answer: sentView,
    },
    async (call) => {
      const { server, person, body } = call;
      const sent = await server.desk.say(await needOwn(call), person, body.id, body.text);
      if (sent === null) throw REFUSALS.tryAgain();
      if (sent === 'over') throw REFUSALS.tooLate();
      return { message_id: sent };
    },
  ),
  deskRoute(
    {
      ...{ id: 'deskTyping', ...onRequest('typing') },
      summary: 'Show the visitor that the person types.',
      body: typingSchema,
    },
    async (call) => {
      await call.server.desk.type(await needOwn(call), call.person, call.body.state);
      return {};
    },
  ),
  deskRoute(
    {
      ...{ id: 'deskNote', ...onRequest('notes') },
      summary: 'Add a private note, which visitors never see.',
      body: noteSchema,
    },
    async (call) => {
      const { sessionId } = await needRequest(call);
      return { id: await addNote(call, sessionId, call.body.text) };
    },
  ),
  deskRoute(
    {
      ...{ id: 'deskTags', method: 'PUT', path: '/requests/{id}/tags' },
      summary: 'Set the tags.',
      body: tagsSchema,
    },
    async (call) => {
      const { server, person, body } = call;
      const { id, accountId } = await needRequest(call);
      await setTags(server.database, id, body.tags);
      const entry = { accountId, actor: person.email, action: 'set_tags', subject: id };
      await writeAudit(server.database, entry, server.clock.now());
      server.desk.announce(accountId);
      return {};
    },
  ),
];
