import { BatchLoader, type Database } from '../db/index.ts';
import { type Clock, systemClock } from '../kit/clock.ts';
import { type ApiKey, findApiKeys } from './api-keys.ts';
import { type Connector, findConnectorsByToken } from './connectors.ts';
import { CredentialUses } from './credential-uses.ts';

/** Finds the owner of a key or token. */
export interface Credentials {
  /** Finds the key with this text; null if it is unknown, revoked or expired. */
  findKey(text: string, nowMs: number): Promise<ApiKey | null>;
  /** Finds the connector with this token; null if it is unknown or revoked. */
  findConnector(token: string): Promise<Connector | null>;
  /** Writes when keys and tokens were last used, as recorded since the last call. */
  writeUses(): Promise<void>;
}

// Keys and tokens per statement.
const MAX_AT_ONCE = 200;

/**
 * Looks up keys and tokens in the database, concurrent ones with one statement, so that guesses cost little. Nothing is
 * cached, so changes apply immediately.
 */
export function createCredentials(database: Database, clock: Clock = systemClock): Credentials {
  const uses = new CredentialUses();
  const keys = new BatchLoader({
    read: (texts: readonly string[]) => findApiKeys(database, texts),
    maxKeys: MAX_AT_ONCE,
  });
  const connectors = new BatchLoader({
    read: (tokens: readonly string[]) => findConnectorsByToken(database, tokens),
    maxKeys: MAX_AT_ONCE,
  });
  return {
    async findKey(text, nowMs) {
      const key = await keys.get(text);
      if (key === null || (key.expiresAtMs !== null && key.expiresAtMs <= nowMs)) return null;
      uses.note('api_keys', key.id, nowMs);
      return key;
    },
    async findConnector(token) {
      const connector = await connectors.get(token);
      if (connector !== null) uses.note('connectors', connector.id, clock.now());
      return connector;
    },
    writeUses: () => uses.write(database),
  };
}
