import { createCipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { startPlatform } from '../../app/start-platform.ts';
import { createLogger } from '../../kit/logger.ts';
import { createAccessTokens } from './access-tokens.ts';
import { deriveSecret, type SecretPurpose } from './derive-secret.ts';
import { createSecretVault } from './secret-vault.ts';

const SECRET = 'a token secret of tests, long enough';
const BYTES = new TextEncoder().encode(SECRET);
const PURPOSES: readonly SecretPurpose[] = ['accessTokens', 'storedSecrets', 'audioAddresses', 'bus'];

describe('the keys derived from the token secret', () => {
  it('derives different keys from the token secret, the same ones on every node', () => {
    const keys = PURPOSES.map((purpose) => Buffer.from(deriveSecret(BYTES, purpose)).toString('hex'));
    expect(new Set([...keys, Buffer.from(BYTES).toString('hex')]).size).toBe(PURPOSES.length + 1);
    expect(PURPOSES.map((purpose) => Buffer.from(deriveSecret(BYTES, purpose)).toString('hex'))).toEqual(
      keys,
    );
  });

  it('keeps the labels of derived keys and the encrypted format, so that stored secrets can still be decrypted', () => {
    const key = new Uint8Array(hkdfSync('sha256', BYTES, '', 'natter: stored secrets', 32));
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', key, nonce);
    cipher.setAAD(Buffer.from('whe_1'));
    const sealed = Buffer.concat([nonce, cipher.update('whs_secret'), cipher.final(), cipher.getAuthTag()]);
    const vault = createSecretVault([BYTES]);
    expect(vault.open(`v1.${sealed.toString('base64url')}`, 'whe_1')).toBe('whs_secret');
  });

  it('signs access tokens with a derived key, and refuses those signed with the secret itself', async () => {
    const platform = await startPlatform({
      dataDir: 'memory',
      port: 0,
      tokenSecret: SECRET,
      logger: createLogger('silent'),
    });
    try {
      const { token = '', host = '' } = platform.developmentConnector ?? {};
      const post = (path: string, headers: Record<string, string>): Promise<Response> =>
        fetch(`${platform.url}/api/v1${path}`, { method: 'POST', headers, body: '{}' });
      const minted = await (await post('/access-token', { 'X-Token': token, 'X-Host': host })).json();
      const tokensOf = (key: Uint8Array) =>
        createAccessTokens({ issuer: 'natter', now: Date.now, secrets: [key] });
      const claims = await (await tokensOf(deriveSecret(BYTES, 'accessTokens'))).verify(
        String(minted.access_token),
      );
      expect(claims).not.toBeNull();
      const own = await (await tokensOf(BYTES)).mint({ connectorId: claims?.connectorId ?? '', host });
      expect((await post('/sessions', { Authorization: `Bearer ${minted.access_token}` })).status).toBe(200);
      expect((await post('/sessions', { Authorization: `Bearer ${own.token}` })).status).toBe(401);
    } finally {
      await platform.close();
    }
  });
});
