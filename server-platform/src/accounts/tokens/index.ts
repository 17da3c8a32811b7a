/** Tokens, secrets, and the limit on failed authentication. */

export { type AccessTokenClaims, type AccessTokens, createAccessTokens } from './access-tokens.ts';
export { type AuthFailureLimiter, createAuthFailureLimiter } from './auth-failure-limiter.ts';
export { verifyContextToken } from './context-token.ts';
export { deriveSecret, type SecretPurpose } from './derive-secret.ts';
export { createSecretVault, type SecretVault } from './secret-vault.ts';
export { loadOrCreateTokenSecret, tokenSecretFromText } from './token-secret.ts';
