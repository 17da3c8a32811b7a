import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { COMMANDS } from './commands.ts';
import { openDatabase } from './db/index.ts';

const CLI = fileURLToPath(new URL('./cli.ts', import.meta.url));
const SLOW_MS = 120_000;

describe('the command line', () => {
  const folder = mkdtempSync(join(tmpdir(), 'natter-cli-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const run = (
    ...args: readonly string[]
  ): { readonly status: number | null; readonly out: string; readonly err: string } => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--conditions=@natter/source', CLI, ...args],
      {
        encoding: 'utf8',
        env: { PATH: process.env['PATH'], NATTER_DATA_DIR: folder },
      },
    );
    return { status, out: stdout, err: stderr };
  };

  it('lists every command in its help', { timeout: SLOW_MS }, () => {
    const { status, out } = run('--help');
    expect(status).toBe(0);
    for (const command of Object.keys(COMMANDS)) expect(out).toContain(`natter-platform ${command}`);
  });

  it.each([
    [['fly'], 'there is no command "fly"'],
    [['serve', 'now'], 'serve takes no "now"'],
    [['account', 'list', '--port', 'x'], '--port: must be a number'],
    [['account', 'list', '--wrong'], "Unknown option '--wrong'"],
    [['account', 'list', '--config', '/nowhere.json'], 'cannot be read'],
  ])('answers %j with what to correct and exit code 2', { timeout: SLOW_MS }, (args, problem) => {
    const { status, out, err } = run(...args);
    expect({ status, out }).toEqual({ status: 2, out: '' });
    expect(err).toContain(problem);
  });

  it('names all articles that a configuration leads to in vain', { timeout: SLOW_MS }, () => {
    const config = join(folder, 'config.json');
    const empty = join(folder, 'empty');
    mkdirSync(empty);
    const agents = {
      ada: { kind: 'knowledge', name: 'Ada', knowledgeFolder: './articles' },
      bo: { kind: 'knowledge', name: 'Bo', knowledgeFolder: empty },
    };
    writeFileSync(config, JSON.stringify({ server: { port: 0 }, agents }));
    const { status, err } = run('serve', '--config', config);
    expect(status).toBe(2);
    expect(err).toContain(`agents.ada: The folder ${join(folder, 'articles')} cannot be read.`);
    expect(err).toContain(`agents.bo: ${empty} holds no articles.`);
    expect(err).not.toContain('    at ');
  });

  it('adds, lists and revokes, printing the token once', { timeout: SLOW_MS }, () => {
    expect(run('account', 'add', 'shop').out).toContain('Added account shop');
    expect(run('project', 'add', 'shop', 'web').out).toContain('Added project shop/web');
    const added = run('connector', 'add', 'shop', 'web', 'site', '--domain', 'example.com');
    const token = /nct_[\w-]{43}/.exec(added.out)?.[0];
    expect(token).toBeDefined();
    const listed = run('connector', 'list', 'shop', 'web');
    expect(listed).toMatchObject({ status: 0, out: expect.stringContaining('example.com') });
    expect(listed.out).not.toContain(token);
    expect(run('connector', 'revoke', 'shop', 'web', 'site').out).toContain('no longer works');
    expect(run('connector', 'list').out).toContain('revoked');
    expect(run('project', 'add', 'nobody', 'web')).toMatchObject({ status: 1, out: '' });
  });

  it('adds, lists and revokes keys, printing each once', { timeout: SLOW_MS }, () => {
    run('account', 'add', 'keys');
    expect(run('key', 'add', 'keys', 'none')).toMatchObject({
      status: 2,
      err: expect.stringContaining('--permission'),
    });
    const added = run(
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
    const listed = run('key', 'list', 'keys').out;
    expect(listed).toMatch(/reports .* keys\/\* .*conversations.* expires 2999-01-31/);
    expect(listed).not.toContain(key);
    expect(run('key', 'revoke', 'keys', 'reports').out).toContain('no longer works');
    expect(run('key', 'revoke', 'keys', 'reports')).toMatchObject({ status: 1, out: '' });
  });

  it('says what to do when the server has the folder', { timeout: SLOW_MS }, async () => {
    const server = await openDatabase({ dataDir: folder });
    const { status, err } = run('account', 'list');
    expect(status).toBe(1);
    expect(err).toContain('in use by another process');
    expect(err).toContain('stop it, run this again, start it');
    await server.close();
  });
});
