import { and, asc, desc, eq, sql as fragment, or } from 'drizzle-orm';
import * as v from 'valibot';
import { isDatabaseError, projects, queryBuilder, type Sql } from '../db/index.ts';
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

/** A variant of a project's agent, for a share of its conversations. */
export type Variant = {
  readonly id: string;
  readonly name: string;
  /** Name of its agent configuration; null: the connector's or the project's. */
  readonly agent: string | null;
  /** Relative share of the widget's sessions; null: only sessions that request it (SES-3). */
  readonly weight: number | null;
};

/** A project of an account: one agent and the connectors that lead to it. */
export type Project = {
  /** `PROJECT-…`; responses carry this form (C-4). */
  readonly id: string;
  readonly accountId: string;
  readonly slug: string;
  readonly name: string;
  /** Name of the agent configuration, unless a connector names another. */
  readonly agent: string | null;
  /** Signing secrets of verified context by key id; empty: the feature is off (section 15). */
  readonly contextKeys: ReadonlyMap<string, string>;
  readonly variants: readonly Variant[];
  /** Parts of its conversations that the REST interface shows. */
  readonly conversations: ConversationSettings;
  /** Name of the handoff provider, unless a connector names another; null: none. */
  readonly handoff: string | null;
  /** Whether turns are translated for the record (CV-15). */
  readonly isTranslated: boolean;
  /** How long its data is kept. */
  readonly retention: RetentionDays;
  readonly createdAtMs: number;
};

/** Fields of a project that can be changed. */
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

type ProjectSettings = {
  readonly context_keys?: Readonly<Record<string, string>>;
  readonly variants?: readonly Variant[];
  readonly conversations?: unknown;
  readonly handoff?: string | null;
  readonly translation?: boolean;
  readonly retention_days?: unknown;
};

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
    const [row] = await queryBuilder(sql)
      .insert(projects)
      .values({
        id,
        accountId: account.id,
        slug,
        name: checkName(project.name ?? slug),
        agent: project.agent ?? null,
        settings: writeSettings({
          contextKeys: project.contextKeys ?? new Map(),
          variants: project.variants ?? [],
          conversations: project.conversations ?? DEFAULT_CONVERSATION_SETTINGS,
          handoff: project.handoff ?? null,
          isTranslated: project.isTranslated ?? false,
          retention: project.retention ?? NO_RETENTION,
        }),
        createdAt: nowMs,
      })
      .returning();
    if (row !== undefined) return readRow(row);
  } catch (error) {
    if (!isDatabaseError(error) || error.sqlState !== '23505') throw error;
  }
  throw new AccountError('exists', `The account "${account.slug}" has a project "${slug}" already.`);
}

/** Finds a project of an account by slug or `PROJECT-…`; null if there is none (C-4). */
export async function findProject(
  sql: Sql,
  account: Pick<Account, 'id'>,
  reference: string,
): Promise<Project | null> {
  const { id, slug } = readReference('PROJECT', reference);
  // No id or slug is empty.
  const isId = eq(projects.id, id ?? '');
  const isNamed = or(isId, eq(projects.slug, slug ?? ''));
  const [row] = await queryBuilder(sql)
    .select()
    .from(projects)
    .where(and(eq(projects.accountId, account.id), isNamed))
    .orderBy(desc(isId))
    .limit(1);
  return row === undefined ? null : readRow(row);
}

/** The project with an id, or null. */
export async function findProjectById(sql: Sql, id: string): Promise<Project | null> {
  const [row] = await queryBuilder(sql).select().from(projects).where(eq(projects.id, id));
  return row === undefined ? null : readRow(row);
}

/** Projects of an account, or all, by slug. */
export async function listProjects(sql: Sql, account?: Pick<Account, 'id'>): Promise<readonly Project[]> {
  const rows = await queryBuilder(sql)
    .select()
    .from(projects)
    .where(account && eq(projects.accountId, account.id))
    .orderBy(projects.accountId, projects.slug);
  return rows.map(readRow);
}

/** The projects of an account whose conversations only the assigned agents may read, by id. */
export async function listProjectsWithoutTranscripts(
  sql: Sql,
  accountId: string,
): Promise<ReadonlySet<string>> {
  const all = await listProjects(sql, { id: accountId });
  return new Set(all.filter(({ conversations }) => !conversations.showTranscripts).map(({ id }) => id));
}

/** A project's stored retention setting, to be parsed with `readRetentionDays`. */
export type StoredRetention = { readonly id: string; readonly days: unknown };

/** Lists the projects that do not keep everything forever. */
export async function listRetention(sql: Sql): Promise<readonly StoredRetention[]> {
  return await queryBuilder(sql)
    .select({ id: projects.id, days: fragment`${projects.settings}->'retention_days'` })
    .from(projects)
    .where(fragment`${projects.settings} ? 'retention_days'`)
    .orderBy(asc(projects.id));
}

/** Changes the given fields of a project; omitted ones stay unchanged. */
export async function changeProject(sql: Sql, project: Project, fields: ProjectFields): Promise<void> {
  const changed = {
    name: checkName(fields.name ?? project.name),
    agent: fields.agent === undefined ? project.agent : fields.agent,
    settings: writeSettings({
      contextKeys: fields.contextKeys ?? project.contextKeys,
      variants: fields.variants ?? project.variants,
      conversations: fields.conversations ?? project.conversations,
      handoff: fields.handoff === undefined ? project.handoff : fields.handoff,
      isTranslated: fields.isTranslated ?? project.isTranslated,
      retention: fields.retention ?? project.retention,
    }),
  };
  await queryBuilder(sql).update(projects).set(changed).where(eq(projects.id, project.id));
}

function writeSettings(
  settings: Pick<
    Project,
    'contextKeys' | 'variants' | 'conversations' | 'handoff' | 'isTranslated' | 'retention'
  >,
): ProjectSettings {
  const { contextKeys, variants, conversations, handoff, isTranslated, retention } = settings;
  return {
    context_keys: Object.fromEntries(contextKeys),
    variants,
    conversations: writeConversationSettings(conversations),
    handoff,
    // Read by `writeConversations`.
    translation: isTranslated,
    // Retention selects projects by this.
    ...(Object.values(retention).some((days) => days !== null) && { retention_days: retention }),
  };
}

/** Converts variants from their stored form. */
export function readVariants(stored: readonly Variant[] | null | undefined): readonly Variant[] {
  return (stored ?? []).map(({ id, name, agent, weight }) => ({ id, name, agent, weight: weight ?? null }));
}

function readRow(row: typeof projects.$inferSelect): Project {
  // Only `writeSettings` writes it.
  const settings: ProjectSettings = row.settings;
  return {
    id: row.id,
    accountId: row.accountId,
    slug: row.slug,
    name: row.name,
    agent: row.agent,
    contextKeys: new Map(Object.entries(settings.context_keys ?? {})),
    variants: readVariants(settings.variants),
    conversations: v.parse(conversationSettingsSchema, settings.conversations ?? {}),
    handoff: settings.handoff ?? null,
    isTranslated: settings.translation ?? false,
    retention: readRetentionDays(settings.retention_days),
    createdAtMs: row.createdAt,
  };
}
