import { generateAudioBodySchema, reserveNumberBodySchema } from '@natter/sdk';
import { and, asc, desc, eq, gt, isNull } from 'drizzle-orm';
import * as v from 'valibot';
import { externalWaits, phoneNumbers, queryBuilder } from '../db/index.ts';
import { audit, type ConsoleRoute, consoleRoute } from './console-call.ts';

const facts = v.record(v.string(), v.unknown());

/** The pool of a project. */
const numberListView = v.object({
  total: v.number(),
  reserved_total: v.number(),
  /** The first ones whose reservation runs out. */
  reserved: v.array(v.object({ number: v.string(), until: v.string(), attributes: facts })),
});

/** What conversations wait for. */
const waitListView = v.object({
  waits: v.array(
    v.object({
      event_id: v.string(),
      conversation_id: v.string(),
      /** What the agent calls it. */
      name: v.string(),
      expires_at: v.string(),
    }),
  ),
});

const eventSchema = v.object({
  event_id: v.pipe(v.string('must be a text'), v.nonEmpty('must not be empty')),
  json: facts,
});

// Pools and waits may be large; the page needs only some of them.
const MOST_LISTED = 50;
// Where the calls of this page put the id of an event.
const EVENT_PARAMETER = 'event';

const iso = (atMs: number): string => new Date(atMs).toISOString();
const projectQuery = v.object({ project: v.optional(v.string()) });

/** The families that other systems call, to be tried from the console. */
export const TRY_ROUTES: readonly ConsoleRoute[] = [
  consoleRoute(
    {
      ...{ id: 'consoleNumbers', method: 'GET', path: '/numbers', role: 'admin' },
      summary: 'The pool of phone numbers of a project, and which of them are reserved.',
      query: projectQuery,
      answer: numberListView,
    },
    async ({ server: { database, clock }, findProject }) => {
      const { id } = await findProject();
      const isOfPool = eq(phoneNumbers.projectId, id);
      const build = queryBuilder(database);
      const isReserved = and(isOfPool, gt(phoneNumbers.reservedUntil, clock.now()));
      const reserved = await build
        .select()
        .from(phoneNumbers)
        .where(isReserved)
        .orderBy(asc(phoneNumbers.reservedUntil))
        .limit(MOST_LISTED);
      return {
        total: await build.$count(phoneNumbers, isOfPool),
        reserved_total: await build.$count(phoneNumbers, isReserved),
        reserved: reserved.map(({ number, reservedUntil, attributes }) => ({
          number,
          until: iso(reservedUntil ?? 0),
          attributes: Object(attributes ?? {}),
        })),
      };
    },
  ),
  consoleRoute(
    {
      ...{ id: 'consoleNumberReserve', method: 'POST', path: '/numbers/reserve', role: 'admin' },
      summary: 'Reserve a number for one call, with what the agent is to know then.',
      query: projectQuery,
      body: reserveNumberBodySchema,
      answer: v.object({ dni: v.string() }),
    },
    async (call) => {
      const { dni } = await (await call.findNatter()).numbers.reserve(call.body);
      await audit(call, 'reserve_number', dni);
      return { dni };
    },
  ),
  consoleRoute(
    {
      ...{ id: 'consoleEventWaits', method: 'GET', path: '/external-events', role: 'admin' },
      summary: 'The events that conversations of a project wait for, the latest first.',
      query: projectQuery,
      answer: waitListView,
    },
    async ({ server: { database, clock }, findProject }) => {
      const { eventId, conversationId, name, expiresAt, projectId, settledAt, createdAt } = externalWaits;
      const isOpen = and(isNull(settledAt), gt(expiresAt, clock.now()));
      const waits = await queryBuilder(database)
        .select({ eventId, conversationId, name, expiresAtMs: expiresAt })
        .from(externalWaits)
        .where(and(eq(projectId, (await findProject()).id), isOpen))
        .orderBy(desc(createdAt))
        .limit(MOST_LISTED);
      return {
        waits: waits.map((wait) => ({
          event_id: wait.eventId,
          conversation_id: wait.conversationId,
          name: wait.name,
          expires_at: iso(wait.expiresAtMs),
        })),
      };
    },
  ),
  consoleRoute(
    {
      ...{ id: 'consoleEventSend', method: 'POST', path: '/external-events', role: 'admin' },
      summary: 'Send an external event to a waiting conversation.',
      query: projectQuery,
      body: eventSchema,
    },
    async (call) => {
      const { event_id: id, json } = call.body;
      await (await call.findNatter()).externalEvents.send({
        event_id_location: 'querystring',
        ...{ event_id_path: EVENT_PARAMETER, event_id: id, content: { json } },
      });
      await audit(call, 'send_external_event', id);
      return {};
    },
  ),
  consoleRoute(
    {
      ...{ id: 'consoleVoicePreview', method: 'POST', path: '/voice-preview', role: 'admin' },
      summary: 'Speak a text. The answer has the path of the audio, which is there for ten minutes.',
      query: projectQuery,
      body: generateAudioBodySchema,
      answer: v.object({ path: v.string() }),
    },
    async (call) => {
      const { url } = await (await call.findNatter()).voice.generateAudio(call.body, { signal: call.signal });
      // The platform may be known to the outside by another name than the page was opened at.
      const { pathname, search } = new URL(url);
      await audit(call, 'make_voice_preview', (await call.findProject()).slug);
      return { path: pathname + search };
    },
  ),
];
