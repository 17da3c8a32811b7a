import type { LoggedEvent, SessionLog } from './platform/platform-messages.ts';

/** One line that every client of a session has to show. */
export interface ExpectedItem {
  readonly author: 'user' | 'agent';
  readonly text: string;
  readonly clientEventId: string | null;
}

const textOf = ({ payload }: LoggedEvent): string => {
  const text = payload['text'];
  return typeof text === 'string' ? text : '';
};

/**
 * The transcript that a log means: messages in order of sequence, chunks put together at the place of the first one.
 * Written anew from the contract (sections 5.5 and 9), not with the client's code, which it judges.
 */
export function expectedTranscript({ events }: SessionLog): readonly ExpectedItem[] {
  const items: { author: 'user' | 'agent'; text: string; clientEventId: string | null }[] = [];
  const streams = new Map<unknown, (typeof items)[number]>();
  for (const event of events) {
    if (event.type === 'EVENT_TYPE_USER_MESSAGE') {
      items.push({ author: 'user', text: textOf(event), clientEventId: event.clientEventId });
      continue;
    }
    const isChunk = event.type === 'EVENT_TYPE_AGENT_MESSAGE_CHUNK';
    if (!isChunk && event.type !== 'EVENT_TYPE_AGENT_MESSAGE') continue;
    const messageId = event.payload['message_id'];
    const known = streams.get(messageId);
    if (known) {
      known.text += textOf(event);
      continue;
    }
    const item = { author: 'agent' as const, text: textOf(event), clientEventId: null };
    streams.set(messageId, item);
    items.push(item);
  }
  return items.filter(({ author, text }) => author === 'user' || text !== '');
}

/** Faults within the log: its numbers, its ids and its streams. */
export function findLogFaults({ sessionId, events }: SessionLog): readonly string[] {
  const faults: string[] = [];
  const ids = new Set<string>();
  const names = new Set<string>();
  const lastChunk = new Map<string, { index: number; isComplete: boolean }>();
  let openStream: string | null = null;
  for (const [index, event] of events.entries()) {
    const place = `session ${sessionId}, sequence ${event.sequence}`;
    if (event.sequence !== index + 1) faults.push(`${place}: expected sequence ${index + 1}`);
    if (ids.has(event.id)) faults.push(`${place}: the id ${event.id} was used before`);
    ids.add(event.id);
    if (event.clientEventId !== null && event.type === 'EVENT_TYPE_USER_MESSAGE') {
      if (names.has(event.clientEventId)) faults.push(`${place}: ${event.clientEventId} is logged twice`);
      names.add(event.clientEventId);
    }
    if (event.type !== 'EVENT_TYPE_AGENT_MESSAGE_CHUNK') continue;
    const { message_id: messageId, chunk_index: chunkIndex, is_complete: isComplete } = event.payload;
    const key = String(messageId);
    const last = lastChunk.get(key) ?? { index: 0, isComplete: false };
    if (last.isComplete) faults.push(`${place}: a chunk of ${key} after its last one`);
    if (chunkIndex !== last.index + 1)
      faults.push(`${place}: chunk ${chunkIndex} of ${key} after ${last.index}`);
    // STR-1: never interleaved. A stream that broke off stays open indefinitely, so only a return to it is wrong.
    if (openStream !== key && lastChunk.has(key))
      faults.push(`${place}: ${key} goes on after another message`);
    openStream = key;
    lastChunk.set(key, { index: Number(chunkIndex), isComplete: isComplete === true });
  }
  return faults;
}
