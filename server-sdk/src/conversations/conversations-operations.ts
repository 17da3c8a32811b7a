import type { Operation } from '../http/operation.ts';
import { nonEmptyText } from '../schema/fields.ts';
import type { Schema } from '../schema/object-of.ts';
import { projectIdSchema, projectPathParameters } from '../schema/path-ids.ts';
import { conversationDetailSchema } from './conversation-detail.ts';
import {
  conversationsPageV1Schema,
  conversationsPageV2Schema,
  conversationsPageV3Schema,
} from './conversations-page.ts';
import { type ConversationsVersion, conversationsQuerySchema } from './conversations-query.ts';

function listOperation(version: ConversationsVersion, summary: string, page: Schema<unknown>): Operation {
  return {
    id: `conversationsList${version.toUpperCase()}`,
    family: 'conversations',
    service: 'runtime',
    method: 'GET',
    path: `/${version}/{account_id}/{project_id}/conversations`,
    summary,
    keyHeader: 'x-api-key',
    needsConnectorToken: false,
    repeatability: 'always',
    pathParameters: projectPathParameters,
    query: conversationsQuerySchema(version),
    success: { status: 200, description: 'A page of conversations.', schema: page },
    errors: [400, 401, 403, 404, 500],
    errorShape: 'E',
  };
}

/** `GET …/{version}/{account_id}/{project_id}/conversations`. Source: 4.1. */
export const conversationsListOperations: Readonly<Record<ConversationsVersion, Operation>> = {
  v1: listOperation('v1', 'List conversations (v1, unsupported from 2026-08-31).', conversationsPageV1Schema),
  v2: listOperation('v2', 'List conversations (v2).', conversationsPageV2Schema),
  v3: listOperation('v3', 'List or search conversations.', conversationsPageV3Schema),
};

/** `GET …/v1/agents/{agentId}/conversations/{conversationId}`. Source: 4.4. */
export const conversationGetOperation: Operation = {
  id: 'conversationGet',
  family: 'conversations',
  service: 'monitoring',
  method: 'GET',
  path: '/v1/agents/{agentId}/conversations/{conversationId}',
  summary: 'One conversation by its id.',
  keyHeader: 'x-api-key',
  needsConnectorToken: false,
  repeatability: 'always',
  pathParameters: { agentId: projectIdSchema, conversationId: nonEmptyText('Conversation id.') },
  success: { status: 200, description: 'The conversation.', schema: conversationDetailSchema },
  errors: [400, 401, 403, 404, 500],
  errorShape: 'E',
};
