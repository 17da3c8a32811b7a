import type { Database, Sql } from '../../db/index.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Bus } from '../../realtime/bus/index.ts';
import type { EventLog } from '../../realtime/event-log/index.ts';
import type { PersonCalls } from '../../staff/index.ts';
import { findPersonById, noteSeen, type Person } from '../../staff/index.ts';
import type { Desk } from '../desk.ts';
import type { DeskRequest } from '../requests.ts';
import { viewInbox } from './desk-views.ts';
import { openPersonStream, type PersonStream, type PersonStreamOptions } from './person-stream.ts';

/** Options of a desk's stream. */
export interface DeskStreamOptions {
  readonly database: Database;
  readonly sharedReads: Sql;
  readonly clock: Clock;
  readonly bus: Bus;
  readonly log: Pick<EventLog, 'readPage'>;
  readonly desk: Desk;
  readonly personCalls: Pick<PersonCalls, 'beginStream'>;
  readonly person: Person;
  /** The shown conversation, and the last sequence that the desk has. */
  readonly shown: { readonly request: DeskRequest; readonly cursor: number } | null;
  readonly readRights: PersonStreamOptions['readRights'];
  readonly watchRights: PersonStreamOptions['watchRights'];
  readonly onFailure: (what: string, error: unknown) => void;
  readonly onSlowReader: () => void;
  readonly onClose: () => void;
}

const HEARTBEAT_MS = 10_000;

/**
 * The stream of one desk, with the `inbox` as its list. Also sends `typing` with `{ "is_typing": true }` while the
 * visitor types. While it is open, its person counts as present.
 */
export function openDeskStream(options: DeskStreamOptions): PersonStream {
  const { database, sharedReads, clock, desk, person, shown, ...rest } = options;
  return openPersonStream({
    ...rest,
    clock,
    personId: person.id,
    shown:
      shown === null
        ? null
        : { id: shown.request.id, sessionId: shown.request.sessionId, cursor: shown.cursor },
    list: { event: 'inbox', read: (rights) => viewInbox(sharedReads, rights.person, clock.now()) },
    beatMs: HEARTBEAT_MS,
    listen: (look, send) => [
      desk.onChange(person.accountId, look),
      ...(shown === null
        ? []
        : [desk.onTyping(shown.request.sessionId, (isTyping) => send('typing', { is_typing: isTyping }))]),
    ],
    async onBeat() {
      const before = await findPersonById(database, person.id);
      const nowMs = clock.now();
      await noteSeen(database, person.id, nowMs);
      // A returning person gets waiting offers.
      if (before !== null && nowMs - before.seenAtMs >= HEARTBEAT_MS * 2) await desk.settle(person.accountId);
    },
  });
}
