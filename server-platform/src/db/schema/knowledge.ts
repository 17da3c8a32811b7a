/** Articles edited by people, results of agent evaluations, and what models have taken. Points in time are `bigint` milliseconds. */
import {
  bigint,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
} from 'drizzle-orm/pg-core';
import { projects } from './accounts.ts';

const ms = (name: string) => bigint(name, { mode: 'number' });
const projectId = () =>
  text('project_id')
    .notNull()
    .references(() => projects.id, { onDelete: 'cascade' });

/** All versions of edited articles. The highest number is current; rows are never changed. */
export const articleVersions = pgTable(
  'article_versions',
  {
    projectId: projectId(),
    /** Name of the agent's configuration. */
    agent: text('agent').notNull(),
    slug: text('slug').notNull(),
    /** From 1. The primary key prevents two people from publishing the same version. */
    number: integer('number').notNull(),
    /** published; deleted: the article was removed; file: the file's article is current again. */
    kind: text('kind').$type<'published' | 'deleted' | 'file'>().notNull(),
    /** Text in the format of an article file; null unless published. */
    source: text('source'),
    /** The version that was restored; null: a new text. */
    restoredFrom: integer('restored_from'),
    /** Email address of the person. */
    author: text('author').notNull(),
    createdAt: ms('created_at').notNull(),
  },
  (table) => [
    primaryKey({
      name: 'article_versions_pkey',
      columns: [table.projectId, table.agent, table.slug, table.number],
    }),
  ],
);

/** Results of evaluations. Only the most recent per agent are kept. */
export const evaluationRuns = pgTable(
  'evaluation_runs',
  {
    id: ms('id').primaryKey().generatedByDefaultAsIdentity(),
    projectId: projectId(),
    agent: text('agent').notNull(),
    /** The article that was evaluated as a draft; null: the published articles. */
    draftSlug: text('draft_slug'),
    author: text('author').notNull(),
    createdAt: ms('created_at').notNull(),
    total: integer('total').notNull(),
    passed: integer('passed').notNull(),
    /** Failures: category, messages, answer, problems. */
    failures: jsonb('failures').$type<readonly EvaluationFailure[]>().notNull(),
  },
  (table) => [index('evaluation_runs_agent_idx').on(table.projectId, table.agent, table.id)],
);

/** A conversation that an agent failed. */
export interface EvaluationFailure {
  readonly category: string;
  readonly say: readonly string[];
  readonly answer: string;
  readonly problems: readonly string[];
}

/** Daily spending of a project on models. Past days are removed when the next one begins. */
export const modelSpending = pgTable(
  'model_spending',
  {
    projectId: projectId(),
    /** Days since 1970 in the agent's time zone. */
    day: integer('day').notNull(),
    tokens: bigint('tokens', { mode: 'number' }).notNull(),
    /** In the currency of the agent's prices. */
    cost: doublePrecision('cost').notNull(),
  },
  (table) => [primaryKey({ name: 'model_spending_pkey', columns: [table.projectId, table.day] })],
);
