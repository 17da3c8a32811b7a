import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../server-platform/src/db/index.ts';
import { runPlatform } from '../../server-platform/test/run-platform.ts';
import {
  createPostgresServers,
  type PostgresServer,
  type PostgresServers,
  whyNoServers,
} from './postgres-servers.ts';

if (whyNoServers !== null) console.info(`Addresses of PostgreSQL are not tested: ${whyNoServers}`);

const NAME = 'keeper';
const PASSWORD = 'p#/@:%?ü';

/** A port of this machine without a listener. */
const NOBODY = 1;

describe.skipIf(whyNoServers !== null)('the address of a real PostgreSQL server', () => {
  let servers: PostgresServers;
  let plain: PostgresServer;
  let secured: PostgresServer;
  let ca: string;
  beforeAll(async () => {
    servers = await createPostgresServers();
    const { cert, key, ca: authority } = await servers.createCertificates();
    ca = authority;
    plain = await servers.createPrimary();
    secured = await servers.createPrimary({ ssl: 'on', ssl_cert_file: cert, ssl_key_file: key });
    await secured.query(`CREATE ROLE ${NAME} LOGIN PASSWORD '${PASSWORD}'`);
  });
  afterAll(() => servers.remove());

  /** Connects to `host`, and returns `tls`, `plain`, or the message of the failure. */
  async function connect(host: string, { port }: PostgresServer, query: string): Promise<string> {
    try {
      const database = await openDatabase({
        databaseUrl: `postgres://postgres@${host}:${port}/postgres?${query}`,
      });
      const [row] = await database.query<{ ssl: boolean }>(
        'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()',
      );
      await database.close();
      return row?.ssl === true ? 'tls' : 'plain';
    } catch (error) {
      return error instanceof Error ? error.message : 'no error';
    }
  }

  it.each([
    ['sslmode=require', 'tls'],
    ['sslmode=prefer', 'tls'],
    ['sslmode=allow', 'plain'],
    ['sslmode=disable', 'plain'],
    ['', 'plain'],
    ['sslmode=verify-full', /^DATABASE_URL: .*certificate.*not accepted.*sslrootcert/],
  ])(
    'a PostgreSQL address with "%s" connects to a server with a private authority: %s',
    async (query, outcome) => expect(await connect('127.0.0.1', secured, query)).toMatch(outcome),
  );

  it('a PostgreSQL address checks a named authority, and the host name only with verify-full', async () => {
    const named = `sslrootcert=${ca}`;
    expect(await connect('localhost', secured, `sslmode=verify-full&${named}`)).toBe('tls');
    expect(await connect('localhost', secured, named)).toBe('tls');
    expect(await connect('127.0.0.1', secured, `sslmode=verify-ca&${named}`)).toBe('tls');
    expect(await connect('127.0.0.1', secured, `sslmode=require&${named}`)).toBe('tls');
    expect(await connect('127.0.0.1', secured, `sslmode=verify-full&${named}`)).toMatch(
      /not accepted \(ERR_TLS_CERT_ALTNAME_INVALID\)/,
    );
  });

  it.each([
    ['sslmode=require', /^DATABASE_URL: .*does not support TLS.*sslmode=disable/],
    ['sslmode=verify-full', /does not support TLS/],
    ['sslmode=prefer', 'plain'],
  ])('a PostgreSQL address with "%s" connects to a server without TLS: %s', async (query, outcome) =>
    expect(await connect('127.0.0.1', plain, query)).toMatch(outcome),
  );

  it('a PostgreSQL address accepts a password with any character, encoded', async () => {
    const password = encodeURIComponent(PASSWORD);
    await secured.query(`GRANT CONNECT ON DATABASE postgres TO ${NAME}`);
    const database = await openDatabase({
      databaseUrl: `postgres://${NAME}:${password}@localhost:${secured.port}/postgres`,
    });
    expect(await database.query('SELECT current_user::text AS name')).toEqual([{ name: NAME }]);
    await database.close();
  });

  it('a PostgreSQL address finds the primary among several servers, and again after a change', async () => {
    const first = await servers.createPrimary();
    const second = await servers.createStandby(first);
    const hosts = [NOBODY, second.port, first.port].map((port) => `127.0.0.1:${port}`).join(',');
    const database = await openDatabase({ databaseUrl: `postgres://postgres@${hosts}/postgres` });
    const portOf = async (): Promise<unknown> =>
      (await database.query<{ port: string }>("SELECT current_setting('port') AS port"))[0]?.port;
    expect(await portOf()).toBe(String(first.port));
    await first.stop('immediate');
    await second.promote();
    await expect.poll(() => portOf().catch(() => null)).toBe(String(second.port));
    await database.close();
  });

  it.each([
    ['a port that is none', 'postgres://u:geheim@127.0.0.1:port/n'],
    ['a # in the password', 'postgres://u:geheim#@127.0.0.1/n'],
    ['a / in the password', 'postgres://u:geheim/@127.0.0.1/n'],
    ['a missing file', 'postgres://u:geheim@127.0.0.1/n?sslmode=verify-full&sslrootcert=/nowhere'],
    ['nobody there', `postgres://u:geheim@127.0.0.1:${NOBODY}/n`],
  ])('reports a PostgreSQL address with %s, in a few lines without the password', async (_, url) => {
    const run = runPlatform(['serve'], {
      DATABASE_URL: url,
      NATTER_TOKEN_SECRET: 'a secret of the tests that is long enough',
    });
    expect([1, 2]).toContain(await run.ended);
    const said = run.out() + run.err();
    expect(said).toContain('DATABASE_URL');
    expect(said).not.toContain('geheim');
    expect(said).not.toMatch(/^\s+at /m);
  });

  it('a PostgreSQL address may be IPv6 in brackets, and an invalid one is reported', async () => {
    const listen = (host: string) =>
      runPlatform(['serve'], { NATTER_HOST: host, NATTER_PORT: '0', NATTER_DATA_DIR: 'memory' });
    const bracketed = listen('[::1]');
    expect(await bracketed.serving).toMatch(/^http:\/\/\[::1\]:\d+/);
    await bracketed.stop();
    const unknown = listen('nowhere.invalid');
    expect(await unknown.ended).toBe(1);
    expect(unknown.err()).toContain('NATTER_HOST');
    expect(unknown.err()).not.toMatch(/^\s+at /m);
  });
});
