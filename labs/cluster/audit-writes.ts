import type { Database } from '../../server-platform/src/db/index.ts';

/** A write to a session by a node that did not own it. */
export interface ForeignWrite {
  readonly node: string;
  readonly owner: string;
  readonly table: string;
  readonly what: string;
}

// Writes allowed to any node with a socket of the session, not only to its owner: the last activity, the vocabulary of the
// client and the visitor's verified context. Vectors for the search are made by any node, under separate claims.
const ANYBODYS = [
  ...['last_activity', 'vocabulary', 'context_vault'],
  ...['needs_vector', 'vector_claimed_by', 'vector_due_at', 'vector_failures'],
];

const TABLES = ['sessions', 'events', 'turns', 'conversations', 'conversation_turns', 'external_waits'];

/**
 * Has the database note every write to what belongs to a session, with the node that made it. Within a session the order is
 * that of the commits, because each of them holds the session's row.
 */
export async function auditWrites(database: Database): Promise<void> {
  await database.query(`
    CREATE TABLE IF NOT EXISTS write_audit (
      nr bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, node text, table_name text, what text,
      session_id text, conversation_id text, is_claim boolean)`);
  await database.query(`
    CREATE OR REPLACE FUNCTION audit_write() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      before jsonb := to_jsonb(OLD);
      after jsonb := to_jsonb(NEW);
      one jsonb := coalesce(after, before);
      anybodys text[] := '{${ANYBODYS.join(',')}}';
    BEGIN
      IF tg_op = 'UPDATE' AND before - anybodys = after - anybodys THEN RETURN NULL; END IF;
      INSERT INTO write_audit (node, table_name, what, session_id, conversation_id, is_claim)
      VALUES (current_setting('application_name'), tg_table_name, tg_op || ' ' || left(one::text, 200),
              CASE tg_table_name WHEN 'sessions' THEN one ->> 'id' ELSE one ->> 'session_id' END,
              CASE tg_table_name WHEN 'conversations' THEN one ->> 'id' ELSE one ->> 'conversation_id' END,
              tg_table_name = 'sessions' AND tg_op = 'UPDATE'
                AND before ->> 'owner_epoch' IS DISTINCT FROM after ->> 'owner_epoch');
      RETURN NULL;
    END $$`);
  for (const table of TABLES) {
    await database.query(`
      CREATE OR REPLACE TRIGGER audit_write AFTER INSERT OR UPDATE OR DELETE ON ${table}
      FOR EACH ROW EXECUTE FUNCTION audit_write()`);
  }
}

/** The writes since then of nodes that did not own the session at that moment. */
export async function findForeignWrites(database: Database): Promise<readonly ForeignWrite[]> {
  return await database.query<{ node: string; owner: string; table: string; what: string }>(`
    WITH writes AS MATERIALIZED (
      SELECT w.nr, w.node, w.table_name, w.what, w.is_claim, coalesce(w.session_id, s.id::text) AS session_id
        FROM write_audit w
        LEFT JOIN sessions s ON w.session_id IS NULL AND s.conversation_id = w.conversation_id
    ), owned AS (
      SELECT *, max(CASE WHEN is_claim THEN nr END) OVER (PARTITION BY session_id ORDER BY nr) AS claim_nr FROM writes
    )
    SELECT owned.node, claim.node AS owner, owned.table_name AS table, owned.what
      FROM owned
      JOIN writes claim ON claim.nr = owned.claim_nr
     WHERE owned.node <> claim.node
     ORDER BY owned.nr
     LIMIT 20`);
}

/** How many writes were noted, by node. */
export async function countWrites(database: Database): Promise<Readonly<Record<string, number>>> {
  const rows = await database.query<{ node: string; count: number }>(
    'SELECT node, count(*) AS count FROM write_audit GROUP BY node',
  );
  return Object.fromEntries(rows.map(({ node, count }) => [node, count]));
}

/** Ends the notes. */
export async function stopAudit(database: Database): Promise<void> {
  for (const table of TABLES) await database.query(`DROP TRIGGER IF EXISTS audit_write ON ${table}`);
  await database.query('DROP TABLE IF EXISTS write_audit');
}
