/** Tokens, secrets, and the limit on wrong ones. */

export { type AccessTokenClaims, type AccessTokens, createAccessTokens } from './access-tokens.ts';
export { verifyContextToken } from './context-token.ts';
export { deriveSecret, type SecretPurpose } from './derive-secret.ts';
export { createGuessLimiter, type GuessLimiter } from './guess-limiter.ts';
export { createSecretVault, type SecretVault } from './secret-vault.ts';
export { loadOrCreateTokenSecret, tokenSecretFromText } from './token-secret.ts';
