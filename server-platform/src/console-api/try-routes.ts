import { generateAudioBodySchema, reserveNumberBodySchema } from '@natter/sdk';
import * as v from 'valibot';
import { readNumberPool, reserveNumber } from '../api/numbers/index.ts';
import { listOpenWaits, receiveExternalEvent } from '../realtime/external-events/index.ts';
import { DeskError } from '../staff/index.ts';
import { audit, type ConsoleRoute, consoleRoute } from './console-call.ts';

const attributes = v.record(v.string(), v.unknown());

/** The pool of a project. */
const numberListView = v.object({
  total: v.number(),
  reserved_total: v.number(),
  /** The first ones whose reservation runs out. */
  reserved: v.array(v.object({ number: v.string(), until: v.string(), attributes: attributes })),
});

/** External events that conversations wait for. */
const waitListView = v.object({
  waits: v.array(
    v.object({
      event_id: v.string(),
      conversation_id: v.string(),
      /** The agent's name for the event. */
      name: v.string(),
      expires_at: v.string(),
    }),
  ),
});

const eventSchema = v.object({
  event_id: v.pipe(v.string('must be a text'), v.nonEmpty('must not be empty')),
  json: attributes,
});

// Pools and waits may be large; the page needs only some of them.
const MOST_LISTED = 50;

// The page takes the path alone: it may know the platform by another name than the outside does.
const ANY_ORIGIN = 'http://console';

const EVENT_REFUSALS = {
  not_valid: () =>
    new DeskError(
      400,
      'SCHEMA_VALIDATION_FAILED',
      'External event id not valid. Send an id that the agent gave out in the last hour, for this project, in a conversation that has not ended.',
    ),
  too_many: () => new DeskError(429, 'RATE_LIMITED', 'The conversation has all the events that it may have.'),
} as const;

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
      const pool = await readNumberPool(database, id, { nowMs: clock.now(), limit: MOST_LISTED });
      return {
        total: pool.total,
        reserved_total: pool.reservedTotal,
        reserved: pool.reserved.map(({ untilMs, ...each }) => ({ ...each, until: iso(untilMs) })),
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
      const { database, clock, settings } = call.server;
      const dni = await reserveNumber(database, (await call.findProject()).id, call.body.attributes, {
        nowMs: clock.now(),
        forSeconds: settings.dniReservationSeconds,
      });
      if (dni === null)
        throw new DeskError(
          404,
          'NOT_FOUND',
          'no available route found. Every number of the pool is reserved, or there is none: try again when a reservation has run out, or add numbers to the pool.',
        );
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
      const { id } = await findProject();
      const waits = await listOpenWaits(database, id, { nowMs: clock.now(), limit: MOST_LISTED });
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
      const { event_id: eventId, json: data } = call.body;
      const { id: projectId } = await call.findProject();
      const event = { eventId, projectId, contentType: 'application/json', data };
      const outcome = await receiveExternalEvent(call.server, event);
      if (outcome !== 'received') throw EVENT_REFUSALS[outcome]();
      await audit(call, 'send_external_event', eventId);
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
      const { server, correlationId, signal, body } = call;
      const project = await call.findProject();
      const preview = { project, origin: ANY_ORIGIN, correlationId, signal };
      const { pathname, search } = new URL(await server.speakPreview(preview, body));
      await audit(call, 'make_voice_preview', project.slug);
      return { path: pathname + search };
    },
  ),
];
