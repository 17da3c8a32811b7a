import * as v from 'valibot';
import { isDatabaseError, type Sql } from '../db/index.ts';
import { AccountError } from './account-error.ts';
import type { Account } from './accounts.ts';
import {
  type ConversationSettings,
  conversationSettingsSchema,
  DEFAULT_CONVERSATION_SETTINGS,
  writeConversationSettings,
} from './conversation-settings.ts';
import { checkId, checkName, checkSlug, newPrefixedId, readReference } from './reference.ts';
import { NO_RETENTION, type RetentionDays, readRetentionDays } from './retention-days.ts';

/** A variant of a project's agent, which conversations may be started in. */
export type Variant = {
  readonly id: string;
  readonly name: string;
  /** Name of the agent configuration that answers in it; null: the connector's or the project's. */
  readonly agent: string | null;
};

/** A project of an account: one agent and the connectors that lead to it. */
export type Project = {
  /** `PROJECT-…`; responses carry this form (C-4). */
  readonly id: string;
  readonly accountId: string;
  readonly slug: string;
  readonly name: string;
  /** Name of the agent configuration that answers, unless a connector names another. */
  readonly agent: string | null;
  /** Signing secrets of verified context by key id; empty: the feature is off (section 15). */
  readonly contextKeys: ReadonlyMap<string, string>;
  readonly variants: readonly Variant[];
  /** What the REST interface shows of its conversations. */
  readonly conversations: ConversationSettings;
  /** Name of the hand-off provider, unless a connector names another; null: none. */
  readonly handoff: string | null;
  /** Whether turns are translated for the record (CV-15). */
  readonly isTranslated: boolean;
  /** How long its data is kept. */
  readonly retention: RetentionDays;
  readonly createdAtMs: number;
};

/** What may be set on a project. */
export type ProjectFields = {
  readonly name?: string | undefined;
  readonly agent?: string | null | undefined;
  readonly contextKeys?: ReadonlyMap<string, string> | undefined;
  readonly variants?: readonly Variant[] | undefined;
  readonly conversations?: ConversationSettings | undefined;
  readonly handoff?: string | null | undefined;
  readonly isTranslated?: boolean | undefined;
  readonly retention?: RetentionDays | undefined;
};

type ProjectRow = {
  readonly id: string;
  readonly account_id: string;
  readonly slug: string;
  readonly name: string;
  readonly agent: string | null;
  readonly settings: {
    readonly context_keys?: Readonly<Record<string, string>>;
    readonly variants?: readonly Variant[];
    readonly conversations?: unknown;
    readonly handoff?: string | null;
    readonly translation?: boolean;
    readonly retention_days?: unknown;
  };
  readonly created_at: number;
};

const COLUMNS = 'id, account_id, slug, name, agent, settings, created_at';

/** Adds a project to an account. Fails with an `AccountError` when the slug is taken in the account. */
export async function addProject(
  sql: Sql,
  account: Account,
  project: ProjectFields & { readonly slug: string; readonly id?: string | undefined },
  nowMs: number = Date.now(),
): Promise<Project> {
  const slug = checkSlug(project.slug);
  const id = project.id === undefined ? newPrefixedId('PROJECT') : checkId('PROJECT', project.id);
  try {
    const [row] = await sql.query<ProjectRow>(
      `INSERT INTO projects (id, account_id, slug, name, agent, settings, created_at)
       VALUES ($1, $2, $3, $4, $5, $6::jsonb, $7) RETURNING ${COLUMNS}`,
      [
        id,
        account.id,
        slug,
        checkName(project.name ?? slug),
        project.agent ?? null,
        writeSettings({
          contextKeys: project.contextKeys ?? new Map(),
          variants: project.variants ?? [],
          conversations: project.conversations ?? DEFAULT_CONVERSATION_SETTINGS,
          handoff: project.handoff ?? null,
          isTranslated: project.isTranslated ?? false,
          retention: project.retention ?? NO_RETENTION,
        }),
        nowMs,
      ],
    );
    if (row !== undefined) return readRow(row);
  } catch (error) {
    if (!isDatabaseError(error) || error.sqlState !== '23505') throw error;
  }
  throw new AccountError('exists', `The account "${account.slug}" has a project "${slug}" already.`);
}

/** The project of an account that a slug or `PROJECT-…` names, or null (C-4). */
export async function findProject(sql: Sql, account: Account, reference: string): Promise<Project | null> {
  const { id, slug } = readReference('PROJECT', reference);
  const [row] = await sql.query<ProjectRow>(
    `SELECT ${COLUMNS} FROM projects WHERE account_id = $1 AND (id = $2 OR slug = $3)
     ORDER BY id = $2 DESC NULLS LAST LIMIT 1`,
    [account.id, id, slug],
  );
  return row === undefined ? null : readRow(row);
}

/** The project with an id, or null. */
export async function findProjectById(sql: Sql, id: string): Promise<Project | null> {
  const [row] = await sql.query<ProjectRow>(`SELECT ${COLUMNS} FROM projects WHERE id = $1`, [id]);
  return row === undefined ? null : readRow(row);
}

/** Projects of an account, or all, by slug. */
export async function listProjects(sql: Sql, account?: Account): Promise<readonly Project[]> {
  const rows = await sql.query<ProjectRow>(
    `SELECT ${COLUMNS} FROM projects WHERE $1::text IS NULL OR account_id = $1 ORDER BY account_id, slug`,
    [account?.id ?? null],
  );
  return rows.map(readRow);
}

/** Changes the given fields of a project; those left out stay. */
export async function changeProject(sql: Sql, project: Project, fields: ProjectFields): Promise<void> {
  await sql.query('UPDATE projects SET name = $2, agent = $3, settings = $4::jsonb WHERE id = $1', [
    project.id,
    checkName(fields.name ?? project.name),
    fields.agent === undefined ? project.agent : fields.agent,
    writeSettings({
      contextKeys: fields.contextKeys ?? project.contextKeys,
      variants: fields.variants ?? project.variants,
      conversations: fields.conversations ?? project.conversations,
      handoff: fields.handoff === undefined ? project.handoff : fields.handoff,
      isTranslated: fields.isTranslated ?? project.isTranslated,
      retention: fields.retention ?? project.retention,
    }),
  ]);
}

function writeSettings(
  settings: Pick<
    Project,
    'contextKeys' | 'variants' | 'conversations' | 'handoff' | 'isTranslated' | 'retention'
  >,
): string {
  const { contextKeys, variants, conversations, handoff, isTranslated, retention } = settings;
  return JSON.stringify({
    context_keys: Object.fromEntries(contextKeys),
    variants,
    conversations: writeConversationSettings(conversations),
    handoff,
    // `writeConversations` reads it.
    translation: isTranslated,
    // Retention looks for projects that have it.
    ...(Object.values(retention).some((days) => days !== null) && { retention_days: retention }),
  });
}

function readRow(row: ProjectRow): Project {
  return {
    id: row.id,
    accountId: row.account_id,
    slug: row.slug,
    name: row.name,
    agent: row.agent,
    contextKeys: new Map(Object.entries(row.settings.context_keys ?? {})),
    variants: row.settings.variants ?? [],
    conversations: v.parse(conversationSettingsSchema, row.settings.conversations ?? {}),
    handoff: row.settings.handoff ?? null,
    isTranslated: row.settings.translation ?? false,
    retention: readRetentionDays(row.settings.retention_days),
    createdAtMs: row.created_at,
  };
}
