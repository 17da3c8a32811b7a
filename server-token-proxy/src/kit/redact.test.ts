import { describe, expect, it } from 'vitest';
import { makeAccessToken } from '../../test/fake-upstream.ts';
import { createRedactor } from './redact.ts';

describe('redaction', () => {
  const redact = createRedactor(['hunter2', '']);

  it('redacts known secrets, tokens, keys and addresses, and leaves the rest readable', () => {
    const token = makeAccessToken({ sub: 'visitor' });
    const text = `TypeError: cannot reach wss://host/ws?access_token=x with hunter2, Bearer abc, ${token} in call`;
    expect(redact(text)).toBe(
      'TypeError: cannot reach [redacted] with [redacted], [redacted] [redacted] in call',
    );
  });

  it('redacts a long run that might be a key', () => {
    expect(redact(`key ${'a'.repeat(43)} end`)).toBe('key [redacted] end');
  });
});
