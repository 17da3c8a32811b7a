import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { appendFile, chmod, chown, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { findFreePort } from '../../e2e/stack/free-port.ts';

const run = promisify(execFile);

// PostgreSQL refuses to run as root.
const isRoot = userInfo().uid === 0;
const bin = await findBinaries();

/** Why no servers can be started here; `null` if they can. */
export const whyNoServers: string | null = await findObstacle();

/** A PostgreSQL server for a test, in a separate folder. */
export interface PostgresServer {
  readonly port: number;
  readonly url: string;
  start(): Promise<void>;
  /** `fast` closes its connections, `immediate` is like a crash. */
  stop(mode: 'fast' | 'immediate'): Promise<void>;
  /** Makes a standby the primary. */
  promote(): Promise<void>;
  /** Sets a parameter and reloads the configuration. */
  set(parameter: string, value: string): Promise<void>;
  /** Runs a statement over a separate connection. */
  query(text: string): Promise<readonly Record<string, unknown>[]>;
}

/** The servers of one test file. */
export interface PostgresServers {
  createPrimary(settings?: Readonly<Record<string, string>>): Promise<PostgresServer>;
  /** Creates a standby that streams from `primary`, which from then on only commits what the standby has. */
  createStandby(primary: PostgresServer): Promise<PostgresServer>;
  /**
   * Creates an authority, and a server certificate from it for the name `localhost`. Returns the paths of the files.
   */
  createCertificates(): Promise<{ readonly ca: string; readonly cert: string; readonly key: string }>;
  /** Stops all servers and removes their folders. */
  remove(): Promise<void>;
}

/** Creates a folder for servers. */
export async function createPostgresServers(): Promise<PostgresServers> {
  const folder = await mkdtemp(join(tmpdir(), 'natter-postgres-'));
  const servers: PostgresServer[] = [];
  if (isRoot) await giveToPostgres(folder);
  const add = async (
    name: string,
    fill: (data: string) => Promise<unknown>,
    settings: Readonly<Record<string, string>>,
  ): Promise<PostgresServer> => {
    const data = join(folder, name);
    await fill(data);
    const server = createServerIn(data, await findFreePort());
    const lines = Object.entries({ ...settings, port: String(server.port) });
    await appendFile(
      join(data, 'postgresql.conf'),
      lines.map(([parameter, value]) => `${parameter} = '${value}'\n`).join(''),
    );
    await server.start();
    servers.push(server);
    return server;
  };
  return {
    createPrimary: (settings = {}) =>
      add(`primary-${servers.length}`, (data) => call('initdb', '-D', data, ...INITDB), {
        ...{ listen_addresses: '127.0.0.1', unix_socket_directories: folder, fsync: 'off' },
        ...settings,
      }),
    async createStandby(primary) {
      const copy = (data: string): Promise<void> =>
        call('pg_basebackup', '-D', data, '-d', primary.url, '-R', '-c', 'fast', '--no-sync');
      const standby = await add(`standby-${servers.length}`, copy, {});
      await primary.set('synchronous_standby_names', '*');
      return standby;
    },
    async createCertificates() {
      const [ca, caKey, request, cert, key] = [
        'ca.pem',
        'ca.key',
        'server.csr',
        'server.pem',
        'server.key',
      ].map((name) => join(folder, name)) as [string, string, string, string, string];
      const create = ['req', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
      await callAsPostgres(
        'openssl',
        ...create,
        '-x509',
        '-subj',
        '/CN=Harbour',
        '-keyout',
        caKey,
        '-out',
        ca,
      );
      const san = ['-addext', 'subjectAltName=DNS:localhost', '-subj', '/CN=localhost'];
      await callAsPostgres('openssl', ...create, ...san, '-keyout', key, '-out', request);
      const signing = ['-CA', ca, '-CAkey', caKey, '-CAcreateserial', '-copy_extensions', 'copy'];
      await callAsPostgres('openssl', 'x509', '-req', '-in', request, ...signing, '-out', cert);
      return { ca, cert, key };
    },
    async remove() {
      for (const server of servers) await server.stop('immediate');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

// Without a locale, because `LANG` may name one that is not installed.
const INITDB = [
  '-U',
  'postgres',
  '-A',
  'trust',
  '-E',
  'UTF8',
  '--no-locale',
  '--no-sync',
  '--no-instructions',
];

function createServerIn(data: string, port: number): PostgresServer {
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const control = (...words: readonly string[]): Promise<void> => call('pg_ctl', '-D', data, '-w', ...words);
  const server: PostgresServer = {
    port,
    url,
    start: () => control('start', '-l', join(data, 'log')),
    async stop(mode) {
      if (existsSync(join(data, 'postmaster.pid'))) await control('stop', '-m', mode);
    },
    promote: () => control('promote'),
    async set(parameter, value) {
      await server.query(`ALTER SYSTEM SET ${parameter} = '${value}'`);
      await server.query('SELECT pg_reload_conf()');
    },
    async query(text) {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      try {
        return (await client.query(text)).rows;
      } finally {
        await client.end();
      }
    },
  };
  return server;
}

const call = (program: string, ...words: readonly string[]): Promise<void> =>
  callAsPostgres(join(bin ?? '', program), ...words);

async function callAsPostgres(...command: readonly string[]): Promise<void> {
  const [file = '', ...args] = isRoot ? ['runuser', '-u', 'postgres', '--', ...command] : command;
  await run(file, args, { cwd: tmpdir() });
}

async function giveToPostgres(folder: string): Promise<void> {
  const { stdout } = await run('id', ['-u', 'postgres']);
  await chown(folder, Number(stdout), 0);
  await chmod(folder, 0o700);
}

async function findObstacle(): Promise<string | null> {
  if (bin === null) return 'no PostgreSQL server is installed here (initdb, pg_ctl and pg_basebackup)';
  if (!isRoot) return null;
  return await run('runuser', ['-u', 'postgres', '--', 'true']).then(
    () => null,
    () => 'root cannot become the user postgres here',
  );
}

async function findBinaries(): Promise<string | null> {
  const named = await run('pg_config', ['--bindir']).then(
    ({ stdout }) => [stdout.trim()],
    () => [],
  );
  const versions = await readdir('/usr/lib/postgresql').catch(() => []);
  const folders = [...named, ...versions.map((version) => `/usr/lib/postgresql/${version}/bin`)];
  const needed = ['initdb', 'pg_ctl', 'pg_basebackup'];
  return folders.find((folder) => needed.every((name) => existsSync(join(folder, name)))) ?? null;
}
