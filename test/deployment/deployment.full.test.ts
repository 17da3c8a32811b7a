import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ENVIRONMENT_VARIABLES } from '../../server-platform/src/app/config/index.ts';
import { ENVIRONMENT } from '../../server-token-proxy/src/command/read-environment.ts';

const FOLDER = fileURLToPath(new URL('../../deploy/', import.meta.url));
const PAGE = ['deployment', 'deployment-containers', 'deployment-edges']
  .map((name) => readFileSync(fileURLToPath(new URL(`../../docs/${name}.md`, import.meta.url)), 'utf8'))
  .join('\n');
const read = (name: string): string => readFileSync(join(FOLDER, name), 'utf8');
const isInstalled = (command: string): boolean => spawnSync(command, ['--version']).error === undefined;

/** Returns the variables that an environment file sets, including commented ones. */
const variablesIn = (name: string): readonly string[] =>
  [...read(name).matchAll(/^#?([A-Z_]+)=/gm)].map(([, variable = '']) => variable);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'natter-deploy-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('the files of deploy/', () => {
  it('the files of deploy/ are all named in docs/deployment*.md', () => {
    // The output of `npm run deploy:env` is not part of the repository.
    const names = readdirSync(FOLDER).filter((name) => name !== 'local');
    expect(names.filter((name) => !PAGE.includes(name))).toEqual([]);
  });

  it('the files of deploy/ set variables that the servers read', () => {
    const known = (names: readonly string[], name: string): readonly string[] =>
      variablesIn(name).filter((variable) => !names.includes(variable));
    expect(variablesIn('platform.env').length).toBeGreaterThan(4);
    expect(known(Object.keys(ENVIRONMENT_VARIABLES), 'platform.env')).toEqual([]);
    expect(
      known(
        ENVIRONMENT.map(({ name }) => name),
        'token-proxy.env',
      ),
    ).toEqual([]);
  });

  it('the files of deploy/ contain a configuration that the platform reads', () => {
    const articles = join(folder, 'articles');
    mkdirSync(articles);
    writeFileSync(
      join(articles, 'pets.md'),
      '---\ntitle: Pets\nquestions: [May I bring a dog?]\n---\nYes.\n',
    );
    const file = join(folder, 'natter.json');
    const cli = fileURLToPath(new URL('../../server-platform/bin/natter-platform.js', import.meta.url));
    const listConnectors = (config: string): ReturnType<typeof spawnSync> => {
      writeFileSync(file, config);
      const options = ['--json', '--config', file, '--data', join(folder, 'data')];
      return spawnSync(process.execPath, [cli, 'connector', 'list', ...options], { encoding: 'utf8' });
    };
    const config = read('natter.json').replace('/etc/natter/articles', articles);
    // A token's placeholder is not a valid token.
    expect(listConnectors(config).stderr).toMatch(/connectors\[0\]\.token: must have 20 to 256/);
    const { status, stdout } = listConnectors(
      config.replace(/"the output of: .*?"/, `"${'a1b2'.repeat(16)}"`),
    );
    expect([status, stdout]).toEqual([0, '[]\n']);
  });

  it.runIf(isInstalled('systemd-analyze'))('systemd accepts the units of deploy/', () => {
    const units = readdirSync(join(FOLDER, 'systemd')).map((name) => {
      const unit = join(folder, name);
      // The command exists only with installed packages.
      writeFileSync(
        unit,
        read(join('systemd', name)).replace(/^ExecStart=\S+/m, `ExecStart="${process.execPath}"`),
      );
      return unit;
    });
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', ...units], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
  });

  it.runIf(isInstalled('caddy'))('Caddy accepts the configuration of deploy/', () => {
    const { status, stderr } = spawnSync(
      'caddy',
      ['validate', '--adapter', 'caddyfile', '--config', join(FOLDER, 'Caddyfile')],
      { encoding: 'utf8', env: { ...process.env, HOME: folder } },
    );
    expect(status, stderr).toBe(0);
  });

  it.runIf(existsSync('/usr/sbin/nginx'))('nginx accepts the configuration of deploy/', () => {
    const [key, certificate] = ['privkey.pem', 'fullchain.pem'].map((name) => join(folder, name));
    execFileSync(
      'openssl',
      [
        ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=chat.example.com'],
        ...['-keyout', key ?? '', '-out', certificate ?? ''],
      ],
      { stdio: 'ignore' },
    );
    const site = join(folder, 'site.conf');
    writeFileSync(site, read('nginx.conf').replaceAll('/etc/letsencrypt/live/chat.example.com', folder));
    const main = join(folder, 'nginx.conf');
    writeFileSync(main, `pid ${folder}/nginx.pid; events {} http { include ${site}; }`);
    const { status, stderr } = spawnSync('/usr/sbin/nginx', ['-t', '-c', main], { encoding: 'utf8' });
    expect(status, stderr).toBe(0);
  });
});
