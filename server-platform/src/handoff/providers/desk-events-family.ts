import { accountIdSchema, handoffGetOperation, type Operation, projectIdSchema } from '@natter/sdk';
import type { RestFamily, RestServices } from '../../api/rest/index.ts';
import { projectRoute, RestError } from '../../api/rest/index.ts';
import { deskEventSchema } from './desk-event.ts';
import { createNotifyHandoff } from './notify-handoff.ts';
import type { OpenHandoffs } from './open-handoffs.ts';

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
  const tell = createNotifyHandoff({ open: openHandoffs, ask: 'desk event', wakeSession, peers, clock });
  const route = projectRoute(
    {
      operation: deskEventOperation,
      permissions: ['handoff'],
      projectFrom: 'path',
      body: deskEventSchema,
    },
    async ({ project, params, body: event }) => {
      const told = await tell({ handoffId: params['handoff_id'] ?? '', projectId: project.id, event });
      if (told.status === 'told') return told.messageId === null ? {} : { message_id: told.messageId };
      if (told.status === 'unknown') throw new RestError(404, 'NOT_FOUND', 'Handoff not found');
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
