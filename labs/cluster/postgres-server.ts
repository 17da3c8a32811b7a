import { spawnSync } from 'node:child_process';
import { appendFile, chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '../../e2e/stack/free-port.ts';

/** A PostgreSQL server of a test, so that it can be restarted. */
export interface TestPostgres {
  /** `postgres://…` of a database that is empty at first. */
  readonly url: string;
  /** Ends it as a crash would, and starts it again. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Whether this machine has the programs. */
export const HAS_POSTGRES: boolean = ['initdb', 'pg_ctl'].every(
  (program) => spawnSync(program, ['--version']).status === 0,
);

const USER = 'natter';

/** PostgreSQL refuses to run as root: then the user that its package has made runs it. */
function findUser(): { readonly uid: number; readonly gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  const idOf = (flag: string): number =>
    Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout.trim());
  return { uid: idOf('-u'), gid: idOf('-g') };
}

/** Makes a new server in a temporary folder and starts it. */
export async function startPostgres(): Promise<TestPostgres> {
  const user = findUser();
  const folder = await mkdtemp(join(tmpdir(), 'natter-cluster-postgres-'));
  if (user !== null) await chown(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  const port = await findFreePort();
  const run = (program: string, ...words: readonly string[]): void => {
    const { status, stderr } = spawnSync(program, words, {
      ...{ cwd: folder, encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'] },
      ...user,
    });
    if (status !== 0) throw new Error(`${program} ${words.join(' ')} failed.\n${stderr}`);
  };
  // Of no locale: `LANG` may name one that is not installed.
  run('initdb', '-D', data, '-U', USER, '--auth=trust', '--no-sync', '-E', 'UTF8', '--no-locale');
  const settings = {
    port,
    listen_addresses: "'127.0.0.1'",
    unix_socket_directories: `'${folder}'`,
    max_connections: 100,
    // The machine itself does not fail.
    fsync: 'off',
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  await appendFile(join(data, 'postgresql.conf'), `${lines.join('\n')}\n`);
  const control = (verb: string, ...words: readonly string[]): void =>
    run('pg_ctl', verb, '-w', '-D', data, ...words);
  const start = (): void => control('start', '-l', join(folder, 'log'));
  start();
  return {
    url: `postgres://${USER}@127.0.0.1:${port}/postgres`,
    async restart() {
      control('stop', '-m', 'immediate');
      start();
    },
    async stop() {
      control('stop', '-m', 'immediate');
      await rm(folder, { recursive: true, force: true });
    },
  };
}
