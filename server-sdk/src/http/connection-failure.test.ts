import { describe, expect, it } from 'vitest';
import { connectionFailure } from './connection-failure.ts';

const call = { url: 'https://api.us-1.example.com:8443/v1/alerts?key=1', correlationId: 'c-1' };
const withCode = (code: string): Error => Object.assign(new Error('connect'), { code });
const wrapped = (cause: unknown): Error => new TypeError('fetch failed', { cause });

describe('a connection that failed', () => {
  it.each([
    ['the socket', wrapped(withCode('ECONNREFUSED')), 'ECONNREFUSED', 'Nothing listens there'],
    [
      'several addresses',
      wrapped(new AggregateError([withCode('ECONNREFUSED')])),
      'ECONNREFUSED',
      'Nothing listens',
    ],
    ['the name', wrapped(withCode('ENOTFOUND')), 'ENOTFOUND', 'Its name leads nowhere'],
    [
      'the certificate',
      wrapped(withCode('DEPTH_ZERO_SELF_SIGNED_CERT')),
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'is not trusted',
    ],
    ['its end', wrapped(wrapped(withCode('ECONNRESET'))), 'ECONNRESET', 'broke off'],
    ['a port that fetch refuses', wrapped(new Error('bad port')), null, 'fetch failed (bad port)'],
    ['nothing in particular', new TypeError('Failed to fetch'), null, 'Check that the host is reachable'],
    ['no error at all', 'nonsense', null, 'Check that the host is reachable'],
  ])(
    'reports a connection that failed because of %s with host, code and remedy',
    (_, thrown, code, advice) => {
      const error = connectionFailure(thrown, call, []);
      expect(error).toMatchObject({ code: 'NETWORK_ERROR', retryable: true, correlationId: 'c-1' });
      expect(error.cause).toMatchObject({ host: 'api.us-1.example.com:8443', code });
      expect(error.message).toContain('api.us-1.example.com:8443');
      expect(error.message).toContain(advice);
    },
  );

  it('quotes no secret of a failed connection, and handles a cause that refers to itself', () => {
    const circle: { cause?: unknown } = new Error('sent secret-key');
    circle.cause = circle;
    const error = connectionFailure(circle, call, ['secret-key']);
    expect(`${error.message} ${String(error.cause)}`).not.toContain('secret-key');
    expect(error.message).not.toContain('key=1');
  });
});
