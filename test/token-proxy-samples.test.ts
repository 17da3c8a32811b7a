import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { findFreePort } from '../e2e/stack/free-port.ts';
import { createTicketKey } from '../server-token-proxy/src/index.ts';
import {
  type FakeUpstream,
  makeAccessToken,
  SESSION_PATH,
  startFakeUpstream,
  TOKEN_PATH,
} from '../server-token-proxy/test/fake-upstream.ts';
import { CONNECTOR_TOKEN, PAGE_ORIGIN, SESSION_ID } from '../server-token-proxy/test/proxy-fixture.ts';

const FOLDER = fileURLToPath(new URL('../examples/token-proxy/', import.meta.url));
const BINARIES = fileURLToPath(new URL('../node_modules/.bin/', import.meta.url));
const SOURCE = '--conditions=@natter/source';
const ACCESS_TOKEN = makeAccessToken({ sub: 'visitor', exp: 4_000_000_000 });
const TICKETS = mkdtempSync(join(tmpdir(), 'natter-tickets-'));

let platform: FakeUpstream;
beforeAll(async () => {
  platform = await startFakeUpstream(ACCESS_TOKEN, SESSION_ID);
});
afterAll(async () => {
  await platform.close();
  rmSync(TICKETS, { recursive: true });
});

const settings = () => ({
  NATTER_UPSTREAM_URL: platform.url,
  NATTER_CONNECTOR_TOKEN: CONNECTOR_TOKEN,
  NATTER_CONNECTOR_HOST: 'www.kittiwake.example',
  NATTER_TICKET_KEYS: createTicketKey(),
  NATTER_ALLOWED_ORIGINS: PAGE_ORIGIN,
  NATTER_TICKET_DIR: TICKETS,
});

type Send = (request: Request) => Promise<Response>;

const post = (endpoint: string, path: string, body: object, origin = PAGE_ORIGIN): Request =>
  new Request(endpoint + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: origin },
    body: JSON.stringify(body),
  });

/** Sends the requests of a widget to a token proxy, and the requests of a page of another origin. */
async function expectTokenProxy(endpoint: string, send: Send): Promise<void> {
  const preflight = await send(
    new Request(`${endpoint}/v1/session`, {
      method: 'OPTIONS',
      headers: { Origin: PAGE_ORIGIN, 'Access-Control-Request-Method': 'POST' },
    }),
  );
  expect(preflight.ok).toBe(true);
  expect(preflight.headers.get('access-control-allow-origin')).toBe(PAGE_ORIGIN);

  const started = await send(post(endpoint, '/v1/session', { connector: 'default', device_type: 'mobile' }));
  const text = await started.text();
  expect(started.status, text).toBe(200);
  expect(started.headers.get('access-control-allow-origin')).toBe(PAGE_ORIGIN);
  expect(text).not.toContain(CONNECTOR_TOKEN);
  const session = JSON.parse(text);
  expect(session).toMatchObject({
    session_id: SESSION_ID,
    access_token: ACCESS_TOKEN,
    expires_in_seconds: expect.any(Number),
    websocket_url: `${platform.url.replace('http', 'ws')}/ws`,
    resume_by: 'ticket',
    offers: [],
  });
  const granting = platform.seen.findLast(({ path }) => path === TOKEN_PATH);
  const creating = platform.seen.findLast(({ path }) => path === SESSION_PATH);
  expect(granting?.headers).toMatchObject({ 'x-token': CONNECTOR_TOKEN, 'x-host': 'www.kittiwake.example' });
  expect(JSON.parse(creating?.body ?? '')).toEqual({
    platform: 'web',
    streaming_enabled: true,
    device_type: 'mobile',
  });

  const countTokens = (): number => platform.seen.filter(({ path }) => path === TOKEN_PATH).length;
  const tokens = countTokens();
  const foreign = await send(post(endpoint, '/v1/session', {}, 'https://evil.test'));
  expect(foreign.status).toBe(403);
  expect(await foreign.json()).toMatchObject({ code: 'ORIGIN_NOT_ALLOWED', retryable: false });
  expect(countTokens()).toBe(tokens);

  const resumed = await send(
    post(endpoint, '/v1/resume', { connector: 'default', resume_ticket: session.resume_ticket }),
  );
  expect(resumed.status).toBe(200);
  const { session_id, access_token, resume_ticket } = JSON.parse(await resumed.text());
  expect({ session_id, access_token }).toEqual({ session_id: SESSION_ID, access_token: ACCESS_TOKEN });
  const probed = await send(post(endpoint, '/v1/probe', { connector: 'default', session_id, access_token }));
  expect(await probed.json()).toMatchObject({
    handshake: expect.stringMatching(/^(unknown|unreachable|refused)$/),
  });
  const loggedOut = await send(post(endpoint, '/v1/logout', { connector: 'default', resume_ticket }));
  expect(await loggedOut.json()).toEqual({ status: 'logged_out' });
  for (const ticket of [session.resume_ticket, 'forged.ticket']) {
    const refused = await send(post(endpoint, '/v1/resume', { resume_ticket: ticket }));
    expect(refused.status).toBe(410);
    expect(await refused.json()).toMatchObject({ code: 'RESUME_TICKET_INVALID' });
  }
}

