import { desc, eq, inArray } from 'drizzle-orm';
import { deskNotes, queryBuilder, type Sql, sessions, storableText } from '../db/index.ts';
import { type DeskRequest, listRequests } from './requests.ts';

/** Metadata last sent by the visitor's page; any visitor can forge them. */
export type PageMetadata = Readonly<Record<string, string>>;

/** The visitor of a request. */
export interface VisitorCard {
  readonly language: string | null;
  /** Of the session: `web`, `ios-web`, … */
  readonly platform: string | null;
  /** `mobile`, `tablet` or `desktop`. */
  readonly deviceType: string | null;
  readonly metadata: PageMetadata;
  /** Changes of the attribute `page`, newest first: at most 20, addresses without query and fragment. */
  readonly pages: readonly { readonly page: string; readonly atMs: number }[];
  /** The user named by the backend's signed context, or else by the page; null without one. */
  readonly user: { readonly id: string; readonly isVerified: boolean } | null;
}

const PAGES = 20;
const PAGE_CHARACTERS = 300;
// Visitors control the maps, with up to 17 KB each.
const EVENTS = 50;
const OWN_NAMES = new Set(['client_event_id', 'local_id', 'natter_extensions']);

const EVENTS_WITH_METADATA = `
  SELECT custom, created_at FROM events
   WHERE session_id = $1 AND custom IS NOT NULL AND type IN ('EVENT_TYPE_REQUEST_AGENT_JOIN', 'EVENT_TYPE_USER_MESSAGE')
   ORDER BY sequence DESC LIMIT ${EVENTS}`;

/** Reads it from the session and its last events; nothing is stored separately. */
export async function readVisitorCard(
  sql: Sql,
  { sessionId, language }: Pick<DeskRequest, 'sessionId' | 'language'>,
): Promise<VisitorCard> {
  const [[session], rows] = await Promise.all([
    queryBuilder(sql)
      .select({
        language: sessions.language,
        platform: sessions.platform,
        deviceType: sessions.deviceType,
        contextVault: sessions.contextVault,
      })
      .from(sessions)
      .where(eq(sessions.id, sessionId)),
    sql.query<{ readonly custom: unknown; readonly created_at: number }>(EVENTS_WITH_METADATA, [sessionId]),
  ]);
  const sent = rows
    .map((row) => ({ metadata: readMetadata(row.custom), atMs: row.created_at }))
    .filter(({ metadata }) => Object.keys(metadata).length > 0);
  const metadata = sent[0]?.metadata ?? {};
  const verified = readUser(session?.contextVault);
  const named = verified ?? readUser(metadata);
  return {
    language: session?.language ?? language,
    platform: session?.platform ?? null,
    deviceType: session?.deviceType ?? null,
    metadata,
    pages: listPages(sent),
    user: named === null ? null : { id: named, isVerified: verified !== null },
  };
}

/** Lists consecutive pages once, with the time of the first event. */
function listPages(
  sent: readonly { readonly metadata: PageMetadata; readonly atMs: number }[],
): VisitorCard['pages'] {
  const pages: { page: string; atMs: number }[] = [];
  for (const { metadata, atMs } of sent) {
    const page = withoutQuery(metadata['page'] ?? '');
    if (page === '') continue;
    if (pages.at(-1)?.page === page) pages.pop();
    pages.push({ page, atMs });
  }
  return pages.slice(0, PAGES);
}

/** The name or address of a page, an address without its query and fragment. */
export function withoutQuery(page: string): string {
  const isAddress = /^(https?:\/\/|\/)/i.test(page);
  return (isAddress ? page.replace(/[?#].*$/s, '') : page).slice(0, PAGE_CHARACTERS);
}

function readMetadata(custom: unknown): PageMetadata {
  if (typeof custom !== 'object' || custom === null) return {};
  return Object.fromEntries(
    Object.entries(custom).filter(([name, value]) => typeof value === 'string' && !OWN_NAMES.has(name)),
  );
}

const readField = (map: unknown, name: string): unknown =>
  typeof map === 'object' && map !== null ? Reflect.get(map, name) : null;

function readUser(map: unknown): string | null {
  const id = readField(map, 'user_id');
  return (typeof id === 'string' && id !== '') || typeof id === 'number' ? String(id) : null;
}

/** An earlier request of the same visitor, with the team's notes. */
export interface Earlier {
  readonly request: DeskRequest;
  /** Oldest first; at most the newest 50 of all earlier requests together. */
  readonly notes: readonly (typeof deskNotes.$inferSelect)[];
}

// The newest requests of the account, because the columns that name users have no index.
const SEARCHED = 500;
const EARLIER = 10;
const NOTES = 50;

/** Compares texts before reading `json`, because the database refuses to parse U+0000. */
const FIND_EARLIER = `
  SELECT r.id, s.agent_state, s.context_vault, sent.custom
    FROM (SELECT * FROM desk_requests WHERE account_id = $1 ORDER BY requested_at DESC LIMIT ${SEARCHED}) r
    JOIN sessions s ON s.id = r.session_id
    LEFT JOIN LATERAL (
      SELECT e.custom FROM events e WHERE e.session_id = r.session_id AND e.custom IS NOT NULL
       ORDER BY e.sequence DESC LIMIT 1) sent ON true
   WHERE r.project_id = $2 AND r.session_id <> $3 AND EXISTS (
     SELECT FROM unnest($4::text[]) named
      WHERE strpos(concat(s.agent_state::text, s.context_vault::text, sent.custom::text), named) > 0)
   ORDER BY r.requested_at DESC LIMIT ${2 * EARLIER}`;

/** The newest 10 other requests whose page or backend named the same user, among the account's last 500. */
export async function listEarlier(
  sql: Sql,
  { accountId, projectId, sessionId }: DeskRequest,
  userId: string,
): Promise<readonly Earlier[]> {
  const named = [`"user_id":${JSON.stringify(userId)}`, `"user_id":${userId}`];
  const rows = await sql.query<{
    readonly id: string;
    readonly agent_state: unknown;
    readonly context_vault: unknown;
    readonly custom: unknown;
  }>(FIND_EARLIER, [accountId, projectId, sessionId, named.map(storableText)]);
  const ids = rows
    .filter(({ agent_state: state, context_vault: vault, custom }) =>
      [vault, readField(state, 'page_context'), custom].map(readUser).includes(userId),
    )
    .map(({ id }) => id)
    .slice(0, EARLIER);
  if (ids.length === 0) return [];
  const requests = await listRequests(sql, ids);
  const notes = await queryBuilder(sql)
    .select()
    .from(deskNotes)
    .where(
      inArray(
        deskNotes.sessionId,
        requests.map((request) => request.sessionId),
      ),
    )
    .orderBy(desc(deskNotes.createdAt))
    .limit(NOTES);
  return requests.map((request) => ({
    request,
    notes: notes.filter((note) => note.sessionId === request.sessionId).toReversed(),
  }));
}
