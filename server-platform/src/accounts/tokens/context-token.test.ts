import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { verifyContextToken } from './context-token.ts';

interface Build {
  readonly kid: string;
  readonly header: string;
  readonly payload_prefix: string;
  readonly payload_repeat: string;
  readonly payload_count: number;
  readonly payload_suffix: string;
  readonly token_bytes?: number;
}
interface Case {
  readonly name: string;
  readonly now: number;
  readonly token?: string;
  readonly build?: Build;
  readonly expect: 'accept' | 'refuse';
  readonly status?: number;
  readonly context?: Record<string, unknown>;
  readonly context_bytes?: number;
}

const vectors: {
  readonly context_id: string;
  readonly keys: Record<string, string>;
  readonly cases: readonly Case[];
} = JSON.parse(readFileSync(new URL('../../../../test/vectors/context-token.json', import.meta.url), 'utf8'));
const keys = new Map(Object.entries(vectors.keys));

function buildToken(build: Build): string {
  const payload = `${build.payload_prefix}${build.payload_repeat.repeat(build.payload_count)}${build.payload_suffix}`;
  const signed = `${Buffer.from(build.header).toString('base64url')}.${Buffer.from(payload).toString('base64url')}`;
  const signature = createHmac('sha256', keys.get(build.kid) ?? '')
    .update(signed)
    .digest('base64url');
  const token = `${signed}.${signature}`;
  if (build.token_bytes !== undefined) expect(token).toHaveLength(build.token_bytes);
  return token;
}

describe('verified-context tokens', () => {
  it.each(vectors.cases.map((each) => [each.name, each] as const))('vector: %s', async (_name, each) => {
    const token = each.token ?? (each.build === undefined ? '' : buildToken(each.build));
    const verdict = await verifyContextToken(token, {
      contextId: vectors.context_id,
      keys,
      nowSeconds: each.now,
    });
    if (each.expect === 'refuse') {
      expect(verdict.kind).toBe(each.status === 413 ? 'too_large' : 'invalid');
      return;
    }
    expect(verdict.kind).toBe('accepted');
    if (verdict.kind !== 'accepted') return;
    if (each.context !== undefined) expect(verdict.context).toEqual(each.context);
    if (each.context_bytes !== undefined) {
      expect(Buffer.byteLength(JSON.stringify(verdict.context))).toBe(each.context_bytes);
    }
  });

  it('keeps a context key named like an object member as plain data', async () => {
    const now = 1_000_000;
    const payload = `{"sub":"c","iat":${now},"exp":${now + 10},"ctx":{"__proto__":"x","a":1}}`;
    const head = Buffer.from('{"alg":"HS256","kid":"k"}').toString('base64url');
    const signed = `${head}.${Buffer.from(payload).toString('base64url')}`;
    const token = `${signed}.${createHmac('sha256', 's').update(signed).digest('base64url')}`;
    const verdict = await verifyContextToken(token, {
      contextId: 'c',
      keys: new Map([['k', 's']]),
      nowSeconds: now,
    });
    if (verdict.kind !== 'accepted') throw new Error(verdict.kind);
    expect(Object.keys(verdict.context)).toEqual(['__proto__', 'a']);
    expect(Object.getPrototypeOf(verdict.context)).toBe(Object.prototype);
  });
});
