import { randomUUID } from 'node:crypto';
import { HEAD_BYTES, identifyFile } from '@natter/server-kit/file-types';
import type * as v from 'valibot';
import { deskNotes, queryBuilder } from '../../db/index.ts';
import { DeskError, HEAVY_COST, listPeople, noteSeen, REFUSALS, writeAudit } from '../../staff/index.ts';
import { messageKeyOf } from '../desk.ts';
import { dropFile, keepFile, MAX_FILE_BYTES, MAX_FILES, toAttachment } from '../desk-files.ts';
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
async function requireRequest(call: DeskCall<unknown>, id = call.params['id'] ?? ''): Promise<DeskRequest> {
  const request = await findRequest(call.server.database, call.person.accountId, id);
  if (request === null || !canSee(call.person, request)) throw REFUSALS.noRequest();
  return request;
}

/** Returns the request of the path. Rejects if the conversation is not assigned to the calling person. */
async function requireOwnRequest(call: DeskCall<unknown>): Promise<DeskRequest> {
  const request = await requireRequest(call);
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
  const own = await requireOwnRequest(call);
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

/** Stores a file, and sends the message to which it is attached. */
async function sendFile(call: DeskCall): Promise<object> {
  const { server, person, query, file: content, headers } = call;
  const id = query.get('id') ?? '';
  if (id === '' || id.length > 100) throw new DeskError(400, 'INVALID', 'id must have 1 to 100 characters');
  const own = await requireOwnRequest(call);
  const file = identifyFile(readFileName(headers), content.subarray(0, HEAD_BYTES));
  if (file === null)
    throw new DeskError(
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      'Files of this type can’t be sent. Send a picture, a PDF, a text or a document.',
    );
  const { database, clock, desk } = server;
  const messageKey = messageKeyOf(own, person, id);
  const kept = await keepFile(database, own.sessionId, messageKey, { ...file, content }, clock.now());
  if (kept === null) throw REFUSALS.tooLate();
  if (kept === 'full')
    throw new DeskError(409, 'TOO_MANY_FILES', `A conversation can have at most ${MAX_FILES} files.`);
  const attachment = toAttachment({ ...file, id: kept.id }, server.publicUrl ?? call.origin);
  const sent = await desk.say(own, person, id, { text: '', attachments: [attachment] });
  if (sent === 'over' && kept.isNew) await dropFile(database, kept.id);
  return readSent(sent);
}

function readSent(sent: string | 'over' | null): { readonly message_id: string } {
  if (sent === null) throw REFUSALS.tryAgain();
  if (sent === 'over') throw REFUSALS.tooLate();
  return { message_id: sent };
}

function readFileName(headers: Headers): string {
  try {
    return decodeURIComponent(headers.get('x-natter-file-name') ?? '').slice(0, 1_000);
  } catch {
    throw new DeskError(400, 'INVALID', 'X-Natter-File-Name must be URL-encoded text');
  }
}

async function openStream(call: DeskCall<unknown>): Promise<Response> {
  const { server, person, signIn, query, headers } = call;
  const id = query.get('request_id');
  const request = id === null ? null : await requireRequest(call, id);
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
      return await viewDetails(database, call.person, await requireRequest(call), clock.now());
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
      await requireRequest(call);
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
      const { sessionId } = await requireOwnRequest(call);
      const { summary } = call.body;
      const returned = await step(call, { type: 'return', summary }, true);
      if (summary !== undefined) await addNote(call, sessionId, summary);
      return returned;
    },
  ),
  deskRoute({ id: 'deskEnd', ...onRequest('end'), summary: 'End a conversation.' }, async (call) => {
    await requireOwnRequest(call);
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
      const sent = await server.desk.say(await requireOwnRequest(call), person, body.id, { text: body.text });
      return readSent(sent);
    },
  ),
  deskRoute(
    {
      ...{ id: 'deskFile', ...onRequest('files'), cost: HEAVY_COST, maxFileBytes: MAX_FILE_BYTES },
      summary: `Send a file or picture to the visitor: the body is the file, of at most ${MAX_FILE_BYTES} bytes; the header X-Natter-File-Name its name, URL-encoded. PNG, JPEG, GIF, WebP, AVIF, PDF, plain text, CSV, and documents of word processors and spreadsheets; ${MAX_FILES} in a conversation. Query: id (sent again with the same one, it is stored once).`,
      answer: sentView,
    },
    sendFile,
  ),
  deskRoute(
    {
      ...{ id: 'deskTyping', ...onRequest('typing') },
      summary: 'Show the visitor that the person types.',
      body: typingSchema,
    },
    async (call) => {
      await call.server.desk.type(await requireOwnRequest(call), call.person, call.body.state);
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
      const { sessionId } = await requireRequest(call);
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
      const { id, accountId } = await requireRequest(call);
      await setTags(server.database, id, body.tags);
      const entry = { accountId, actor: person.email, action: 'set_tags', subject: id };
      await writeAudit(server.database, entry, server.clock.now());
      server.desk.announce(accountId);
      return {};
    },
  ),
];
