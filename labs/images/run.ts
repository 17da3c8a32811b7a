// The way from a clone to a chat, where no container engine is: both images are built with buildah and started as their
// user on a read-only root, with Caddy and TLS in front and PostgreSQL behind. Then a chat, a restart, an upgrade, a restore.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { on, once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { WebSocket } from 'ws';
import { buildImage, Container, giveToImageUser, makeStandIns } from './containers.ts';

const USAGE = `npm run labs -- images [options]

  --stand-ins   base images of the same layout, made by debootstrap, where no registry can be reached
  --built       the images of the last run, without building them

Needs Linux, root, buildah, caddy and PostgreSQL (DATABASE_URL_TEST).`;

const { values } = parseArgs({
  options: { 'stand-ins': { type: 'boolean' }, built: { type: 'boolean' }, help: { type: 'boolean' } },
});
if (values.help) {
  console.log(USAGE);
  process.exit();
}
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const POSTGRES = process.env['DATABASE_URL_TEST'] ?? 'postgres://root@127.0.0.1:5432/test';
const tools = ['buildah', 'caddy', 'unshare', ...(values['stand-ins'] ? ['debootstrap'] : [])];
const missing = tools.filter((tool) => spawnSync('which', [tool]).status !== 0);
if (process.getuid?.() !== 0) missing.push('root');
if (missing.length > 0) {
  console.log(`Nothing was tried: ${missing.join(', ')} missing.`);
  process.exit(2);
}

const PORTS = { platform: 18_080, proxy: 18_787, https: 18_443, http: 18_081 };
const ORIGIN = 'https://www.example.com';
const folder = mkdtempSync(join(tmpdir(), 'natter-images-'));
const say = (line: string): void => console.log(`${new Date().toISOString().slice(11, 19)} ${line}`);

async function withDatabase<T>(run: (name: string, url: string) => Promise<T>): Promise<T> {
  const name = `natter_images_${process.pid}_${Math.random().toString(36).slice(2, 8)}`;
  const client = new pg.Client(POSTGRES);
  await client.connect();
  await client.query(`CREATE DATABASE ${name}`);
  const url = new URL(POSTGRES);
  url.pathname = name;
  try {
    return await run(name, url.href);
  } finally {
    await client.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await client.end();
  }
}

/** Asks through Caddy, whose certificate is trusted and no other. */
async function ask(path: string, body?: string): Promise<{ readonly status: number; readonly text: string }> {
  const call = request({
    host: 'localhost',
    port: PORTS.https,
    path,
    ca: authority(),
    method: body === undefined ? 'GET' : 'POST',
    headers: { Origin: ORIGIN, 'Content-Type': 'application/json' },
  }).end(body);
  const [answer] = (await once(call, 'response')) as [IncomingMessage];
  return { status: answer.statusCode ?? 0, text: (await answer.toArray()).join('') };
}
const authority = (): Buffer => readFileSync(join(folder, 'caddy/pki/authorities/local/root.crt'));

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    if (await isSo().catch(() => false)) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(
    `${what}: not within a minute.\n${platform.output.slice(-2_000)}\n${proxy.output.slice(-2_000)}`,
  );
}

interface Session {
  readonly session_id: string;
  readonly access_token: string;
  readonly websocket_url: string;
}

interface Frame {
  readonly payload?: { readonly text?: string; readonly events?: readonly Frame[] };
}

/** Reads a session from its beginning until `last` was said. `words` are sent first. Rejects after a minute. */
async function talk(session: Session, last: string, words?: string): Promise<void> {
  const query = new URLSearchParams({
    session_id: session.session_id,
    access_token: session.access_token,
    cursor: '0',
  });
  const address = session.websocket_url.replace('wss://localhost/', `wss://localhost:${PORTS.https}/`);
  const socket = new WebSocket(`${address}?${query}`, { ca: authority(), origin: ORIGIN });
  const frames = on(socket, 'message', { signal: AbortSignal.timeout(60_000) });
  let output = '';
  try {
    await once(socket, 'open');
    const send = (type: string, payload: object): void => socket.send(JSON.stringify({ type, payload }));
    if (words !== undefined) {
      send('EVENT_TYPE_REQUEST_AGENT_JOIN', {});
      send('EVENT_TYPE_USER_MESSAGE', { text: words });
    }
    for await (const [data] of frames) {
      const frame = JSON.parse(String(data)) as Frame;
      // Earlier messages come as one frame.
      for (const { payload } of [frame, ...(frame.payload?.events ?? [])]) output += payload?.text ?? '';
      if (output.includes(last)) return;
    }
  } finally {
    socket.terminate();
  }
}

if (!values.built) {
  if (values['stand-ins']) {
    say('makes stand-ins of the base images');
    makeStandIns(folder);
  }
  for (const target of ['platform', 'token-proxy']) {
    say(`builds the image ${target}`);
    buildImage(target, folder, values['stand-ins'] === true);
  }
}
// As in the guide: settings with fresh secrets.
execFileSync(process.execPath, [join(ROOT, 'scripts/deploy-env.ts'), 'localhost', 'www.example.com', folder]);
const settings = Object.fromEntries(
  readFileSync(join(folder, '.env'), 'utf8')
    .split('\n')
    .filter((line) => /^\w+=/.test(line))
    .map((line) => line.split(/=(.*)/s, 2)),
) as Record<string, string>;
const [data, config, articles] = ['data', 'config', 'articles'].map((name) => join(folder, name)) as [
  string,
  string,
  string,
];
for (const each of [data, config]) mkdirSync(each);
cpSync(join(folder, 'deploy/local/natter.json'), join(config, 'natter.json'));
cpSync(join(folder, 'deploy/local/articles'), articles, { recursive: true });
execFileSync('chmod', ['711', folder]);
giveToImageUser(data);
const mounts = { data, config, 'etc/natter/articles': articles };

