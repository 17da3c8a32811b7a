import { clientEventIdOf } from 'natter/protocol';
import type { Database } from '../../../server-platform/src/db/index.ts';
import type { EventLog, StoredEvent } from '../../../server-platform/src/realtime/event-log/index.ts';
import { listOpenTurns } from '../../../server-platform/src/realtime/ownership/index.ts';
import type { SessionLog } from './platform-messages.ts';

const PAGE_EVENTS = 500;

/** Reads a session's events from the platform's log, starting with the first. */
export async function readSessionLog(
  database: Database,
  log: Pick<EventLog, 'readAfter'>,
  sessionId: string,
): Promise<SessionLog> {
  const events: StoredEvent[] = [];
  for (;;) {
    const page = await log.readAfter(sessionId, events.at(-1)?.sequence ?? 0, PAGE_EVENTS);
    events.push(...page);
    if (page.length < PAGE_EVENTS) break;
  }
  const unfinished = await listOpenTurns(database, sessionId);
  return {
    sessionId,
    unfinishedTurns: unfinished.length,
    events: events.map(({ id, sequence, type, payload, custom }) => ({
      ...{ id, sequence, type, payload },
      clientEventId: clientEventIdOf(custom),
    })),
  };
}
