import { PassThrough } from 'node:stream';
import { SETUP_ERRORS } from 'natter/protocol';
import { describe, expect, it } from 'vitest';
import { clientAddress } from './client-address.ts';
import { correlationIdFrom } from './correlation.ts';
import { refuseUpgrade } from './refusal.ts';

const reader = (headers: Record<string, string>) => (name: string) => headers[name.toLowerCase()] ?? null;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

describe('correlation id', () => {
  it('keeps a well-formed correlation id, in either spelling', () => {
    expect(correlationIdFrom(reader({ 'x-correlation-id': 'a.B_9-' }))).toBe('a.B_9-');
    expect(correlationIdFrom(reader({ 'x-polyai-correlation-id': 'abc' }))).toBe('abc');
  });

  it.each(['', 'a b', 'x'.repeat(65), 'a\r\nb', 'é'])('replaces the correlation id %j by a UUID', (value) => {
    expect(correlationIdFrom(reader({ 'x-correlation-id': value }))).toMatch(UUID);
  });
});

describe('client address', () => {
  it.each([
    ['203.0.113.9', null, 0, '203.0.113.9'],
    ['::ffff:203.0.113.9', null, 0, '203.0.113.9'],
    ['10.0.0.1', '6.6.6.6', 0, '10.0.0.1'],
    ['10.0.0.1', '6.6.6.6, 203.0.113.9', 1, '203.0.113.9'],
    ['10.0.0.1', '6.6.6.6, 203.0.113.9, 10.0.0.7', 2, '203.0.113.9'],
    ['10.0.0.1', null, 1, '10.0.0.1'],
    ['2001:db8:1:2:3:4:5:6', null, 0, '2001:db8:1:2::/64'],
    ['2001:db8::1', null, 0, '2001:db8:0:0::/64'],
    ['::1', null, 0, '0:0:0:0::/64'],
    ['10.0.0.1', 'no address', 1, '10.0.0.1'],
    ['10.0.0.1', '203.0.113.9:4711', 1, '203.0.113.9'],
    [undefined, null, 0, 'unknown'],
  ] as const)(
    'takes the client address of peer %s with %s behind %i proxies as %s',
    (peer, forwarded, hops, expected) => {
      expect(clientAddress(peer, forwarded, hops)).toBe(expected);
    },
  );
});

describe('a refused handshake', () => {
  it('answers a refused handshake with a complete HTTP response and the error body', async () => {
    const socket = new PassThrough();
    refuseUpgrade(socket, {
      error: SETUP_ERRORS.connectionLimitExceeded,
      correlationId: 'c-1',
      retryAfterSeconds: 5,
    });
    const text = Buffer.concat(await socket.toArray()).toString();
    const [head = '', body = ''] = text.split('\r\n\r\n');
    expect(head).toContain('HTTP/1.1 429 Too Many Requests\r\n');
    expect(head).toContain('X-Correlation-Id: c-1');
    expect(head).toContain('Retry-After: 5');
    expect(head).toContain(`Content-Length: ${body.length}`);
    expect(JSON.parse(body)).toEqual({
      success: false,
      message: 'connection limit exceeded for session',
      error: 'connection limit exceeded for session',
      error_message: 'connection limit exceeded for session',
      error_code: 'CONNECTION_LIMIT_EXCEEDED',
      error_id: 'c-1',
      data: null,
    });
  });
});
