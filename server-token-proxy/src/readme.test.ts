import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ENVIRONMENT, readEnvironment } from './command/read-environment.ts';
import { ERROR_CODES } from './error-codes.ts';
import { isRecord } from './kit/is-record.ts';
import { startTokenProxy } from './node.ts';
import { createTicketKey } from './sessions/ticket-key.ts';
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
  it('lists every environment variable in the README, with purpose and default', () => {
    const rows = ENVIRONMENT.map(({ name, purpose, fallback }) => [name, purpose, fallback]);
    expect(readTable('Variable')).toEqual(rows);
  });

  it('lists every error code in the README, with status and retryability', () => {
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

  it("runs a proxy that serves the script with the README's commands", () => {
    const read = readEnvironment({ ...exported, ...SECRETS });
    expect(read).toMatchObject({
      status: 'ready',
      options: { embedDir: './node_modules/natter/dist/embed' },
    });
  });
});

describe('the environment table', () => {
  const COMPLETE = {
    NATTER_UPSTREAM_URL: 'https://messaging.example.net',
    NATTER_CONNECTOR_TOKEN: 't',
    NATTER_CONNECTOR_HOST: 'example.com',
    NATTER_TICKET_KEYS: createTicketKey(),
    NATTER_ALLOWED_ORIGINS: 'https://www.example.net',
  };

  it.each(ENVIRONMENT.filter(({ name }) => !name.startsWith('OTEL_')))(
    'lists the variables that are read in the table: $name',
    ({ name, example }) => {
      expect(readEnvironment({ ...COMPLETE, [name]: example })).not.toEqual(readEnvironment(COMPLETE));
    },
  );

  it('states the effective defaults in the README', async () => {
    const fallbacks = Object.fromEntries(ENVIRONMENT.map(({ name, fallback }) => [name, fallback]));
    const result = readEnvironment(COMPLETE);
    if (result.status === 'refused') throw new Error(result.message);
    expect(fallbacks['PORT']).toBe(String(result.options.port));
    const running = await startTokenProxy({ ...result.options, port: 0 });
    const alive = await fetch(`${running.url}/livez`);
    await running.close();
    expect(fallbacks['HOST']).toBe(new URL(running.url).hostname);
    expect(alive.headers.get('keep-alive')).toBe(
      `timeout=${Number(fallbacks['NATTER_KEEP_ALIVE_MS']) / 1_000}`,
    );
  });
});

it('states the version of the package', () => {
  const manifest: unknown = JSON.parse(read('../package.json'));
  expect(isRecord(manifest) && manifest['version']).toBe(VERSION);
});
