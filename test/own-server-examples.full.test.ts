import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { findFreePort } from '../e2e/stack/free-port.ts';
import { DEFAULT_CONNECTOR_SETTINGS } from '../server-platform/src/accounts/index.ts';
import { parseAgentConfig } from '../server-platform/src/agents/index.ts';
import { loadConfig } from '../server-platform/src/app/config/index.ts';
import { startPlatform } from '../server-platform/src/app/start-platform.ts';
import { isEndOfMessage } from '../server-platform/test/realtime/test-platform.ts';
import { openTestSocket, type TestSocket } from '../server-platform/test/realtime/test-socket.ts';

const FOLDER = fileURLToPath(new URL('../examples/', import.meta.url));
const SECRET = 'a-secret-of-tests-with-32-characters';
const TOKEN = 'a-connector-token-of-tests';
const KEY = 'a-handoff-key-of-tests';

/** Runs a program until the end of the test; resolves when it responds, which it does without a signature. */
async function start(
  command: readonly string[],
  port: number,
  environment: Readonly<Record<string, string>>,
): Promise<ChildProcess> {
  const [program = '', ...args] = command;
  const child = spawn(program, args, {
    cwd: FOLDER,
    env: { ...process.env, ...environment, PORT: String(port) },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(async () => {
    if (child.exitCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  });
  const url = `http://127.0.0.1:${port}/`;
  await expect
    .poll(
      async () => (await fetch(url, { method: 'POST', body: '{}' }).catch(() => null))?.status ?? 'no answer',
    )
    .toBe(401);
  return child;
}

/** Starts a platform whose agent is one of our programs, and whose desk is another. */
async function startWith(ports: {
  readonly bot: number;
  readonly desk: number;
  readonly platform: number;
}): Promise<() => Promise<TestSocket>> {
  const defaults = await loadConfig({}, {});
  const bot = {
    kind: 'webhook',
    name: 'Bo',
    url: `http://127.0.0.1:${ports.bot}/`,
    secret: SECRET,
    handoff: { destination: 'desk' },
  };
  const desk = {
    kind: 'http',
    url: `http://127.0.0.1:${ports.desk}/`,
    secret: SECRET,
    timeoutMs: 5_000,
  } as const;
  const platform = await startPlatform({
    config: {
      ...defaults,
      logLevel: 'silent',
      agents: new Map([['bo', parseAgentConfig(bot)]]),
      handoffProviders: new Map([['desk', desk]]),
      rest: { ...defaults.rest, webhookPrivateAddresses: true },
    },
    dataDir: 'memory',
    port: ports.platform,
    accounts: [
      {
        slug: 'acme',
        projects: [
          {
            ...{ slug: 'shop', agent: 'bo', handoff: 'desk', contextKeys: {} },
            connectors: [
              {
                ...{ name: 'web', token: TOKEN, environment: 'live', settings: DEFAULT_CONNECTOR_SETTINGS },
                hosts: [{ kind: 'domain', value: 'localhost' }],
              },
            ],
            keys: [
              {
                ...{ name: 'desk', key: KEY, permissions: ['handoff'], legacy: false },
                ...{ region: null, expires: null },
              },
            ],
          },
        ],
      },
    ],
  });
  onTestFinished(() => platform.close());
  const post = async (path: string, headers: Record<string, string>): Promise<Record<string, unknown>> =>
    (await fetch(`${platform.url}/api/v1${path}`, { method: 'POST', headers, body: '{}' })).json();
  return async () => {
    const origin = { 'X-Token': TOKEN, 'X-Host': 'localhost', Origin: 'http://localhost:3000' };
    const { access_token: token } = await post('/access-token', origin);
    const { session_id: id } = await post('/sessions', { Authorization: `Bearer ${token}` });
    const address = `${platform.url.replace('http', 'ws')}/ws?session_id=${id}&access_token=${token}`;
    return await openTestSocket(address);
  };
}

/** Returns everything that the agent has written so far. */
const textOf = (socket: TestSocket): string =>
  socket.events
    .filter(({ type }) => /AGENT_MESSAGE/.test(type))
    .map(({ payload }) => payload['text'] ?? '')
    .join('');

/** Starts a conversation with Bo. */
async function greet(open: () => Promise<TestSocket>): Promise<TestSocket> {
  const socket = await open();
  socket.send('REQUEST_AGENT_JOIN');
  await socket.next(isEndOfMessage);
  expect(textOf(socket)).toContain('I am Bo');
  return socket;
}

const node = (file: string): readonly string[] => [process.execPath, '--conditions=@natter/source', file];
const hasPython = spawnSync('python3', ['--version']).status === 0;

const BOTS = [
  { language: 'TypeScript', command: node('own-agent/bot.ts') },
  ...(hasPython ? [{ language: 'Python', command: ['python3', 'own-agent/bot.py'] }] : []),
];

it.each(BOTS)(
  'a bot in $language answers, keeps its state, and ends the conversation',
  async ({ command }) => {
    const bot = await findFreePort();
    await start(command, bot, { BOT_SECRET: SECRET });
    const socket = await greet(await startWith({ bot, desk: await findFreePort(), platform: 0 }));
    socket.send('USER_MESSAGE', { text: 'Number 1234' });
    await socket.next(isEndOfMessage);
    expect(textOf(socket)).toContain('I only know about parcels.');
    socket.send('USER_MESSAGE', { text: 'Where is my parcel?' });
    await socket.next(isEndOfMessage);
    expect(textOf(socket)).toContain('What is the number of your parcel?');
    socket.send('USER_MESSAGE', { text: 'Number 1234' });
    await socket.next(isEndOfMessage);
    expect(textOf(socket)).toContain('Your parcel is on its way and arrives tomorrow.');
    socket.send('USER_MESSAGE', { text: 'Goodbye' });
    expect((await socket.next('SESSION_END')).payload).toEqual({ reason: 'REASON_NATURAL_END' });
  },
);

it('a contact centre accepts visitors, one after the other, and returns them to the bot', async () => {
  const [bot, desk, platform] = [await findFreePort(), await findFreePort(), await findFreePort()];
  await start(node('own-agent/bot.ts'), bot, { BOT_SECRET: SECRET });
  const terminal = await start(node('own-handoff/contact-centre.ts'), desk, {
    DESK_SECRET: SECRET,
    DESK_KEY: KEY,
    HANDOFFS_URL: `http://127.0.0.1:${platform}/v1/acme/shop/handoffs`,
  });
  let shown = '';
  terminal.stdout?.on('data', (data) => (shown += data));
  const open = await startWith({ bot, desk, platform });
  const [first, second] = [await greet(open), await greet(open)];
  first.send('USER_MESSAGE', { text: 'A person, please' });
  expect((await first.next('LIVE_AGENT_JOINED')).payload).toMatchObject({ agent: { name: 'Grace' } });
  await expect.poll(() => shown).toContain('A visitor asks for you: AGENT_DECISION');
  expect(shown).toContain('user: A person, please');
  second.send('USER_MESSAGE', { text: 'A person, please' });
  expect((await second.next('HANDOFF_QUEUE_STATUS')).payload).toMatchObject({ position_in_queue: 1 });
  first.send('USER_MESSAGE', { text: 'Are you there?' });
  await expect.poll(() => shown).toContain('visitor: Are you there?');
  terminal.stdin?.write('Yes, how can I help?\n');
  expect((await first.next('LIVE_AGENT_MESSAGE')).payload).toMatchObject({ text: 'Yes, how can I help?' });
  terminal.stdin?.write('/back\n');
  await first.next('LIVE_AGENT_LEFT');
  await second.next('LIVE_AGENT_JOINED');
  second.send('USER_END_SESSION');
  await expect.poll(() => shown).toContain('The visitor has gone: user_ended');
});
