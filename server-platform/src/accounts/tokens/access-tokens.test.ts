import { randomBytes } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader, SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { type AccessTokens, createAccessTokens } from './access-tokens.ts';

const START_MS = 1_800_000_000_000;

async function createHeld(
  secrets: readonly Uint8Array[] = [randomBytes(32)],
): Promise<{ tokens: AccessTokens; clock: { nowMs: number }; secrets: readonly Uint8Array[] }> {
  const clock = { nowMs: START_MS };
  const tokens = await createAccessTokens({ secrets, issuer: 'natter', now: () => clock.nowMs });
  return { tokens, clock, secrets };
}

const grant = { connectorId: 'con_1', host: 'example.com' };

// The last of a signature's 43 characters encodes four bits, so other spare bits give the same signature.
const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const withOtherSpareBits = (last: string): string => BASE64URL[BASE64URL.indexOf(last) ^ 1] ?? '';

describe('access tokens', () => {
  it('puts exactly the claims of TOK-5 and a UUID identity into an access token', async () => {
    const { tokens } = await createHeld();
    const { token, expiresInSeconds, identity } = await tokens.mint(grant);
    const claims = decodeJwt(token);
    expect(Object.keys(claims).sort()).toEqual(['cid', 'exp', 'host', 'iat', 'iss', 'jti', 'sub']);
    expect(claims).toMatchObject({ cid: 'con_1', host: 'example.com', iss: 'natter', sub: identity });
    expect(identity).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(expiresInSeconds).toBe(86_400);
    expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(86_400);
    expect(decodeProtectedHeader(token).alg).toBe('HS256');
  });

  it('reads an access token back as issued', async () => {
    const { tokens } = await createHeld();
    const { token, identity } = await tokens.mint(grant);
    expect(await tokens.verify(token)).toEqual({
      ...grant,
      identity,
      expiresAtMs: START_MS + 86_400_000,
    });
  });

  it('gives each access token another identity', async () => {
    const { tokens } = await createHeld();
    const [first, second] = await Promise.all([tokens.mint(grant), tokens.mint(grant)]);
    expect(first.identity).not.toBe(second.identity);
  });

  it('accepts an access token until it expires, and refuses it from that second on (TOK-5)', async () => {
    const { tokens, clock } = await createHeld();
    const { token } = await tokens.mint(grant);
    clock.nowMs = START_MS + 86_399_999;
    expect(await tokens.verify(token)).not.toBeNull();
    clock.nowMs = START_MS + 86_400_000;
    expect(await tokens.verify(token)).toBeNull();
  });

  it('reports access tokens as expired once all are, but not those issued later', async () => {
    const { tokens, clock } = await createHeld();
    const { token } = await tokens.mint(grant);
    clock.nowMs += 1_000;
    tokens.expireAll();
    expect([await tokens.verify(token), await tokens.isExpired(token)]).toEqual([null, true]);
    expect(await tokens.verify((await tokens.mint(grant)).token)).not.toBeNull();
  });

  it('accepts access tokens of the previous secret while it is configured', async () => {
    const old = randomBytes(32);
    const next = randomBytes(32);
    const { token } = await (await createHeld([old])).tokens.mint(grant);
    expect(await (await createHeld([next, old])).tokens.verify(token)).not.toBeNull();
    expect(await (await createHeld([next])).tokens.verify(token)).toBeNull();
  });

  it('refuses foreign access tokens without throwing', async () => {
    const { tokens, secrets } = await createHeld();
    const { token } = await tokens.mint(grant);
    const [header, payload, signature] = token.split('.');
    const { kid } = decodeProtectedHeader(token);
    const forge = (change: (jwt: SignJWT) => SignJWT, alg = 'HS256'): Promise<string> =>
      change(
        new SignJWT({ cid: 'con_1', host: 'example.com' })
          .setProtectedHeader({ alg, kid: kid ?? '' })
          .setSubject('u')
          .setIssuer('natter')
          .setJti('j')
          .setIssuedAt(START_MS / 1000)
          .setExpirationTime(START_MS / 1000 + 60),
      ).sign(secrets[0] ?? new Uint8Array());
    expect(await tokens.verify(await forge((jwt) => jwt))).not.toBeNull();
    const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`;
    const bad: readonly string[] = [
      '',
      'x',
      '../..',
      none,
      `${header}.${payload}.`,
      `${token}=`,
      `${token.slice(0, -1)}${withOtherSpareBits(token.slice(-1))}`,
      `${header}.${Buffer.from('{"sub":"someone"}').toString('base64url')}.${signature}`,
      'a'.repeat(5000),
      await forge((jwt) => jwt.setIssuer('someone else')),
      await forge((jwt) => jwt, 'HS512').catch(() => 'x.y.z'),
    ];
    for (const each of bad) expect(await tokens.verify(each)).toBeNull();
  });
});
