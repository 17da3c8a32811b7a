import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findFreePort } from './free-port.ts';
import { type RunningDemo, runDemo } from './run-demo.ts';
import { type RunningProcess, runProcess } from './run-process.ts';

const CLI = 'server-platform/src/cli.ts';
const KNOWLEDGE = fileURLToPath(new URL('../../server-platform/knowledge/kittiwake', import.meta.url));
const TOOLS = fileURLToPath(new URL('../../demo/kittiwake/tools.ts', import.meta.url));
/** The company's own terms, by which tools are selected for a question. */
const { synonyms, alternatives } = JSON.parse(readFileSync(join(KNOWLEDGE, 'agent.json'), 'utf8'));

/** Token of the connector, for tests with their own token proxy. */
export const CONNECTOR_TOKEN = 'nct_end-to-end-tests-only-0123456789';

/** The token of another connector of the same project, which asks for a rating at the end. */
export const SURVEY_TOKEN = 'nct_end-to-end-tests-of-ratings-0123456789';

/** The token of a connector whose project has no key for verified context. */
export const PLAIN_TOKEN = 'nct_end-to-end-tests-without-context-0123456789';

/** Token of a connector for a single host, `127.0.0.1`. */
export const NARROW_TOKEN = 'nct_end-to-end-tests-of-one-host-0123456789';

/** The project's key for verified context. */
export const CONTEXT_KEY = { id: 'key-1', secret: 'a secret of end-to-end tests only – ü' } as const;

/** The account's key with permission for voice previews. */
export const MONITORING_KEY = 'nak_end-to-end-tests-of-monitoring-0123456789';

/** Access to the project's conversations by REST. */
export const RECORDS = {
  accountId: 'kittiwake',
  projectId: 'kittiwake',
  apiKey: 'nak_end-to-end-tests-of-records-0123456789',
} as const;

/** All addresses; each ends in a slash except that of the test bench. */
export type StackUrls = Readonly<Record<'demo' | 'bench' | 'proxy' | 'platform', string>>;

/** Demo site, token proxy and platform, the platform in a separate process that can be killed. */
export interface Stack {
  readonly urls: StackUrls;
  /** Kills the platform. */
  killPlatform(): Promise<void>;
  /**
   * Starts it again on the same port and data. `withoutAgents` starts it with a configuration that stored projects do
   * not know.
   */
  startPlatform(withoutAgents?: boolean): Promise<void>;
  stop(): Promise<void>;
}

/** The demo as `npm start` runs it, in one process. */
export interface InspectedStack {
  readonly urls: StackUrls;
  stop(): Promise<void>;
}

// All visitors of a test are on one machine.
const LIMITS = { limits: { accessTokensPerMinute: 6_000, sessionsPerMinute: 6_000 } } as const;

function writeConfig(folder: string): string {
  const file = join(folder, 'platform.json');
  writeFileSync(
    file,
    JSON.stringify({
      accounts: [
        {
          slug: 'kittiwake',
          keys: [{ name: 'e2e-monitoring', key: MONITORING_KEY, permissions: ['monitoring'] }],
          projects: [
            {
              slug: 'kittiwake',
              agent: 'ada',
              handoff: 'desk',
              contextKeys: { [CONTEXT_KEY.id]: CONTEXT_KEY.secret },
              connectors: [
                { name: 'e2e', token: CONNECTOR_TOKEN, hosts: ['127.0.0.1', 'localhost'] },
                {
                  name: 'survey',
                  token: SURVEY_TOKEN,
                  hosts: ['127.0.0.1', 'localhost'],
                  settings: { csat: true },
                },
              ],
              keys: [
                { name: 'e2e-chat', key: 'nak_end-to-end-tests-only-0123456789', permissions: ['chat'] },
                { name: 'e2e-records', key: RECORDS.apiKey, permissions: ['conversations'] },
              ],
            },
            {
              slug: 'plain',
              agent: 'ada',
              connectors: [
                { name: 'plain', token: PLAIN_TOKEN, hosts: ['127.0.0.1', 'localhost'] },
                { name: 'narrow', token: NARROW_TOKEN, hosts: ['127.0.0.1'] },
              ],
            },
          ],
        },
      ],
      agents: {
        ada: {
          kind: 'knowledge',
          name: 'Ada',
          company: 'Kittiwake Ferries',
          handoff: { destination: 'service-desk', managed: 'server', queueName: 'Service desk' },
          knowledgeFolder: KNOWLEDGE,
          tools: TOOLS,
          synonyms,
          alternatives,
          helpBaseUrl: 'https://ferries.example/help',
          starters: [
            'When does the ferry to Tarrow leave?',
            'Can I bring my dog?',
            'How do I change my booking?',
          ],
        },
      },
      handoffProviders: { desk: { kind: 'scripted', stepMs: 500, typingMs: 300 } },
      ...LIMITS,
      logLevel: 'warn',
    }),
  );
  return file;
}

/** Returns the addresses of a running demo. If it does not start, stops it and the platform that was started for it. */
async function readUrls(demo: RunningDemo, ...others: readonly RunningProcess[]): Promise<StackUrls> {
  return (await orStop(demo.whenReady(), demo, ...others)).urls;
}

/** Stops the given processes if the start fails. */
async function orStop<Value>(
  coming: Promise<Value>,
  ...processes: readonly Pick<RunningProcess, 'stop'>[]
): Promise<Value> {
  try {
    return await coming;
  } catch (error) {
    for (const each of processes) await each.stop();
    throw error;
  }
}

/** Starts a stack on free ports, with a separate database. */
export async function startStack(): Promise<Stack> {
  const folder = mkdtempSync(join(tmpdir(), 'natter-e2e-'));
  const config = writeConfig(folder);
  const port = await findFreePort();
  const bare = join(folder, 'bare.json');
  writeFileSync(bare, JSON.stringify({ ...LIMITS, agents: {}, logLevel: 'warn' }));
  const serve = async (file = config): Promise<RunningProcess> => {
    const args = ['serve', '--config', file, '--port', String(port), '--data', join(folder, 'platform')];
    const running = runProcess(CLI, args);
    await orStop(running.waitForLine(/ready|Serving on/), running);
    return running;
  };
  let platform = await serve();
  const demo = runDemo(folder, '--config', config, '--platform', `http://127.0.0.1:${port}`);
  const urls = await readUrls(demo, platform);
  return {
    urls,
    killPlatform: () => platform.stop('SIGKILL'),
    startPlatform: async (withoutAgents = false) => {
      platform = await serve(withoutAgents ? bare : config);
    },
    stop: async () => {
      await demo.stop();
      await platform.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Starts the demo as `npm start` does, including the faults of the test bench. */
export async function startInspectedStack(): Promise<InspectedStack> {
  const folder = mkdtempSync(join(tmpdir(), 'natter-e2e-'));
  const demo = runDemo(folder);
  const urls = await readUrls(demo);
  return {
    urls,
    stop: async () => {
      await demo.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
