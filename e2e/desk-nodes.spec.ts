import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, type Locator, type Page, test } from '@playwright/test';
import { Client } from 'pg';
import { startFlakyLink } from '../demo/link/flaky-link.ts';
import { ChatPanel } from './page/chat-panel.ts';
import { findViolations } from './page/find-violations.ts';
import { PATIENCE } from './patience.ts';
import { findFreePort } from './stack/free-port.ts';
import { runDemo } from './stack/run-demo.ts';
import { type RunningProcess, runProcess } from './stack/run-process.ts';

const SERVER_URL = process.env['DATABASE_URL_TEST'] ?? 'postgres://root@127.0.0.1:5432/test';
const KNOWLEDGE = fileURLToPath(new URL('../server-platform/knowledge/kittiwake', import.meta.url));
const TOOLS = fileURLToPath(new URL('../demo/kittiwake/tools.ts', import.meta.url));
const PASSWORD = 'a password of end-to-end tests';
/** Runs a statement at the PostgreSQL server; rejects without a server. */
async function runStatement(statement: string): Promise<void> {
  const client = new Client({ connectionString: SERVER_URL, connectionTimeoutMillis: 3_000 });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

function writeConfig(folder: string, schema: string): string {
  const file = join(folder, 'platform.json');
  const url = new URL(SERVER_URL);
  url.searchParams.set('options', `-c search_path=${schema}`);
  const config = {
    database: { url: url.href },
    server: { trustedProxyHops: 0 },
    accounts: [
      {
        slug: 'kittiwake',
        projects: [
          {
            slug: 'kittiwake',
            agent: 'ada',
            handoff: 'desk',
            connectors: [
              { name: 'e2e', token: `nct_${'e2e-desk-nodes-'.repeat(3)}`, hosts: ['127.0.0.1', 'localhost'] },
            ],
          },
        ],
        desk: {
          queues: [{ name: 'Service desk' }],
          people: [
            { email: 'grace@example.com', name: 'Grace', password: PASSWORD },
            { email: 'rita@example.com', name: 'Rita', password: PASSWORD, role: 'admin' },
          ],
        },
      },
    ],
    agents: {
      ada: {
        kind: 'knowledge',
        name: 'Ada',
        company: 'Kittiwake Ferries',
        knowledgeFolder: KNOWLEDGE,
        tools: TOOLS,
        helpBaseUrl: 'https://ferries.example/help',
        handoff: { destination: 'service-desk', managed: 'server', queueName: 'Service desk' },
      },
    },
    handoffProviders: { desk: { kind: 'desk' } },
    limits: { accessTokensPerMinute: 6_000, sessionsPerMinute: 6_000 },
    logLevel: 'warn',
  };
  writeFileSync(file, JSON.stringify(config));
  return file;
}

async function signIn(page: Page, url: string, email: string): Promise<void> {
  await page.goto(url);
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('navigation', { name: 'Views' })).toBeVisible();
}

async function beAvailable(desk: Page): Promise<void> {
  await desk.getByRole('switch', { name: 'Available', checked: false }).click();
  await expect(desk.getByRole('switch', { name: 'Available', checked: true })).toBeVisible();
}

/** Opens the operations view at a separate node, and expects both nodes with their metrics. */
async function openOperations(page: Page, url: string): Promise<Locator> {
  await signIn(page, `${url.replace('127.0.0.1', 'localhost')}/console/`, 'rita@example.com');
  await page.getByRole('link', { name: 'Operations' }).click();
  await expect(page.getByRole('heading', { name: '2 nodes' })).toBeVisible();
  const rows = page
    .getByRole('table', { name: 'Nodes of the platform' })
    .getByRole('row')
    .filter({ has: page.getByRole('cell') });
  await expect(rows).toHaveCount(2);
  await expect(page.getByText('not responding')).toHaveCount(0);
  expect(await findViolations(page), 'operations with two nodes').toEqual([]);
  return rows;
}

