import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ENVIRONMENT } from './environment-table.ts';
import { ERROR_CODES } from './error-codes.ts';
import { isRecord } from './is-record.ts';
import { readEnvironment } from './read-environment.ts';
import { DEFAULT_LIMITS } from './request-limits.ts';
import { createTicketKey } from './ticket-key.ts';
import { VERSION } from './version.ts';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');
const README = read('../README.md');

/** The rows under the table header that begins with `first`, cell by cell, code marks removed. */
function readTable(first: string): readonly (readonly string[])[] {
  const lines = README.split('\n');
  const start = lines.findIndex((line) => new RegExp(`^\\| ${first} +\\|`).test(line));
  const rows = lines.slice(start + 2);
  const end = rows.findIndex((line) => !line.startsWith('|'));
  const readCells = (row: string): readonly string[] =>
    row
      .slice(1, -1)
      .split(' | ')
      .map((cell) => cell.trim().replace(/^`|`$/g, ''));
  return rows.slice(0, end).map(readCells);
}

describe('the README', () => {
  it('lists the environment variables that are read, with purpose and default', () => {
    const rows = ENVIRONMENT.map(({ name, purpose, fallback }) => [name, purpose, fallback]);
    expect(readTable('Variable')).toEqual(rows);
  });

  it('lists the error codes there are, with status and retryability', () => {
    const rows = Object.entries(ERROR_CODES).map(([code, { status, retryable }]) => [
      code,
      String(status),
      retryable ? 'yes' : 'no',
    ]);
    expect(readTable('Code').map((cells) => cells.slice(0, 3))).toEqual(rows);
  });
});

describe('the commands to run it in Node', () => {
  const [, commands = ''] = /## Run it in Node\n\n```sh\n([\s\S]*?)```/.exec(README) ?? [];
  const exported = Object.fromEntries(
    [...commands.matchAll(/^export (\w+)=(\S+)/gm)].map(([, name = '', value = '']) => [name, value]),
  );

  const SECRETS = { NATTER_CONNECTOR_TOKEN: 't', NATTER_TICKET_KEYS: createTicketKey() };

  it('are enough for a proxy that serves the script it is asked for', () => {
    const read = readEnvironment({ ...exported, ...SECRETS });
    expect(read).toMatchObject({
      status: 'ready',
      configuration: { embedDir: './node_modules/natter/dist/embed' },
    });
  });
});

describe('the environment table', () => {
  it('holds every variable that the source reads, and no other', () => {
    const source = read('./read-environment.ts');
    const named = new Set(
      source.match(/'(?:NATTER_[A-Z_]+|PORT|HOST)'/g)?.map((quoted) => quoted.slice(1, -1)),
    );
    // Read by the SDK of OpenTelemetry.
    named.add('OTEL_EXPORTER_OTLP_ENDPOINT');
    expect([...named].sort()).toEqual(ENVIRONMENT.map(({ name }) => name).sort());
  });

  // Uploads and searches need a hook, which no variable can hold.
  it('gives the defaults that apply', () => {
    const fallbacks = Object.fromEntries(ENVIRONMENT.map(({ name, fallback }) => [name, fallback]));
    const result = readEnvironment({
      NATTER_UPSTREAM_URL: 'https://messaging.example.com',
      NATTER_CONNECTOR_TOKEN: 't',
      NATTER_CONNECTOR_HOST: 'www.example.com',
      NATTER_TICKET_KEYS: createTicketKey(),
      NATTER_ALLOWED_ORIGINS: 'https://www.example.com',
    });
    if (result.status === 'refused') throw new Error(result.message);
    const { host, port, logLevel } = result.configuration;
    expect([fallbacks['HOST'], fallbacks['PORT'], fallbacks['NATTER_LOG_LEVEL']]).toEqual([
      host,
      String(port),
      logLevel,
    ]);
    expect([
      fallbacks['NATTER_SESSIONS_PER_CLIENT'],
      fallbacks['NATTER_RESUMES_PER_CLIENT'],
      fallbacks['NATTER_TURNS_PER_CLIENT'],
      fallbacks['NATTER_SESSIONS_TOTAL'],
      fallbacks['NATTER_RESUMES_TOTAL'],
      fallbacks['NATTER_TURNS_TOTAL'],
    ]).toEqual(
      Object.entries(DEFAULT_LIMITS).flatMap(([name, limit]) =>
        /^(?:uploads|searches)/.test(name) ? [] : [`${limit}`],
      ),
    );
  });
});

it('tells the version of the package', () => {
  const manifest: unknown = JSON.parse(read('../package.json'));
  expect(isRecord(manifest) && manifest['version']).toBe(VERSION);
});
