import { type HandoffState, handoffGetOperation, handoffStateQuerySchema } from '@natter/sdk';
import type { Sql } from '../db/index.ts';
import { RestError } from '../rest/rest-error.ts';
import { projectRoute } from '../rest/rest-route.ts';
import type { RestFamily, RestServices } from '../rest/rest-services.ts';

type StateRow = {
  readonly id: string;
  readonly shared_id: string | null;
  readonly handoff_reason: string;
  readonly handoff_destination: string;
  readonly handoff_data: Readonly<Record<string, unknown>> | null;
};

/** Handoff state: what was stored when a conversation was handed off. Source: section 14. */
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
  const [column, value = ''] = query.shared_id ? ['shared_id', query.shared_id] : ['id', query.id];
  if (value.includes('\0')) return null;
  const [row] = await sql.query<StateRow>(
    `SELECT id, shared_id, handoff_reason, handoff_destination, handoff_data
       FROM conversations
      WHERE project_id = $1 AND ${column} = $2 AND handoff_at IS NOT NULL
      ORDER BY handoff_at DESC, id DESC LIMIT 1`,
    [projectId, value],
  );
  return row === undefined ? null : readRow(row);
}

/** Source: HS-3; what the agent logic put there is left as it is. */
function readRow(row: StateRow): HandoffState {
  return {
    id: row.id,
    ...(row.shared_id !== null && { shared_id: row.shared_id }),
    data: {
      ...(row.handoff_reason !== '' && { handoff_reason: row.handoff_reason }),
      ...(row.handoff_destination !== '' && { handoff_destination: row.handoff_destination }),
      ...row.handoff_data,
    },
  };
}
