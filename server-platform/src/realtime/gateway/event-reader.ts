import type { OutgoingEvent } from 'natter/protocol';
import { toOutgoing } from '../conversation/index.ts';
import type { EventLog, LogPage } from '../event-log/index.ts';

/** Reads a page of a session's log: events after a sequence number, and whether more follow. */
export type EventReader = (
  sessionId: string,
  afterSequence: number,
  limit: number,
) => Promise<{ readonly events: readonly OutgoingEvent[]; readonly hasMore: boolean }>;

/**
 * Makes a reader for the sockets of a node. Concurrent reads of the same page return the same event objects, so that
 * the frame encoder encodes each event once.
 */
export function createEventReader(log: Pick<EventLog, 'readPage'>): EventReader {
  const eventsOfPages = new WeakMap<LogPage, readonly OutgoingEvent[]>();
  return async (sessionId, afterSequence, limit) => {
    const page = await log.readPage(sessionId, afterSequence, limit);
    const events = eventsOfPages.get(page) ?? page.events.map(toOutgoing);
    eventsOfPages.set(page, events);
    return { events, hasMore: page.hasMore };
  };
}