/** Runs a program until the end of the test; resolves when it responds. */
async function start(command: string, args: readonly string[], port: number, health: string): Promise<void> {
  const child: ChildProcess = spawn(command, args, {
    cwd: FOLDER,
    env: { ...process.env, ...settings(), PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk));
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  });
  await expect
    .poll(async () => {
      if (child.exitCode !== null) return `ended: ${output}`;
      return (await fetch(health).catch(() => null))?.status ?? 'no answer';
    })
    .toBe(200);
}

const isThere = (command: string): boolean => spawnSync(command, ['--version']).status === 0;
const node = (file: string) => () => [process.execPath, SOURCE, file];

const WORKERD = `${BINARIES}workerd`;

/** Bundles the Worker and writes a configuration for the runtime of Workers; returns its path. */
async function writeWorker(folder: string, port: number): Promise<string> {
  const conditions = ['@natter/source', 'workerd', 'worker'];
  await build({
    ...{ configFile: false, root: FOLDER, logLevel: 'warn' },
    ssr: { noExternal: true, target: 'webworker', resolve: { conditions } },
    build: {
      ...{ ssr: 'worker.ts', outDir: folder, emptyOutDir: false, target: 'esnext' },
      rolldownOptions: { output: { entryFileNames: 'worker.js' } },
    },
  });
  // Modules of Node are not available: importing one would be an error.
  const { compatibility_date } = JSON.parse(readFileSync(join(FOLDER, 'wrangler.jsonc'), 'utf8'));
  const bindings = Object.keys(settings()).map((name) => `(name = "${name}", fromEnvironment = "${name}")`);
  const file = join(folder, 'config.capnp');
  const text = `using Workerd = import "/workerd/workerd.capnp";
    const config :Workerd.Config = (
      services = [
        (name = "proxy", worker = .proxy),
        (name = "internet", network = (allow = ["private"])),
      ],
      sockets = [(address = "127.0.0.1:${port}", http = (), service = "proxy")],
    );
    const proxy :Workerd.Worker = (
      modules = [(name = "worker.js", esModule = embed "worker.js")],
      compatibilityDate = "${compatibility_date}",
      bindings = [${bindings.join(', ')}],
    );`;
  writeFileSync(file, text);
  return file;
}

interface Program {
  readonly name: string;
  readonly command: (port: number) => readonly string[];
  readonly mount?: string;
  readonly isThere?: boolean;
}

const PROGRAMS: readonly Program[] = [
  { name: 'http of Node', command: node('node-http.ts'), mount: '/chat' },
  { name: 'Express', command: node('express.ts'), mount: '/chat' },
  { name: 'Fastify', command: node('fastify.ts'), mount: '/chat' },
  { name: 'Hono', command: node('hono.ts'), mount: '/chat' },
  {
    name: 'Bun',
    command: () => [`${BINARIES}bun`, SOURCE, 'bun.ts'],
    isThere: isThere(`${BINARIES}bun`),
  },
  {
    name: 'Deno',
    command: (port) => [
      ...[`${BINARIES}deno`, 'serve', SOURCE, '--no-lock', '--allow-env', '--allow-read', '--allow-net'],
      ...['--host', '127.0.0.1', '--port', String(port), 'deno.ts'],
    ],
    isThere: isThere(`${BINARIES}deno`),
  },
  { name: 'Python', command: () => ['python3', 'token_proxy.py'], isThere: isThere('python3') },
  {
    name: 'PHP',
    command: (port) => ['php', '-S', `127.0.0.1:${port}`, 'token-proxy.php'],
    isThere: isThere('php'),
  },
];

describe('the samples of the token proxy', () => {
  for (const { name, command, mount = '', isThere = true } of PROGRAMS) {
    it.runIf(isThere)(`a token proxy starts sessions, resumes and ends them, with ${name}`, async () => {
      const port = await findFreePort();
      const endpoint = `http://127.0.0.1:${port}${mount}`;
      const [program = '', ...args] = command(port);
      await start(program, args, port, `${endpoint}/v1/health`);
      await expectTokenProxy(endpoint, (request) => fetch(request));
    });
  }

  it.runIf(isThere(WORKERD))(
    'a token proxy starts sessions, resumes and ends them, as a Worker with its env',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'natter-worker-'));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      const port = await findFreePort();
      const config = await writeWorker(folder, port);
      const endpoint = `http://127.0.0.1:${port}`;
      await start(WORKERD, ['serve', config], port, `${endpoint}/v1/health`);
      await expectTokenProxy(endpoint, (request) => fetch(request));
    },
  );
});
