import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EMBEDDED_ENGINE, type TestDatabase } from '../test/db/engines.ts';
import { PROGRAM_ENVIRONMENT } from '../test/run-platform.ts';
import { COMMAND_LINE_OPTIONS } from './app/cli/command-line-options.ts';
import { runCommandLine } from './app/cli/run-command-line.ts';
import { COMMANDS } from './app/commands.ts';
import { openDatabase } from './db/index.ts';

const CLI = fileURLToPath(new URL('../bin/natter-platform.js', import.meta.url));

describe('the command line', () => {
  const folder = mkdtempSync(join(tmpdir(), 'natter-cli-'));
  const environment = { ...PROGRAM_ENVIRONMENT, NATTER_DATA_DIR: folder };
  let place: TestDatabase;
  beforeAll(async () => {
    place = await EMBEDDED_ENGINE.open();
  });
  afterAll(async () => {
    await place.close();
    rmSync(folder, { recursive: true, force: true });
  });

  type Run = { readonly status: number | null; readonly out: string; readonly err: string };

  /** As an operator types it, in a separate process. */
  const type = (...args: readonly string[]): Run => {
    const options = { encoding: 'utf8', env: environment } as const;
    const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, ...args], options);
    return { status, out: stdout, err: stderr };
  };

  /** Runs the command in this process, on a database that stays open. */
  const run = async (...args: readonly string[]): Promise<Run> => {
    let out = '';
    let err = '';
    const status = await runCommandLine(args, {
      environment,
      openDatabase: async () => ({ ...place.database, close: async () => {} }),
      print: (line) => {
        out += `${line}\n`;
      },
      printError: (line) => {
        err += `${line}\n`;
      },
    });
    return { status, out, err };
  };

  it('lists every command and option in --help', async () => {
    const { status, out } = type('--help');
    expect(status).toBe(0);
    for (const command of Object.keys(COMMANDS)) expect(out).toContain(`natter-platform ${command}`);
    for (const option of Object.keys(COMMAND_LINE_OPTIONS)) expect(out).toContain(`--${option} `);
  });

  it.each([
    [['fly'], 'there is no command "fly"'],
    [['serve', 'now'], 'serve takes no "now"'],
    [['account', 'list', '--port', 'x'], '--port: must be a number'],
    [['account', 'list', '--wrong'], "Unknown option '--wrong'"],
    [['account', 'add', 'shop', '--yes'], '--yes: is no option of "account add"'],
    [['serve', '--json'], '--json: is no option of "serve"'],
    [['account', 'list', '--dev'], '--dev: is no option of "account list"'],
    [['account', 'list', '--config', '/nowhere.json'], 'cannot be read'],
  ])('answers %j with what to correct and exit code 2', async (args, problem) => {
    const { status, out, err } = await run(...args);
    expect({ status, out }).toEqual({ status: 2, out: '' });
    expect(err).toContain(problem);
  });

  it('names all missing article files of a configuration at once', async () => {
    const config = join(folder, 'config.json');
    const empty = join(folder, 'empty');
    mkdirSync(empty);
    const agents = {
      ada: { kind: 'knowledge', name: 'Ada', knowledgeFolder: './articles' },
      bo: { kind: 'knowledge', name: 'Bo', knowledgeFolder: empty },
    };
    writeFileSync(config, JSON.stringify({ server: { port: 0 }, agents }));
    const { status, err } = await run('serve', '--data', 'memory', '--config', config);
    expect(status).toBe(2);
    expect(err).toContain(`agents.ada: The folder ${join(folder, 'articles')} cannot be read.`);
    expect(err).toContain(`agents.bo: ${empty} holds no articles.`);
    expect(err).not.toContain('    at ');
  });

  it('token add, list and revoke print a token once', async () => {
    expect((await run('account', 'add', 'shop')).out).toContain('Added account shop');
    expect((await run('project', 'add', 'shop', 'web')).out).toContain('Added project shop/web');
    const added = await run('connector', 'add', 'shop', 'web', 'site', '--domain', 'example.com');
    const token = /nct_[\w-]{43}/.exec(added.out)?.[0];
    expect(token).toBeDefined();
    const listed = await run('connector', 'list', 'shop', 'web');
    expect(listed).toMatchObject({ status: 0, out: expect.stringContaining('example.com') });
    expect(listed.out).not.toContain(token);
    expect((await run('connector', 'revoke', 'shop', 'web', 'site')).out).toContain('no longer works');
    expect((await run('connector', 'list')).out).toContain('revoked');
    expect(await run('project', 'add', 'nobody', 'web')).toMatchObject({ status: 1, out: '' });
  });

  it('token add refuses an agent that the configuration lacks, as the configuration file does', async () => {
    await run('account', 'add', 'agents');
    const refused = await run('project', 'add', 'agents', 'web', '--agent', 'nobody');
    expect(refused).toMatchObject({ status: 2, out: '' });
    expect(refused.err).toContain('There is no agent "nobody"; there are "kittiwake"');
    expect((await run('project', 'list', 'agents')).out).toContain('There is no project yet');
    const config = join(folder, 'agents.json');
    const articles = join(folder, 'nothing-is-read-yet');
    const ada = { kind: 'knowledge', name: 'Ada', knowledgeFolder: articles };
    writeFileSync(config, JSON.stringify({ agents: { ada } }));
    const added = await run('project', 'add', 'agents', 'web', '--agent', 'ada', '--config', config);
    expect(added).toMatchObject({ status: 0, err: expect.not.stringContaining('no agent') });
  });

  it('--json writes JSON to standard output, and nothing else', async () => {
    const { status, out } = await run('account', 'list', '--json');
    expect({ status, list: JSON.parse(out) }).toEqual({ status: 0, list: expect.any(Array) });
    expect(JSON.parse((await run('account', 'add', 'json', '--json')).out)).toMatchObject({ slug: 'json' });
  });

  it('key add, list and revoke print each key once', async () => {
    await run('account', 'add', 'keys');
    expect(await run('key', 'add', 'keys', 'none')).toMatchObject({
      status: 2,
      err: expect.stringContaining('--permission'),
    });
    const added = await run(
      'key',
      'add',
      'keys',
      'reports',
      '--permission',
      'conversations',
      '--expires',
      '2999-01-31',
    );
    const key = /nak_[\w-]{43}/.exec(added.out)?.[0];
    expect(key).toBeDefined();
    const listed = (await run('key', 'list', 'keys')).out;
    expect(listed).toMatch(/reports .* keys\/\* .*conversations.* expires 2999-01-31/);
    expect(listed).not.toContain(key);
    expect((await run('key', 'revoke', 'keys', 'reports')).out).toContain('no longer works');
    expect(await run('key', 'revoke', 'keys', 'reports')).toMatchObject({ status: 1, out: '' });
  });

  it('reports a port in use without a stack trace', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => {
      other.listen(0, '127.0.0.1', resolve);
    });
    const address = other.address();
    const port = typeof address === 'object' ? String(address?.port) : '';
    const { status, err } = await run('serve', '--port', port, '--data', 'memory');
    expect(status).toBe(1);
    expect(err).toBe(
      `Cannot listen on 127.0.0.1:${port}: another program uses this port. Choose another port with --port or NATTER_PORT.\n`,
    );
    other.close();
  });

  it('reports what to do when the server holds the data folder', async () => {
    const server = await openDatabase({ dataDir: folder });
    const { status, err } = type('account', 'list');
    expect(status).toBe(1);
    expect(err).toContain('in use by another process');
    expect(err).toContain('Stop it, run the command again, then start it');
    await server.close();
  });
});
