import { describe, expect, it } from 'vitest';
import { createTokenProxy } from '../create-token-proxy.ts';
import type { StartOptions } from '../node.ts';
import { createTicketKey } from '../sessions/ticket-key.ts';
import type { Environment } from '../settings.ts';
import { deriveWebsocketUrl } from '../upstream/upstream-url.ts';
import { ENVIRONMENT, readEnvironment } from './read-environment.ts';

const COMPLETE: Environment = {
  NATTER_UPSTREAM_URL: 'https://messaging.example.com',
  NATTER_CONNECTOR_TOKEN: 'secret-token',
  NATTER_CONNECTOR_HOST: 'www.example.com',
  NATTER_TICKET_KEYS: createTicketKey(),
  NATTER_ALLOWED_ORIGINS: 'https://www.example.com',
};

function ready(environment: Environment): StartOptions {
  const read = readEnvironment(environment);
  if (read.status === 'refused') throw new Error(read.message);
  return read.options;
}

function refused(changes: Environment): string {
  const read = readEnvironment({ ...COMPLETE, ...changes });
  if (read.status === 'ready') throw new Error('the configuration was accepted');
  return read.message;
}

describe('configuration from the environment', () => {
  it('requires five environment variables and uses defaults for the rest', () => {
    expect(ready(COMPLETE)).toEqual({
      upstreamUrl: 'https://messaging.example.com',
      connectors: { default: { token: 'secret-token', host: 'www.example.com' } },
      ticketKeys: [COMPLETE['NATTER_TICKET_KEYS']],
      allowedOrigins: ['https://www.example.com'],
      port: 8_787,
    });
  });

  it('accepts an http upstream on a private network if allowed, together with a websocket URL', () => {
    const plain = {
      NATTER_UPSTREAM_URL: 'http://platform:8080',
      NATTER_CHAT_URL: 'http://platform:8080',
      NATTER_CHAT_API_KEY: 'key',
      NATTER_CHAT_ACCOUNT: 'kittiwake',
      NATTER_CHAT_PROJECT: 'kittiwake',
    };
    const message = refused(plain);
    expect(message.match(/NATTER_ALLOW_HTTP_UPSTREAM=true/g)).toHaveLength(2);
    expect(message).toContain('unencrypted');
    const allowed = { ...plain, NATTER_ALLOW_HTTP_UPSTREAM: 'true' };
    expect(refused(allowed)).toMatch(/NATTER_WEBSOCKET_URL is missing: browsers cannot open/);
    expect(refused({ ...allowed, NATTER_WEBSOCKET_URL: 'ws://platform:8080/ws' })).toContain(
      'must begin with wss:',
    );
    const proxy = ready({ ...COMPLETE, ...allowed, NATTER_WEBSOCKET_URL: 'wss://chat.example.com/ws' });
    expect(proxy).toMatchObject({ upstreamUrl: 'http://platform:8080', allowHttpUpstream: true });
    // A relay opens the socket itself, so `ws` is allowed.
    const relayed = { ...COMPLETE, ...allowed, NATTER_RELAY: 'true' };
    expect(ready(relayed)).not.toHaveProperty('websocketUrl');
    const given = ready({ ...relayed, NATTER_WEBSOCKET_URL: 'ws://platform:8080/ws' });
    expect(given.websocketUrl).toBe('ws://platform:8080/ws');
    expect(refused({ ...plain, NATTER_RELAY: 'true' })).toContain('unencrypted');
  });

  it('reads every environment variable of the table', () => {
    const keys = [createTicketKey(), createTicketKey()];
    const options = ready({
      NATTER_UPSTREAM_URL: 'http://localhost:9000/messaging/',
      NATTER_ALLOW_HTTP_UPSTREAM: '1',
      NATTER_WEBSOCKET_URL: 'ws://localhost:9000/socket',
      NATTER_CONNECTORS:
        '{"default":{"token":"a","host":"a.example"},"sales":{"token":"b","host":"com.app"}}',
      NATTER_TICKET_KEYS: ` ${keys[0]} , ${keys[1]},`,
      NATTER_ALLOWED_ORIGINS: 'https://a.example, https://b.example:8443',
      NATTER_ALLOW_REQUESTS_WITHOUT_ORIGIN: 'true',
      NATTER_BASE_PATH: '/api/chat',
      NATTER_TRUSTED_PROXY_HOPS: '2',
      NATTER_RELAY: '1',
      NATTER_RELAY_SOCKETS_PER_CLIENT: '7',
      NATTER_RELAY_SOCKETS_TOTAL: '8',
      NATTER_SESSIONS_PER_CLIENT: '1',
      NATTER_RESUMES_PER_CLIENT: '2',
      NATTER_SESSIONS_TOTAL: '3',
      NATTER_RESUMES_TOTAL: '0',
      NATTER_TICKET_LIFETIME_SECONDS: '300',
      NATTER_DEADLINE_MS: '9000',
      NATTER_ATTEMPT_TIMEOUT_MS: '4000',
      HOST: '0.0.0.0',
      PORT: '0',
      NATTER_EMBED_DIR: './dist/embed',
      NATTER_LOG_LEVEL: 'warn',
    });
    expect(options).toEqual({
      host: '0.0.0.0',
      port: 0,
      embedDir: './dist/embed',
      logLevel: 'warn',
      upstreamUrl: 'http://localhost:9000/messaging/',
      allowHttpUpstream: true,
      websocketUrl: 'ws://localhost:9000/socket',
      connectors: { default: { token: 'a', host: 'a.example' }, sales: { token: 'b', host: 'com.app' } },
      ticketKeys: keys,
      allowedOrigins: ['https://a.example', 'https://b.example:8443'],
      allowRequestsWithoutOrigin: true,
      basePath: '/api/chat',
      trustedProxyHops: 2,
      relay: true,
      relaySocketsPerClient: 7,
      relaySocketsTotal: 8,
      limits: { sessionsPerClient: 1, resumesPerClient: 2, sessionsTotal: 3, resumesTotal: 0 },
      ticketLifetimeSeconds: 300,
      deadlineMs: 9_000,
      attemptTimeoutMs: 4_000,
    });
  });

  it('reads chat access for one connector or several', () => {
    const chat = { baseUrl: 'https://api.example.com', apiKey: 'key', accountId: 'a', projectId: 'p' };
    const one = readEnvironment({
      ...COMPLETE,
      NATTER_CHAT_URL: chat.baseUrl,
      NATTER_CHAT_API_KEY: chat.apiKey,
      NATTER_CHAT_ACCOUNT: chat.accountId,
      NATTER_CHAT_PROJECT: chat.projectId,
    });
    const connectors = { sales: { token: 't', host: 'www.example.com', chat } };
    const several = readEnvironment({
      ...COMPLETE,
      NATTER_CONNECTOR_TOKEN: '',
      NATTER_CONNECTOR_HOST: '',
      NATTER_CONNECTORS: JSON.stringify(connectors),
    });
    if (one.status === 'refused' || several.status === 'refused') throw new Error('refused');
    expect(one.options.connectors['default']?.chat).toEqual(chat);
    expect(several.options.connectors).toEqual(connectors);
  });

  it('names the missing variables of chat access', () => {
    const read = readEnvironment({ ...COMPLETE, NATTER_CHAT_PROJECT: 'web' });
    if (read.status === 'ready') throw new Error('nothing was accepted');
    for (const name of ['URL', 'API_KEY', 'ACCOUNT'])
      expect(read.message).toContain(`  NATTER_CHAT_${name} is missing`);
  });

  it('names all missing environment variables at once, each with an example', () => {
    const read = readEnvironment({});
    if (read.status === 'ready') throw new Error('nothing was accepted');
    const required = ENVIRONMENT.filter((variable) => variable.fallback.startsWith('required'));
    expect(required).toHaveLength(5);
    for (const { name, example } of required) {
      expect(read.message).toContain(`  ${name} is missing`);
      expect(read.message).toContain(`${name}=${example}`);
    }
  });

  it.each([
    ['NATTER_UPSTREAM_URL', 'http://messaging.example.com', 'must begin with https://'],
    ['NATTER_UPSTREAM_URL', 'messaging.example.com', 'is not a URL'],
    ['NATTER_UPSTREAM_URL', 'https://user:pa55word@example.com', 'must not hold a user name or password'],
    ['NATTER_UPSTREAM_URL', 'https://example.com/?a=1', 'must not hold a query'],
    ['NATTER_WEBSOCKET_URL', 'ws://messaging.example.com/ws', 'must begin with wss://'],
    ['NATTER_WEBSOCKET_URL', 'https://messaging.example.com/ws', 'must begin with wss://'],
    ['NATTER_CONNECTOR_TOKEN', 'two words', 'holds a space'],
    ['NATTER_CONNECTOR_HOST', '*.example.com', 'is not a registered host'],
    ['NATTER_TICKET_KEYS', 'c2hvcnQ', 'has no usable key at place 1'],
    ['NATTER_TICKET_KEYS', 'A'.repeat(43), 'has no usable key at place 1'],
    ['NATTER_ALLOWED_ORIGINS', 'https://a.example,*', 'holds "*"'],
    ['NATTER_ALLOWED_ORIGINS', 'https://a.example/shop', 'which is not one exact origin'],
    ['NATTER_ALLOWED_ORIGINS', 'null', 'needs an authorize hook'],
    ['NATTER_ALLOW_REQUESTS_WITHOUT_ORIGIN', 'maybe', 'must be true or false'],
    ['NATTER_BASE_PATH', 'chat/', 'must begin with a slash'],
    ['NATTER_TRUSTED_PROXY_HOPS', '-1', 'must be a whole number from 0 to 10'],
    ['NATTER_SESSIONS_PER_CLIENT', '1.5', 'must be a whole number'],
    ['NATTER_TICKET_LIFETIME_SECONDS', '5', 'must be a whole number from 30'],
    ['NATTER_DEADLINE_MS', '10s', 'must be a whole number'],
    ['HOST', '0.0.0.0:8080', 'must be an address or a name without a port'],
    ['HOST', '[lighthouse]', 'must be an address or a name without a port'],
    ['HOST', 'http://0.0.0.0', 'must be an address or a name without a port'],
    ['PORT', '70000', 'must be a whole number from 0 to 65535'],
    ['PORT', 'http', 'must be a whole number from 0 to 65535'],
    ['NATTER_LOG_LEVEL', 'loud', 'must be one of debug'],
    ['NATTER_CONNECTORS', '[]', 'is not a JSON object'],
    ['NATTER_CONNECTORS', '{"sales":{"token":"t"}}', '(sales.host) is missing'],
  ])('refuses the environment %s=%s', (name, value, text) => {
    const alone =
      name === 'NATTER_CONNECTORS' ? { NATTER_CONNECTOR_TOKEN: '', NATTER_CONNECTOR_HOST: '' } : {};
    const message = refused({ ...alone, [name]: value });
    expect(message).toContain(text);
    expect(message.match(/for instance: /g)).toHaveLength(1);
    expect(message).toContain(`for instance: ${name}=`);
  });

  it.each([
    ['[::1]', '::1'],
    ['::', '::'],
    ['lighthouse', 'lighthouse'],
  ])('listens with HOST=%s on %s', (HOST, host) => {
    expect(ready({ ...COMPLETE, HOST }).host).toBe(host);
  });

  it('refuses two connectors called default', () => {
    expect(refused({ NATTER_CONNECTORS: '{"default":{"token":"t","host":"h.example"}}' })).toContain(
      'keep one',
    );
  });

  it('quotes no secret in its error messages', () => {
    const message = refused({
      NATTER_UPSTREAM_URL: 'https://user:pa55word@example.com',
      NATTER_CONNECTOR_TOKEN: 'swordfish swordfish',
      NATTER_CONNECTORS: '{"sales":{"token":"open-sesame"',
      NATTER_TICKET_KEYS: 'almost-a-key',
    });
    for (const secret of ['pa55word', 'swordfish', 'open-sesame', 'almost-a-key'])
      expect(message).not.toContain(secret);
  });

  it('validates directly given options in the same way', () => {
    expect(() =>
      createTokenProxy({ ...ready(COMPLETE), connectors: {}, ticketKeys: [], upstreamUrl: 'x' }),
    ).toThrow(/upstreamUrl is not a URL\n- connectors is missing.*\n- ticketKeys is missing/);
  });

  it('refuses options of the wrong type', () => {
    const wrong = {
      relay: 'yes',
      authorize: true,
      limits: 5,
      log: 'info',
      connectors: { default: 'secret-token' },
    };
    expect(() => createTokenProxy({ ...ready(COMPLETE), ...JSON.parse(JSON.stringify(wrong)) })).toThrow(
      [
        'connectors.default.token is missing',
        'connectors.default.host is missing',
        'authorize is not a function',
        'relay must be true or false',
        'limits is not an object',
        'log is not an object',
      ].join('\n- '),
    );
  });

  it.each([
    ['https://messaging.example.com', 'wss://messaging.example.com/ws'],
    ['https://messaging.example.com:8443/', 'wss://messaging.example.com:8443/ws'],
    ['http://localhost:9000/base/', 'ws://localhost:9000/base/ws'],
  ])('derives the socket of %s', (upstreamUrl, expected) => {
    expect(deriveWebsocketUrl(upstreamUrl)).toBe(expected);
  });
});
