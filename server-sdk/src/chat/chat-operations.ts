import type { Operation } from '../http/operation.ts';
import { oneOf } from '../schema/fields.ts';
import { projectPathParameters } from '../schema/path-ids.ts';
import {
  chatCloseBodySchema,
  chatClosedSchema,
  chatCreateBodySchema,
  chatCreatedSchema,
  chatReplySchema,
  chatRespondBodySchema,
} from './chat-schemas.ts';

const shared = {
  family: 'chat',
  service: 'runtime',
  keyHeader: 'X-API-KEY',
  needsConnectorToken: true,
  pathParameters: {
    version: oneOf('All three behave the same.', ['v1', 'v2', 'v3']),
    ...projectPathParameters,
  },
  errorShape: 'E',
} as const;

/** `POST …/chat/create`. Source: 3.1. */
export const chatCreateOperation: Operation = {
  ...shared,
  id: 'chatCreate',
  method: 'POST',
  path: '/{version}/{account_id}/{project_id}/chat/create',
  summary: 'Start a conversation.',
  repeatability: 'when-refused',
  body: { isRequired: false, schema: chatCreateBodySchema },
  success: { status: 200, description: 'The conversation and its first text.', schema: chatCreatedSchema },
  errors: [400, 401, 403, 404, 500],
};

/** `POST …/chat/respond`. Source: 3.2. */
export const chatRespondOperation: Operation = {
  ...shared,
  id: 'chatRespond',
  method: 'POST',
  path: '/{version}/{account_id}/{project_id}/chat/respond',
  summary: "Say something and get the agent's turn.",
  repeatability: 'when-refused',
  body: { isRequired: true, schema: chatRespondBodySchema },
  success: { status: 200, description: "The agent's turn.", schema: chatReplySchema },
  errors: [400, 401, 403, 404, 410, 500],
};

/** `PUT …/chat/close`. Closing an ended conversation is a success too, so it may be repeated. Source: 3.3. */
export const chatCloseOperation: Operation = {
  ...shared,
  id: 'chatClose',
  method: 'PUT',
  path: '/{version}/{account_id}/{project_id}/chat/close',
  summary: 'Close a conversation.',
  repeatability: 'always',
  body: { isRequired: true, schema: chatCloseBodySchema },
  success: { status: 200, description: 'The conversation is closed.', schema: chatClosedSchema },
  errors: [400, 401, 403, 404, 500],
};
