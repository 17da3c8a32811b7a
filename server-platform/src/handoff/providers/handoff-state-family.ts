import { type HandoffState, handoffGetOperation, handoffStateQuerySchema } from '@natter/sdk';
import { and, desc, eq, isNotNull } from 'drizzle-orm';
import type { RestFamily, RestServices } from '../../api/rest/index.ts';
import { projectRoute, RestError } from '../../api/rest/index.ts';
import { conversations, queryBuilder, type Sql } from '../../db/index.ts';

/** Handoff state: the record of a hand-off. Source: section 14. */
export function createHandoffStateFamily({ database }: RestServices): RestFamily {
  const route = projectRoute(
    {
      operation: handoffGetOperation,
      permissions: ['handoff'],
      projectFrom: 'path',
      query: handoffStateQuerySchema,
    },
    async ({ project, query }) => {
      const state = await findState(database, project.id, query);
      if (state !== null) return state;
      throw new RestError(404, 'HANDOFF_STATE_NOT_FOUND', 'Handoff state not found');
    },
  );
  return { routes: [route] };
}

/** The shared id wins; of several conversations that share it, the one handed off last. Source: HS-2. */
async function findState(
  sql: Sql,
  projectId: string,
  query: { readonly id?: string | undefined; readonly shared_id?: string | undefined },
): Promise<HandoffState | null> {
  // An empty one counts as not given (HS-1). No text of the database can hold U+0000.
  const [column, value = ''] = query.shared_id
    ? [conversations.sharedId, query.shared_id]
    : [conversations.id, query.id];
  if (value.includes('\0')) return null;
  const [row] = await queryBuilder(sql)
    .select({
      id: conversations.id,
      sharedId: conversations.sharedId,
      reason: conversations.handoffReason,
      destination: conversations.handoffDestination,
      data: conversations.handoffData,
    })
    .from(conversations)
    .where(and(eq(conversations.projectId, projectId), eq(column, value), isNotNull(conversations.handoffAt)))
    .orderBy(desc(conversations.handoffAt), desc(conversations.id))
    .limit(1);
  if (row === undefined) return null;
  const { id, sharedId, reason, destination, data } = row;
  // Values of the agent logic stay unchanged. Source: HS-3.
  return {
    id,
    ...(sharedId !== null && { shared_id: sharedId }),
    data: {
      ...(reason && { handoff_reason: reason }),
      ...(destination && { handoff_destination: destination }),
      ...data,
    },
  };
}