test('a hand-off continues for visitor and desk when their node is killed', async ({
  page: visitor,
  context,
  browser,
}) => {
  // Two nodes start, and the lease of the killed node has to expire.
  test.setTimeout(120_000 * PATIENCE);
  const schema = `desk_${randomUUID().replaceAll('-', '')}`;
  const whyNot = await runStatement(`CREATE SCHEMA ${schema}`).then(() => null, String);
  test.skip(whyNot !== null, `no PostgreSQL server answers: start one or set DATABASE_URL_TEST (${whyNot})`);
  const folder = mkdtempSync(join(tmpdir(), 'natter-desk-nodes-'));
  const config = writeConfig(folder, schema);
  const nodes: { readonly url: string; readonly process: RunningProcess }[] = [];
  const stops: (() => Promise<void>)[] = [];
  try {
    const serve = async (): Promise<void> => {
      const port = await findFreePort();
      const args = ['serve', '--config', config, '--port', String(port), '--console'];
      const process = runProcess('server-platform/src/cli.ts', args, { NATTER_TOKEN_SECRET: schema });
      stops.push(() => process.stop());
      await process.waitForLine(/ready|Serving on/);
      nodes.push({ url: `http://127.0.0.1:${port}`, process });
    };
    await serve();
    // Forwards to one node, as a load balancer does, and to the other one when that is killed.
    const targetOf = (index: number): { readonly host: string; readonly port: number } => ({
      host: '127.0.0.1',
      port: Number(new URL(nodes[index]?.url ?? '').port),
    });
    const front = await startFlakyLink(targetOf(0));
    stops.push(() => front.close());
    const platformUrl = `http://127.0.0.1:${front.port}`;
    const demo = runDemo(folder, '--config', config, '--platform', platformUrl);
    stops.push(() => demo.stop());
    const [{ urls }] = await Promise.all([demo.whenReady(), serve()]);

    const desk = await context.newPage();
    await signIn(desk, `http://localhost:${front.port}/console/`, 'grace@example.com');
    await beAvailable(desk);
    const operator = await (await browser.newContext()).newPage();
    const rows = await openOperations(operator, nodes[1]?.url ?? '');
    const chat = new ChatPanel(visitor);
    await visitor.goto(urls.demo);
    await chat.open();
    await chat.say('I want to talk to a person');
    await desk.getByRole('button', { name: 'Accept' }).click();
    await expect(chat.dialog.getByText('Grace').first()).toBeVisible();
    const transcript = desk.getByRole('log', { name: 'Transcript' });
    const field = desk.getByLabel('Message', { exact: true });
    const write = async (text: string): Promise<void> => {
      await field.fill(text);
      await field.press('Enter');
    };
    await write('Hello, before.');
    await expect(chat.transcript).toContainText('Hello, before.');

    const dead = rows.filter({ hasNotText: 'this one' });
    await expect(dead).toContainText('s left');
    await expect(dead).toContainText('MB');
    await nodes[0]?.process.stop('SIGKILL');
    front.retarget(targetOf(1));
    await write('From the desk, meanwhile.');
    await chat.say('From the visitor, meanwhile.');
    // Another node takes over the sessions of the killed node when its lease of ten seconds expires.
    await expect(transcript).toContainText('From the visitor, meanwhile.', { timeout: 30_000 * PATIENCE });
    await expect(chat.transcript).toContainText('From the desk, meanwhile.');
    await expect(desk.getByText('Connection lost')).toBeHidden();
    await write('Hello, after.');
    await expect(chat.transcript).toContainText('Hello, after.');
    await chat.say('I am still here.');
    await expect(transcript).toContainText('I am still here.');

    await expect(operator.getByRole('heading', { name: '2 nodes, 1 gone' })).toBeVisible();
    await expect(dead).toContainText('not responding');
    await expect(dead).toContainText('expired');
    await expect(rows.filter({ hasText: 'this one' })).toContainText('s left');
    expect(await findViolations(operator), 'operations with a node that is gone').toEqual([]);
    await operator.context().close();
    for (const log of [transcript, chat.transcript])
      for (const text of ['Hello, before.', 'From the desk, meanwhile.', 'From the visitor, meanwhile.'])
        await expect(log.getByText(text), `${text} is there once`).toHaveCount(1);
    await desk.getByRole('button', { name: 'Return to agent' }).click();
    await desk.getByRole('dialog').getByRole('button', { name: 'Return' }).click();
    await expect(transcript).toContainText('The agent is answering.');
  } finally {
    for (const stop of stops.toReversed()) await stop();
    rmSync(folder, { recursive: true, force: true });
    await runStatement(`DROP SCHEMA ${schema} CASCADE`);
  }
});
