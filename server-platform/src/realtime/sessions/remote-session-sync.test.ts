import type { OutgoingEvent } from 'natter/protocol';
import { expect, it } from 'vitest';
import { createInProcessBus } from '../bus/index.ts';
import type { MessagingContext } from '../messaging-context.ts';
import { RemoteSessionSync } from './remote-session-sync.ts';

const event = (sequence: number | null, type: OutgoingEvent['type'] = 'EVENT_TYPE_USER_MESSAGE') =>
  ({
    id: `event-${sequence}`,
    sequence,
    timestampMs: 7,
    type,
    payload: {},
    custom: null,
  }) satisfies OutgoingEvent;

/** Follows a session known up to `lastSequence`, whose log has `logged` events. */
function follow(lastSequence: number, logged: number) {
  const bus = createInProcessBus();
  const ends: number[] = [];
  const reads: number[] = [];
  const notified: (number | null)[] = [];
  const log = {
    async readPage(sessionId: string, cursor: number, limit: number) {
      reads.push(cursor);
      const rest = Array.from({ length: logged - cursor }, (_, index) => cursor + index + 1);
      const events = rest.slice(0, limit).map((sequence) => ({ ...event(sequence), sessionId, sequence }));
      return { events, hasMore: rest.length > limit };
    },
  };
  const context = { bus, log } as unknown as MessagingContext;
  const follower = new RemoteSessionSync(context, { id: 'session', lastSequence }, (atMs) => ends.push(atMs));
  bus.subscribe('session', (message) => {
    if (message.kind === 'events') notified.push(...message.events.map(({ sequence }) => sequence));
  });
  const hear = (...events: OutgoingEvent[]): void => bus.publish('session', { kind: 'events', events });
  return { bus, follower, ends, reads, notified, hear };
}

it('sends sockets lost events once, page by page', async () => {
  const { follower, notified, reads } = follow(2, 403);
  await follower.catchUp({ lastSequence: 403 });
  await follower.catchUp({ lastSequence: 403 });
  expect(reads).toEqual([2, 202, 402]);
  expect(notified).toEqual(Array.from({ length: 401 }, (_, index) => index + 3));
});

it('reads no events that arrived over the bus, in any order', async () => {
  const { follower, hear, reads } = follow(2, 5);
  hear(event(3), event(5), event(null));
  hear(event(4));
  await follower.catchUp({ lastSequence: 5 });
  expect(reads).toEqual([]);
});

it('gives up when the log has fewer events than were seen', async () => {
  const { follower, reads } = follow(2, 2);
  await follower.catchUp({ lastSequence: 3 });
  expect(reads).toEqual([2]);
});

it("reports the session's end, and receives nothing after it was stopped", async () => {
  const { bus, follower, hear, ends, reads } = follow(2, 4);
  bus.publish('session', { kind: 'close', code: 1000, reason: '' });
  hear(event(3));
  expect(ends).toEqual([]);
  hear(event(4, 'EVENT_TYPE_SESSION_END'));
  expect(ends).toEqual([7]);
  follower.stop();
  hear(event(5, 'EVENT_TYPE_SESSION_END'));
  expect(ends).toEqual([7]);
  await follower.catchUp({ lastSequence: 4 });
  expect(reads).toEqual([]);
});
