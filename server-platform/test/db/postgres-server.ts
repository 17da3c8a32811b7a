import pg from 'pg';

/** Where the tests look for a PostgreSQL server. */
export const POSTGRES_URL: string = process.env['DATABASE_URL_TEST'] ?? 'postgres://root@127.0.0.1:5432/test';

/** Null when the server answers, else what to do about it. */
export const whyNoPostgres: string | null = await findFault();

/** The server, if it answers. */
export const REACHABLE_POSTGRES_URL: string | undefined = whyNoPostgres === null ? POSTGRES_URL : undefined;

// Not by way of the platform's own code: a fault of that would skip the tests that find it.
async function findFault(): Promise<string | null> {
  const client = new pg.Client({ connectionString: POSTGRES_URL, connectionTimeoutMillis: 10_000 });
  try {
    await client.connect();
    await client.end();
    return null;
  } catch {
    return 'no PostgreSQL server answers; start one or set DATABASE_URL_TEST';
  }
}
