import type { Sql } from '../../../src/db/index.ts';
import { writeConversations } from '../../../src/realtime/event-log/index.ts';
import { NOON_MS } from './recorded.ts';

/** Puts conversations on record in which nothing was said yet. Those that are there stay as they are. */
export async function startConversations(sql: Sql, projectId: string, ids: readonly string[]): Promise<void> {
  await writeConversations(
    sql,
    ids.map((id) => ({
      id,
      start: {
        atMs: NOON_MS,
        projectId,
        connectorId: null,
        variantId: '',
        variantName: '',
        environment: 'live',
        channel: 'CHAT',
        language: 'en',
        fromNumber: '',
        toNumber: '',
        sharedId: null,
      },
    })),
  );
}
