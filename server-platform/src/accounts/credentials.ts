import { GroupReads, type Sql } from '../db/index.ts';
import { type ApiKey, findApiKeys } from './api-keys.ts';
import { type Connector, findConnectorsByToken } from './connectors.ts';

/** Finds whose a key or token is. */
export interface Credentials {
  /** The key with this text, or null when there is none, or it is revoked or expired. */
  findKey(text: string, nowMs: number): Promise<ApiKey | null>;
  /** The connector with this token, or null when there is none or it is revoked. */
  findConnector(token: string): Promise<Connector | null>;
}

// Keys and tokens that share a statement.
const MAX_AT_ONCE = 200;

/**
 * Looks keys and tokens up in the database, those that come at once with one statement: so guesses cost little, although a
 * right key always has to be looked for among them. No answer is older than its question: changes count at once.
 */
export function createCredentials(sql: Sql): Credentials {
  const keys = new GroupReads({
    read: (texts: readonly string[]) => findApiKeys(sql, texts),
    maxKeys: MAX_AT_ONCE,
  });
  const connectors = new GroupReads({
    read: (tokens: readonly string[]) => findConnectorsByToken(sql, tokens),
    maxKeys: MAX_AT_ONCE,
  });
  return {
    async findKey(text, nowMs) {
      const key = await keys.get(text);
      return key === null || (key.expiresAtMs !== null && key.expiresAtMs <= nowMs) ? null : key;
    },
    findConnector: (token) => connectors.get(token),
  };
}
