import { type Conversation, createNatter, type Natter } from '@natter/sdk';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createScriptedAgent } from '../../../test/realtime/scripted-agent.ts';
import { DEFAULT_CONNECTOR_SETTINGS } from '../../accounts/index.ts';
import { type Platform, startPlatform } from '../../app/start-platform.ts';
import { createLogger } from '../../kit/logger.ts';

const TOKEN = 'a-connector-token-for-tests';
const PROJECT = {
  agent: 'ada',
  contextKeys: {},
  variants: [],
  connectors: [
    {
      name: 'web',
      token: TOKEN,
      hosts: [{ kind: 'domain' as const, value: 'localhost' }],
      environment: 'live',
      settings: DEFAULT_CONNECTOR_SETTINGS,
    },
  ],
};

let platform: Platform;
let natter: Natter;
beforeAll(async () => {
  platform = await startPlatform({
    dataDir: 'memory',
    port: 0,
    logger: createLogger('silent'),
    agents: new Map([['ada', createScriptedAgent()]]),
    accounts: [
      {
        slug: 'acme',
        keys: [
          {
            name: 'all',
            permissions: ['chat', 'conversations', 'analytics'],
            legacy: false,
            region: null,
            expires: null,
          },
        ],
        projects: [
          {
            ...PROJECT,
            slug: 'shop',
            conversations: {
              showTranscripts: true,
              isStreaming: true,
              whitelist: null,
              responseMetrics: null,
            },
          },
        ],
      },
    ],
  });
  natter = createNatter({
    baseUrl: platform.url,
    apiKey: platform.addedKeys[0]?.key ?? '',
    connectorToken: TOKEN,
    accountId: 'acme',
    projectId: 'shop',
  });
});
afterAll(() => platform.close());

it('lists messages of another channel a moment later, in chunks (CV-6, CV-9)', async () => {
  const ids: string[] = [];
  for (const message of ['one', 'two', 'three']) {
    const { conversation_id } = await natter.chat.create();
    await natter.chat.respond({ conversation_id, message });
    await natter.chat.close({ conversation_id });
    ids.push(conversation_id);
  }
  const listed: Conversation[] = [];
  for await (const each of natter.conversations.v3.iterate({ limit: 2 })) listed.push(each);
  expect(listed.map(({ id }) => id)).toEqual(ids);
  expect(listed[1]).toMatchObject({ channel: 'CHAT', in_progress: false, num_turns: 2 });
  expect(listed[1]?.turns[1]).toMatchObject({ user_input: 'two', agent_response: 'You said: two' });
  const url = `${platform.url}/v3/acme/shop/conversations`;
  const { headers } = await fetch(url, { headers: { 'x-api-key': platform.addedKeys[0]?.key ?? '' } });
  expect(headers.get('transfer-encoding')).toBe('chunked');
  expect(headers.get('content-length')).toBeNull();
});

it('counts conversations that were open concurrently (CC-3)', async () => {
  const open = await Promise.all([natter.chat.create(), natter.chat.create()]);
  const nowMs = Date.now();
  const range = { start_time: new Date(nowMs - 600_000), end_time: new Date(nowMs + 1) };
  const { intervals } = await natter.concurrency.get(range);
  expect(Math.max(...intervals.map((each) => each.max_concurrent_conversations))).toBe(2);
  for (const { conversation_id } of open) await natter.chat.close({ conversation_id });
});
