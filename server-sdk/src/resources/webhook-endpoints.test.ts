import { describe, expect, it } from 'vitest';
import { withServer } from '../../testing/scripted-server.test.ts';
import { isPrivateHost, parseBody, webhookEndpointBodySchemas } from '../index.ts';

const body = {
  name: 'Operations',
  url: 'https://ops.example.com/hook',
  event_types: ['alerts.triggered', 'alerts.resolved'],
  headers: { 'X-Team': 'ops' },
  timeout_ms: 2000,
} as const;
const endpoint = {
  ...body,
  id: 'whe_1',
  enabled: true,
  created_at: '2026-03-02T09:15:00Z',
  updated_at: '2026-03-02T09:15:00Z',
};
const faultOf = (over: Readonly<Record<string, unknown>>, allowsPrivateHosts = false): unknown => {
  const parsed = parseBody(webhookEndpointBodySchemas(allowsPrivateHosts).create, { ...body, ...over });
  return parsed.isOk ? null : parsed.errors.map(({ field, message }) => `${field}: ${message}`).join();
};

describe('webhook endpoints', () => {
  it('lists, creates, reads, changes and deletes webhook endpoints and rotates secrets with the documented requests', async () => {
    const script = [
      { status: 200, body: { data: [endpoint] } },
      { status: 201, body: { ...endpoint, signing_secret: 'whs_x' } },
      { status: 200, body: endpoint },
      { status: 200, body: endpoint },
      { status: 204 },
      { status: 200, body: { signing_secret: 'whs_y' } },
    ];
    await withServer(script, async ({ webhookEndpoints: all }, { seen }) => {
      expect(await all.list({ enabled: true, event_type: 'alerts.resolved' })).toEqual([endpoint]);
      expect((await all.create(body)).signing_secret).toBe('whs_x');
      expect(await all.get('whe_1')).toEqual(endpoint);
      expect(await all.update('whe_1', { enabled: false })).toEqual(endpoint);
      await all.delete('whe_1');
      expect(await all.rotateSecret('whe_1')).toEqual({ signing_secret: 'whs_y' });
      expect(seen.map(({ method, url, body: sent }) => [method, url, sent])).toEqual([
        ['GET', '/v1/webhook-endpoints?enabled=true&event_type=alerts.resolved', ''],
        ['POST', '/v1/webhook-endpoints', JSON.stringify(body)],
        ['GET', '/v1/webhook-endpoints/whe_1', ''],
        ['PATCH', '/v1/webhook-endpoints/whe_1', '{"enabled":false}'],
        ['DELETE', '/v1/webhook-endpoints/whe_1', ''],
        ['POST', '/v1/webhook-endpoints/whe_1/rotate-secret', ''],
      ]);
    });
  });

  it('removes duplicate event types of a webhook endpoint', () => {
    const types = ['alerts.resolved', 'alerts.resolved'];
    const parsed = parseBody(webhookEndpointBodySchemas(false).update, { event_types: types });
    expect(parsed).toEqual({ isOk: true, value: { event_types: ['alerts.resolved'] } });
  });

  it.each<[Readonly<Record<string, unknown>>, string]>([
    [{ name: '' }, 'name: must be a string of 1 to 255 characters'],
    [{ url: 'http://ops.example.com' }, 'url: must be an https URL'],
    [{ url: 'HTTPS://ops.example.com' }, 'url: must be an https URL'],
    [{ url: 'https://' }, 'url: must be an https URL'],
    [{ url: `https://ops.example.com/${'x'.repeat(2048)}` }, 'url: must be at most 2048 characters'],
    [
      { url: 'https://user:pass@ops.example.com' },
      'url: must not contain a user name or password: use headers',
    ],
    [{ url: 'https://user@ops.example.com' }, 'url: must not contain a user name or password: use headers'],
    [{ url: 'https://127.0.0.1/' }, 'url: must be an https URL'],
    [{ event_types: [] }, 'event_types: must contain at least one event type'],
    [
      { event_types: 'alerts.resolved' },
      'event_types: must be a list of event types, such as ["alerts.triggered"]',
    ],
    [{ event_types: null }, 'event_types: must contain at least one event type'],
    [{ event_types: ['x'] }, 'event_types: must be one of: alerts.triggered, alerts.resolved'],
    [{ headers: [] }, 'headers: must be a map of header names to strings'],
    [{ headers: { a: 1 } }, 'headers: must be a map of header names to strings'],
    [{ headers: { 'a b': 'x' } }, 'headers: must be a map of header names to strings'],
    [{ headers: { a: 'x\r\ny: z' } }, 'headers: must be a map of header names to strings'],
    [{ headers: { 'content-TYPE': 'x' } }, 'headers: reserved header'],
    [{ headers: { 'x-polyai-signature': 'x' } }, 'headers: reserved header'],
    [{ headers: { 'Content-Encoding': 'gzip' } }, 'headers: reserved header'],
    [{ headers: { Expect: '100-continue' } }, 'headers: reserved header'],
    [{ headers: { upgrade: 'h2c' } }, 'headers: reserved header'],
    [{ headers: { 'Keep-Alive': 'timeout=5' } }, 'headers: reserved header'],
    [{ headers: { 'Proxy-Connection': 'close' } }, 'headers: reserved header'],
    [{ headers: { TE: 'trailers' } }, 'headers: reserved header'],
    [{ headers: { Trailer: 'Expires' } }, 'headers: reserved header'],
    [
      { headers: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`x-${n}`, ''])) },
      'headers: must hold at most 20 headers',
    ],
    [{ timeout_ms: 999 }, 'timeout_ms: must be an integer between 1000 and 30000'],
    [{ timeout_ms: 30_001 }, 'timeout_ms: must be an integer between 1000 and 30000'],
    [{ enabled: 1 }, 'enabled: must be a boolean'],
    [{ secret: 'x' }, 'secret: unknown field'],
  ])('refuses the webhook endpoint %j: %s', (over, text) => {
    expect(faultOf(over)).toBe(text);
  });

  it('accepts a webhook endpoint at a private host if the deployment allows it', () => {
    expect(faultOf({ url: 'https://127.0.0.1/' }, true)).toBeNull();
    expect(faultOf({})).toBeNull();
  });
});

describe('private hosts', () => {
  it.each([
    ...[
      'localhost',
      'a.localhost',
      '127.0.0.1',
      '127.1',
      '0x7f.1',
      '2130706433',
      '10.1.2.3',
      '172.16.0.1',
      '172.31.255.1',
    ],
    ...[
      '192.168.1.1',
      '169.254.169.254',
      '0.0.0.0',
      '100.64.0.1',
      '[::1]',
      '[::]',
      '[fd00::1]',
      '[fe80::1]',
      '[::ffff:10.0.0.1]',
    ],
    ...['localhost.'],
  ])('recognises a private host in every spelling: %s', (host) => {
    expect(isPrivateHost(new URL(`https://${host}/`).hostname)).toBe(true);
  });

  it.each([
    ['example.com'],
    ['8.8.8.8'],
    ['172.32.0.1'],
    ['100.128.0.1'],
    ['[2001:db8::1]'],
    ['[::ffff:8.8.8.8]'],
    ['fd00.example.com'],
  ])('does not call %s a private host', (host) =>
    expect(isPrivateHost(new URL(`https://${host}/`).hostname)).toBe(false),
  );
});
