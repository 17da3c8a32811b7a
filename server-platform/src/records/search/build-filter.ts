import type { ConversationsQuery } from '@natter/sdk';
import { type SqlValue, storableText } from '../../db/index.ts';
import { searchWords } from '../../realtime/event-log/index.ts';
import type { ListPosition } from './conversation-cursor.ts';

/** A condition on `conversations c`, with its parameters `$1`, `$2`, … */
export interface Filter {
  readonly where: string;
  readonly params: readonly SqlValue[];
}

/** The filters of a list. */
export type FilterQuery = Omit<
  ConversationsQuery,
  | 'limit'
  | 'offset'
  | 'cursor'
  | 'sample'
  | 'include_latency'
  | 'include_context_state'
  | 'include_turn_metadata'
>;

/** Order of a list by start time. */
export type ListOrder = 'oldest' | 'newest';

/** Builds the condition for a project's conversations, after a position if given. Source: 4.1, CV-3, CV-6. */
export function buildFilter(
  projectId: string,
  query: FilterQuery,
  after: ListPosition | null = null,
  order: ListOrder = 'oldest',
): Filter {
  const params: SqlValue[] = [];
  const bind = (value: SqlValue): string =>
    `$${params.push(typeof value === 'string' ? storableText(value) : value)}`;
  const conditions = [`c.project_id = ${bind(projectId)}`, `c.environment = ${bind(query.client_env)}`];
  if (query.start_time !== undefined) conditions.push(`c.started_at >= ${bind(query.start_time)}::bigint`);
  if (query.end_time !== undefined) conditions.push(`c.started_at < ${bind(query.end_time)}::bigint`);
  if (query.channel.length > 0)
    conditions.push(`upper(c.channel) = ANY(${bind(query.channel.map(storableText))}::text[])`);
  if (query.variant_id !== undefined) conditions.push(`c.variant_id = ${bind(query.variant_id)}`);
  if (query.variant_name !== undefined) conditions.push(`c.variant_name = ${bind(query.variant_name)}`);
  if (query.in_progress !== undefined)
    conditions.push(`c.ended_at IS ${query.in_progress ? '' : 'NOT '}NULL`);
  if (query.query_type === 'transcript') conditions.push(transcriptCondition(query, bind));
  if (after !== null) {
    const isBeyond = order === 'oldest' ? '>' : '<';
    conditions.push(
      `(c.started_at, c.id) ${isBeyond} (${bind(after.startedAtMs)}::bigint, ${bind(after.id)})`,
    );
  }
  return { where: conditions.join('\n   AND '), params };
}

/** Requires all words in one turn of the chosen side. An empty query matches nothing. Source: CV-3. */
function transcriptCondition(
  { query = '', turn_type: side }: Pick<FilterQuery, 'query' | 'turn_type'>,
  bind: (value: SqlValue) => string,
): string {
  const words = searchWords(query);
  if (words.length === 0) return 'false';
  // Words contain only letters, digits and marks, so nothing needs escaping.
  const wanted = `${bind(words.map((word) => `'${word}'`).join(' & '))}::tsquery`;
  const sides = side === undefined ? (['user', 'agent'] as const) : [side];
  const found = sides.map((each) => `t.${each}_words @@ ${wanted}`).join(' OR ');
  // With this form, the planner walks the list for common words, and starts with the turns for rare ones.
  return `EXISTS (SELECT FROM conversation_turns t WHERE t.conversation_id = c.id AND (${found}))`;
}
