import { accountIdSchema, handoffGetOperation, type Operation, projectIdSchema } from '@natter/sdk';
import { isPeerError } from '../bus/index.ts';
import { sleep } from '../clock.ts';
import type { RestFamily, RestServices } from '../rest/index.ts';
import { projectRoute, RestError } from '../rest/index.ts';
import { type DeskEvent, deskEventSchema, isLastEvent, tellSession } from './desk-event.ts';
import { OpenHandoffs } from './open-handoffs.ts';

/** What another system says about a hand-off. Ours: the contract leaves the desk to the platform. */
const deskEventOperation: Operation = {
  ...handoffGetOperation,
  id: 'deskEventSend',
  method: 'POST',
  path: '/v1/{account_id}/{project_id}/handoffs/{handoff_id}/events',
  summary: 'Tell a conversation what happens at the desk.',
  repeatability: 'when-refused',
  pathParameters: { account_id: accountIdSchema, project_id: projectIdSchema, handoff_id: projectIdSchema },
  body: { isRequired: true, schema: deskEventSchema },
  success: { status: 200, description: 'It is told, in order.' },
  errors: [400, 401, 403, 404, 500],
};

/** What telling a hand-off came to, here or on the node that has it. */
type Told =
  | { readonly status: 'told'; readonly messageId: string | null }
  | { readonly status: 'unknown' }
  /** Nothing was told: another node has the conversation, `owner` if that is known. */
  | { readonly status: 'elsewhere'; readonly owner: string | null };

interface Telling {
  readonly handoffId: string;
  readonly projectId: string;
  readonly event: DeskEvent;
}

// A conversation that changes its node is somewhere again in a moment.
const ATTEMPTS = 3;
const RETRY_MS = 200;
const ANSWER_MS = 5_000;

/** What the way back of the HTTP desk is built from. */
export interface DeskServices extends RestServices {
  /** The hand-offs that other systems may talk to. */
  readonly openHandoffs: OpenHandoffs;
}

/** The way back of the HTTP desk, see `http-desk.ts`. */
export function createDeskEventsFamily({
  openHandoffs,
  wakeSession,
  peers,
  clock,
}: DeskServices): RestFamily {
  const tellHere = async ({ handoffId, projectId, event }: Telling): Promise<Told> => {
    const sessionId = OpenHandoffs.sessionOf(handoffId);
    // After a restart nobody may have needed the session yet.
    if (sessionId !== null && openHandoffs.get(handoffId) === null) {
      const place = await wakeSession(sessionId);
      if (place.status === 'elsewhere') return place;
    }
    const handoff = openHandoffs.get(handoffId);
    if (handoff === null || handoff.projectId !== projectId) return { status: 'unknown' };
    const messageId = await tellSession(handoff.session, event);
    if (messageId === null && openHandoffs.get(handoffId) !== handoff) {
      // Closed meanwhile: the visitor has left, or another node has taken the session and this one stored nothing.
      return { status: 'elsewhere', owner: null };
    }
    if (isLastEvent(event)) openHandoffs.remove(handoffId);
    return { status: 'told', messageId };
  };
  peers.answer('desk event', (body) => tellHere(body as Telling));

  const tell = async (telling: Telling): Promise<Told> => {
    const told = await tellHere(telling);
    if (told.status !== 'elsewhere' || told.owner === null) return told;
    try {
      return (await peers.call(told.owner, 'desk event', telling, ANSWER_MS)) as Told;
    } catch (error) {
      // It was not sent. What may have been told is not told again, and the caller hears of a failure.
      if (isPeerError(error) && error.code === 'unreachable') return told;
      throw error;
    }
  };

  const route = projectRoute(
    {
      operation: deskEventOperation,
      permissions: ['handoff'],
      projectFrom: 'path',
      body: deskEventSchema,
    },
    async ({ project, params, body: event }) => {
      const telling = { handoffId: params['handoff_id'] ?? '', projectId: project.id, event };
      for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
        const told = await tell(telling);
        if (told.status === 'told') return told.messageId === null ? {} : { message_id: told.messageId };
        if (told.status === 'unknown') throw new RestError(404, 'NOT_FOUND', 'Handoff not found');
        if (attempt < ATTEMPTS) await sleep(clock, RETRY_MS);
      }
      throw elsewhere();
    },
  );
  return { routes: [route] };
}

/** On its way from one node to another, which takes seconds when a node died. */
function elsewhere(): RestError {
  return new RestError(429, 'RATE_LIMITED', 'Another node has this conversation; try again', {
    headers: { 'Retry-After': '1' },
  });
}
