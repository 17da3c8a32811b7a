import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { glob, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { WebSocket } from 'ws';
import { findFreePort } from '../../../e2e/stack/free-port.ts';
import { TEXT } from '../servers/echo-client.ts';

// ejabberd with a group chat per client, whose archive (XEP-0313) is in PostgreSQL: a message is stored, then sent to the
// group, its writer included. Clients speak XMPP over WebSocket (RFC 7395) and sign in anonymously.

const ERLANG = '/usr/bin/erl';
const LIBRARIES = '/usr/lib/*/ejabberd-*/ebin';
const START_PATIENCE_MS = 60_000;

/** Whether ejabberd is installed where Debian puts it. */
export async function findEjabberd(): Promise<string | null> {
  if (!existsSync(ERLANG)) return null;
  for await (const folder of glob(LIBRARIES)) return folder;
  return null;
}

/** Runs `use` beside an ejabberd with a separate database on the server of `databaseUrl`. */
export async function withEjabberd(
  libraries: string,
  databaseUrl: string,
  use: (port: number) => Promise<void>,
): Promise<void> {
  const database = `natter_bench_ejabberd_${process.pid}`;
  const folder = await mkdtemp(join(tmpdir(), 'natter-bench-ejabberd-'));
  const admin = new pg.Client({ connectionString: databaseUrl });
  await admin.connect();
  try {
    await admin.query(`CREATE DATABASE ${database}`);
    await createArchive(databaseUrl, database);
    const port = await findFreePort();
    await writeFile(join(folder, 'ejabberd.yml'), configure(new URL(databaseUrl), database, port));
    const server = spawn(ERLANG, [
      '-noinput',
      ...['-pa', libraries],
      ...['-mnesia', 'dir', `"${folder}/mnesia"`],
      ...['-ejabberd', 'config', `"${folder}/ejabberd.yml"`, 'log_path', `"${folder}/ejabberd.log"`],
      ...['-s', 'ejabberd'],
    ]);
    const exited = once(server, 'exit');
    try {
      await untilItListens(port);
      await use(port);
    } finally {
      server.kill('SIGKILL');
      await exited;
    }
  } finally {
    await admin.query(`DROP DATABASE IF EXISTS ${database} WITH (FORCE)`);
    await admin.end();
    await rm(folder, { recursive: true, force: true });
  }
}

/** The two tables that the archive uses, as in ejabberd's `pg.sql`. */
async function createArchive(databaseUrl: string, database: string): Promise<void> {
  const url = new URL(databaseUrl);
  url.pathname = `/${database}`;
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  await client.query(`
    CREATE TABLE archive (username text NOT NULL, timestamp bigint NOT NULL, peer text NOT NULL, bare_peer text NOT NULL,
      xml text NOT NULL, txt text, id bigserial, kind text, nick text, created_at timestamp NOT NULL DEFAULT now());
    CREATE INDEX i_username_timestamp ON archive USING btree (username, timestamp);
    CREATE INDEX i_username_peer ON archive USING btree (username, peer);
    CREATE INDEX i_username_bare_peer ON archive USING btree (username, bare_peer);
    CREATE INDEX i_timestamp ON archive USING btree (timestamp);
    CREATE TABLE archive_prefs (username text NOT NULL PRIMARY KEY, def text NOT NULL, always text NOT NULL,
      never text NOT NULL, created_at timestamp NOT NULL DEFAULT now());`);
  await client.end();
}

function configure(server: URL, database: string, port: number): string {
  return `loglevel: error
hosts: [localhost]
listen:
  - port: ${port}
    ip: 127.0.0.1
    backlog: 1024 # all clients connect at once
    module: ejabberd_http
    request_handlers: { /ws: ejabberd_http_ws }
auth_method: [anonymous]
anonymous_protocol: sasl_anon
allow_multiple_connections: true
sql_type: pgsql
sql_server: ${server.hostname}
sql_port: ${server.port || 5432}
sql_database: ${database}
sql_username: ${decodeURIComponent(server.username) || 'postgres'}
sql_password: "${decodeURIComponent(server.password)}"
sql_pool_size: 20
modules:
  mod_mam: { db_type: sql, default: always, assume_mam_usage: true }
  mod_muc:
    access_create: all
    min_message_interval: 0
    default_room_options: { mam: true, allow_change_subj: false }
`;
}

async function untilItListens(port: number): Promise<void> {
  const endsAt = performance.now() + START_PATIENCE_MS;
  for (;;) {
    try {
      await fetch(`http://127.0.0.1:${port}/`);
      return;
    } catch (error) {
      if (performance.now() > endsAt) throw new Error('ejabberd did not start.', { cause: error });
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

/** A socket of a client that has signed in and joined a separate group chat. */
export async function openXmpp(port: number, room: string): Promise<WebSocket> {
  const ws = new WebSocket(`ws://127.0.0.1:${port}/ws`, 'xmpp', { perMessageDeflate: false });
  await once(ws, 'open');
  const ask = async (frame: string, answer: string): Promise<void> => {
    const answered = new Promise<void>((resolve, reject) => {
      const read = (data: unknown): void => {
        const text = String(data);
        if (text.includes('type="error"') || text.includes("type='error'"))
          reject(new Error(`ejabberd refused: ${text}`));
        if (!text.includes(answer)) return;
        ws.off('message', read);
        resolve();
      };
      ws.on('message', read);
    });
    ws.send(frame);
    await answered;
  };
  const open = '<open xmlns="urn:ietf:params:xml:ns:xmpp-framing" to="localhost" version="1.0"/>';
  await ask(open, 'features');
  await ask('<auth xmlns="urn:ietf:params:xml:ns:xmpp-sasl" mechanism="ANONYMOUS"/>', '<success');
  await ask(open, 'features');
  await ask(
    '<iq xmlns="jabber:client" type="set" id="bind"><bind xmlns="urn:ietf:params:xml:ns:xmpp-bind"/></iq>',
    '<jid>',
  );
  await ask(
    `<presence xmlns="jabber:client" to="${room}@conference.localhost/visitor"><x xmlns="http://jabber.org/protocol/muc"/></presence>`,
    '<subject',
  );
  return ws;
}

/** The same messages in ejabberd's format. */
export function createXmppMessage(room: string): () => string {
  let count = 0;
  return () => {
    count += 1;
    return `<message xmlns="jabber:client" type="groupchat" to="${room}@conference.localhost" id="draft-${count}"><body>${TEXT}</body></message>`;
  };
}
