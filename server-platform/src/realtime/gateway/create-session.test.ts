import { afterEach, expect, it } from 'vitest';
import { EMBEDDED_ENGINE, type TestDatabase } from '../../../test/db/engines.ts';
import { addTestConnector } from '../../../test/db/fixtures.ts';
import type { Database } from '../../db/index.ts';
import { systemClock } from '../../kit/clock.ts';
import { createConnectorDirectory } from '../conversation/connector-directory.ts';
import { loadSession } from '../event-log/index.ts';
import { DEFAULT_MESSAGING_LIMITS } from '../messaging-limits.ts';
import { createSessionOperations } from './create-session.ts';
import { SessionIds } from './session-ids.ts';

let place: TestDatabase | undefined;
afterEach(() => place?.close());

it('stores concurrently created sessions with few statements', async () => {
  place = await EMBEDDED_ENGINE.open();
  const { database } = place;
  const connectors = createConnectorDirectory(database, { findConnector: async () => null });
  const connector = await connectors.findById(await addTestConnector(database));
  if (connector === null) throw new Error('There is no connector.');
  let statements = 0;
  const counting: Database = {
    ...database,
    query(text, ...rest) {
      if (text.includes('INSERT INTO sessions')) statements += 1;
      return database.query(text, ...rest);
    },
  };
  const { createSession } = createSessionOperations({
    context: {
      ...{ database: counting, connectors, clock: systemClock, limits: DEFAULT_MESSAGING_LIMITS },
      log: { queuedRows: 0 },
      sessionIds: new SessionIds(),
    },
    manager: { get: () => undefined, rpc: { notifyOwner: async () => {} } },
    contextKeysOf: () => {
      throw new Error('Only a submitted context needs the keys.');
    },
  });
  const request = { isStreaming: true, platform: 'web', deviceType: null, variantId: null };
  const ids = await Promise.all(
    Array.from({ length: 30 }, (_, visitor) =>
      createSession(request, { identity: `visitor ${visitor}`, connector, host: 'example.com' }),
    ),
  );
  expect(statements).toBeLessThanOrEqual(2);
  const identities = await Promise.all(ids.map(async (id) => (await loadSession(database, id))?.identity));
  expect(identities).toEqual(ids.map((_, visitor) => `visitor ${visitor}`));
});
