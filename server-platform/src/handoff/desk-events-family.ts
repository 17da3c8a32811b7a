import { accountIdSchema, handoffGetOperation, type Operation, projectIdSchema } from '@natter/sdk';
import { RestError } from '../rest/rest-error.ts';
import { projectRoute } from '../rest/rest-route.ts';
import type { RestFamily, RestServices } from '../rest/rest-services.ts';
import { deskEventSchema, isLastEvent, tellSession } from './desk-event.ts';
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

/** The way back of the HTTP desk, see `http-desk.ts`. */
export function createDeskEventsFamily({ openHandoffs, wakeSession }: RestServices): RestFamily {
  const route = projectRoute(
    {
      operation: deskEventOperation,
      permissions: ['handoff'],
      projectFrom: 'path',
      body: deskEventSchema,
    },
    async ({ project, params, body }) => {
      const handoffId = params['handoff_id'] ?? '';
      const sessionId = OpenHandoffs.sessionOf(handoffId);
      // After a restart nobody may have needed the session yet.
      if (sessionId !== null && openHandoffs.get(handoffId) === null && !(await wakeSession(sessionId)))
        throw elsewhere();
      const handoff = openHandoffs.get(handoffId);
      if (handoff === null || handoff.projectId !== project.id)
        throw new RestError(404, 'NOT_FOUND', 'Handoff not found');
      if (isLastEvent(body)) openHandoffs.remove(handoffId);
      const messageId = await tellSession(handoff.session, body);
      return messageId === null ? {} : { message_id: messageId };
    },
  );
  return { routes: [route] };
}

/** The load balancer may choose better the next time, and a node that died lets go within seconds. */
function elsewhere(): RestError {
  return new RestError(429, 'RATE_LIMITED', 'Another node has this conversation; try again', {
    headers: { 'Retry-After': '1' },
  });
}