let platform = new Container('platform');
const proxy = new Container('token-proxy');
// The shipped file, with the machine's own names and ports that are free.
const caddyfile = readFileSync(join(ROOT, 'deploy/containers.Caddyfile'), 'utf8')
  .replace('dynamic a platform 8080', `dynamic a localhost ${PORTS.platform}`)
  .replace('dynamic a token-proxy 8787', `dynamic a localhost ${PORTS.proxy}`);
writeFileSync(
  join(folder, 'Caddyfile'),
  `{\n\tadmin off\n\thttps_port ${PORTS.https}\n\thttp_port ${PORTS.http}\n\tskip_install_trust\n\tstorage file_system ${join(folder, 'caddy')}\n}\n${caddyfile}`,
);
const caddy = spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')], {
  env: { ...process.env, NATTER_CHAT_HOST: 'localhost' },
  stdio: ['ignore', 'ignore', 'ignore'],
});
// Also after an error that nothing here expects.
process.once('exit', () => caddy.kill());
const platformEnv = (databaseUrl: string): Record<string, string> => ({
  DATABASE_URL: databaseUrl,
  NATTER_TOKEN_SECRET: settings['NATTER_TOKEN_SECRET'] ?? '',
  NATTER_CONFIG: '/config/natter.json',
  NATTER_HOST: '127.0.0.1',
  NATTER_PORT: String(PORTS.platform),
  NATTER_TRUSTED_PROXY_HOPS: '1',
});
const isReady = async (): Promise<boolean> => (await fetch(`http://127.0.0.1:${PORTS.platform}/readyz`)).ok;

try {
  await withDatabase(async (_name, url) => {
    platform.start(platformEnv(url), mounts);
    proxy.start(
      {
        ...Object.fromEntries(
          Object.entries(settings).filter(([name]) => /^NATTER_(?:CONNECTOR|TICKET|ALLOWED)/.test(name)),
        ),
        NATTER_UPSTREAM_URL: `http://127.0.0.1:${PORTS.platform}`,
        NATTER_WEBSOCKET_URL: 'wss://localhost/ws',
        HOST: '127.0.0.1',
        PORT: String(PORTS.proxy),
        NATTER_TRUSTED_PROXY_HOPS: '1',
      },
      {},
    );
    await until('the platform is ready', isReady);
    await until('health through Caddy', async () => (await ask('/v1/health')).status === 200);
    say('health: the platform is ready, and the token proxy says so through Caddy with TLS');
    const script = await ask('/natter.js');
    if (script.status !== 200 || script.text.length < 1_000) throw new Error(`natter.js: ${script.status}`);
    const pages = await Promise.all(
      ['/docs/', '/openapi.json', '/reference'].map((path) =>
        fetch(`http://127.0.0.1:${PORTS.platform}${path}`),
      ),
    );
    if (pages.some(({ ok }) => !ok))
      throw new Error(`pages of the platform: ${pages.map(({ status }) => status)}`);
    const begin = async (): Promise<Session> => JSON.parse((await ask('/v1/session', '{}')).text);
    const session = await begin();
    await talk(session, 'nine to five', 'When are you open?');
    say('chat: a question through Caddy was answered from the article that deploy:env wrote');

    await platform.stop();
    platform.start(platformEnv(url), mounts);
    await until('the platform is ready again', isReady);
    await talk(session, 'nine to five');
    say('restart: the conversation is as it was');

    const dump = await platform
      .run(platformEnv(url), mounts, ['backup', '/data/before.backup'])
      .catch(String);
    say(`backup: ${dump.trim().split('\n').at(-1)}`);

    const before = platform;
    platform = new Container('platform');
    await before.stop();
    before.remove();
    await platform.run(platformEnv(url), mounts, ['db', 'migrate']);
    platform.start(platformEnv(url), mounts);
    await until('the new platform is ready', isReady);
    await talk(session, 'nine to five');
    await talk(await begin(), 'nine to five', 'What are your opening hours?');
    say('upgrade: a container of the new image migrates, goes on with the conversation, and begins another');

    await platform.stop();
    await withDatabase(async (_other, empty) => {
      await platform.run(platformEnv(empty), mounts, ['restore', '/data/before.backup']);
      platform.start(platformEnv(empty), mounts);
      await until('the restored platform is ready', isReady);
      await talk(session, 'nine to five');
      say('restore: the conversation is in the new database');
      await platform.stop();
    });
  });
} finally {
  await platform.stop();
  await proxy.stop();
  platform.remove();
  proxy.remove();
  rmSync(folder, { recursive: true, force: true });
}
// Sockets that Caddy held open would keep the process.
process.exit();
