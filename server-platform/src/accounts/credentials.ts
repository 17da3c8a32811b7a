import { BatchLoader, type Database } from '../db/index.ts';
import { type Clock, systemClock } from '../kit/clock.ts';
import { type ApiKey, findApiKeys } from './api-keys.ts';
import { type Connector, findConnectorsByToken } from './connectors.ts';
import { CredentialUses } from './credential-uses.ts';

/** Finds whose a key or token is. */
export interface Credentials {
  /** The key with this text, or null when there is none, or it is revoked or expired. */
  findKey(text: string, nowMs: number): Promise<ApiKey | null>;
  /** The connector with this token, or null when there is none or it is revoked. */
  findConnector(token: string): Promise<Connector | null>;
  /** Writes to the database when keys and tokens were last used, those that were since the last time. */
  writeUses(): Promise<void>;
}

// Keys and tokens that share a statement.
const MAX_AT_ONCE = 200;

/**
 * Looks keys and tokens up in the database, those that come at once with one statement: so guesses cost little, although a
 * right key always has to be looked for among them. No answer is older than its question: changes count at once.
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
