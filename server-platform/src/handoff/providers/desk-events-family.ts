import {
  accountIdSchema,
  handoffGetOperation,
  type Operation,
  projectIdSchema,
  type Schema,
} from '@natter/sdk';
import * as v from 'valibot';
import type { DescribedOperation } from '../../api/openapi/index.ts';
import type { RestFamily, RestServices } from '../../api/rest/index.ts';
import { projectRoute, RestError } from '../../api/rest/index.ts';
import { deskEventSchema } from './desk-event.ts';
import { createNotifyHandoff } from './notify-handoff.ts';
import type { OpenHandoffs } from './open-handoffs.ts';

const deliveredSchema: Schema<unknown> = v.pipe(
  v.object({
    message_id: v.optional(v.pipe(v.string(), v.description('Id of the message, after a `message`.'))),
  }),
  v.metadata({ name: 'DeliveredHandoffEvent', description: 'What became of the event.' }),
);

/**
 * Receives events of an external desk about a hand-off. Natter's own call, because the contract leaves the desk to the
 * platform.
 */
const { query: _, ...common } = handoffGetOperation;
const deskEventOperation: Operation = {
  ...common,
  id: 'handoffEventSend',
  method: 'POST',
  path: '/v1/{account_id}/{project_id}/handoffs/{handoff_id}/events',
  summary: 'Send what happens at your desk to a conversation.',
  repeatability: 'when-refused',
  pathParameters: { account_id: accountIdSchema, project_id: projectIdSchema, handoff_id: projectIdSchema },
  body: { isRequired: true, schema: deskEventSchema },
  success: { status: 200, description: 'The event is delivered, in order.', schema: deliveredSchema },
  errors: [400, 401, 403, 404, 500],
};

/** The operation, for the description of all operations. */
export const DESK_EVENTS: DescribedOperation = {
  operation: deskEventOperation,
  example: {
    path: {
      account_id: 'kittiwake',
      project_id: 'web',
      handoff_id: 'ho_0f8c1c86-3a53-4bb0-9c1b-6c7f0a5f2b11_e4e952441263',
    },
    body: { type: 'message', agent: { id: '7', name: 'Grace' }, text: 'Hello!' },
    answer: { message_id: 'msg_8f14e45fceea167a5a36dedd4bea2543' },
  },
};

/** Dependencies of the HTTP desk's return route. */
export interface DeskServices extends RestServices {
  /** The hand-offs that other systems may talk to. */
  readonly openHandoffs: OpenHandoffs;
}

/** The way back of the HTTP desk, see `http-desk.ts`. */
export function createDeskEventsFamily({
  openHandoffs,
  ensureSessionLoaded,
  peers,
  clock,
}: DeskServices): RestFamily {
  const notify = createNotifyHandoff({
    open: openHandoffs,
    ask: 'desk event',
    ensureSessionLoaded,
    peers,
    clock,
  });
  const route = projectRoute(
    {
      operation: deskEventOperation,
      permissions: ['handoff'],
      projectFrom: 'path',
      body: deskEventSchema,
    },
    async ({ project, params, body: event }) => {
      const result = await notify({ handoffId: params['handoff_id'] ?? '', projectId: project.id, event });
      if (result.status === 'told') return result.messageId === null ? {} : { message_id: result.messageId };
      if (result.status === 'unknown') throw new RestError(404, 'NOT_FOUND', 'Handoff not found');
      throw elsewhere();
    },
  );
  return { routes: [route] };
}

/** The conversation is moving to another node, which takes seconds when its node died. */
function elsewhere(): RestError {
  return new RestError(429, 'RATE_LIMITED', 'Another node has this conversation; try again', {
    headers: { 'Retry-After': '1' },
  });
}
