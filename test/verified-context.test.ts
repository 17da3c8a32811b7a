import { createHmac } from 'node:crypto';
import { createTicketKey, createTokenProxy } from '@natter/token-proxy';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { EMBEDDED_ENGINE } from '../server-platform/test/db/engines.ts';
import { startTestPlatform, type TestPlatform } from '../server-platform/test/realtime/test-platform.ts';
import {
  type ContextProvider,
  type ContextResult,
  createChatClient,
  createDefaultPorts,
  createPageContext,
} from '../src/client/index.ts';

const ORIGIN = 'https://example.com';
const SECRET = 'plain text secret – ü';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform(EMBEDDED_ENGINE, { contextKeys: new Map([['key-1', SECRET]]) });
});
afterAll(() => platform.stop());

/** Signs context like a customer's backend. */
function sign(contextId: string | undefined, ctx: object): string {
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const iat = Math.floor(platform.clock.now() / 1000);
  const signed = `${encode({ alg: 'HS256', kid: 'key-1' })}.${encode({ sub: contextId, iat, exp: iat + 30, ctx })}`;
  return `${signed}.${createHmac('sha256', SECRET).update(signed).digest('base64url')}`;
}

/** Starts the real client, token proxy and platform, without a browser. */
function open() {
  const proxy = createTokenProxy({
    upstreamUrl: platform.url,
    connectors: { default: { token: 'connector-token', host: 'example.com' } },
    ticketKeys: [createTicketKey()],
    allowedOrigins: [ORIGIN],
  });
  const page: ContextProvider = {};
  const chat = createChatClient({
    endpoint: 'https://proxy.example.com',
    allowInsecure: true,
    page,
    ports: {
      fetch: (input, init) => {
        const headers = { ...init.headers, Origin: ORIGIN, 'Sec-Fetch-Site': 'cross-site' };
        return proxy(new Request(input, { ...init, headers, credentials: 'omit' }));
      },
    },
  });
  const results: ContextResult[] = [];
  const words = createPageContext({
    chat,
    clock: createDefaultPorts().clock,
    onResult: (result) => results.push(result),
  });
  Object.assign(page, words);
  const texts = () => chat.messages.value.map(({ value }) => (value.kind === 'system' ? '' : value.text));
  return { chat, words, results, texts };
}

const vaults = () => platform.agent.turns.map(({ kind, contextVault }) => [kind, contextVault]);

it('verified context reaches the agent with its first answer and every turn, and a refresh replaces it', async () => {
  const { chat, words, results, texts } = open();
  let facts: object = { tier: 'gold', orders: 3, vip: true, manager: null };
  words.onContextRequired(async ({ contextId }) => sign(contextId, facts));
  words.setContext({ page: 'Booking' });
  await words.identify({ id: 'ana' });
  await chat.start();
  await vi.waitFor(() => expect(texts()).toContain('Hello!'), 20_000);
  expect(results).toEqual([{ status: 'accepted' }]);
  expect(vaults()).toEqual([['greeting', facts]]);
  expect(platform.agent.turns[0]?.pageContext).toEqual({ page: 'Booking', user_id: 'ana' });

  chat.send('Hi');
  await vi.waitFor(() => expect(texts()).toContain('You said: Hi'), 20_000);
  expect(vaults().at(-1)).toEqual(['message', facts]);
  expect(platform.agent.turns.at(-1)?.pageContext).toEqual({ page: 'Booking', user_id: 'ana' });

  facts = { tier: 'silver' };
  await words.refreshVerifiedContext();
  chat.send('And now?');
  await vi.waitFor(() => expect(texts()).toContain('You said: And now?'), 20_000);
  expect(vaults().at(-1)).toEqual(['message', { tier: 'silver' }]);

  words.onContextRequired(({ contextId }) => `${sign(contextId, { tier: 'platinum' })}x`);
  await words.refreshVerifiedContext();
  words.onContextRequired(({ contextId }) => sign(contextId, { note: 'x'.repeat(20_000) }));
  await words.refreshVerifiedContext();
  expect(results.slice(2)).toEqual([
    { status: 'failed', reason: 'invalid_token' },
    { status: 'failed', reason: 'token_too_large' },
  ]);
  chat.send('Still');
  await vi.waitFor(() => expect(texts()).toContain('You said: Still'), 20_000);
  expect(vaults().at(-1)).toEqual(['message', { tier: 'silver' }]);
  words.destroy();
  chat.destroy();
});

it('a conversation starts without verified context if the token is invalid', async () => {
  const { chat, words, results, texts } = open();
  words.onContextRequired(() => sign('ctx_of_somebody_else', { tier: 'gold' }));
  await chat.start();
  await vi.waitFor(() => expect(texts()).toContain('Hello!'), 20_000);
  expect(results).toEqual([{ status: 'failed', reason: 'invalid_token' }]);
  expect(vaults().at(-1)).toEqual(['greeting', {}]);
  words.destroy();
  chat.destroy();
});
