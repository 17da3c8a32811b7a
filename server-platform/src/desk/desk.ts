import { createEventId } from '../db/ids/index.ts';
import type { Database, Sql } from '../db/index.ts';
import {
  createNotifyHandoff,
  type DeskEvent,
  type NotifyHandoff,
  OpenHandoffs,
} from '../handoff/providers/index.ts';
import type { Clock } from '../kit/clock.ts';
import type { Bus, Peers } from '../realtime/bus/index.ts';
import { touchSessions } from '../realtime/event-log/index.ts';
import type { SessionLocation } from '../realtime/index.ts';
import { listPeople, noteOffered, type Person, toLiveAgent, writeAudit } from '../staff/index.ts';
import { type Board, settleBoard, stepRequest } from './board.ts';
import { listQueues } from './queues.ts';
import type { RequestStep } from './request-state.ts';
import {
  clearPending,
  type DeskRequest,
  findRequest,
  insertRequest,
  type KnownVisitor,
  listBusyAccounts,
  listOpenRequests,
  listStrayRequests,
  listUntold,
  listVisitors,
  lockPending,
  noteMessage,
  noteVisitors,
  readHandlingTimes,
  removePending,
  saveRequest,
} from './requests.ts';

/** Options of the desk. */
export interface DeskOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly bus: Bus;
  readonly peers: Peers;
  readonly ensureSessionLoaded: (sessionId: string) => Promise<SessionLocation>;
  /** The sessions that have a socket on any node; null: a node did not respond. */
  readonly listConnected: (sessionIds: readonly string[]) => Promise<ReadonlySet<string> | null>;
  readonly onFailure: (what: string, error: unknown) => void;
}

/** The person who requests a step, for the audit log. */
export type Actor = Pick<Person, 'accountId' | 'email'>;

/** A change in progress: its transaction, the desk in it, and how to add and write a request. */
interface Change {
  readonly sql: Sql;
  readonly load: () => Promise<Board>;
  readonly insert: (request: DeskRequest) => Promise<void>;
  readonly save: (request: DeskRequest) => Promise<void>;
}

/**
 * The desk of this platform. Its state is in the database: every change of an account's requests is one transaction
 * under one lock, on any node, and also stores events for sessions. Delivery may fail and is repeated by any node; a
 * session stores a repeated event once.
 */
export class Desk {
  /** Handoffs whose sessions are on this node. */
  readonly open = new OpenHandoffs();
  readonly #options: DeskOptions;
  readonly #tell: NotifyHandoff;
  readonly #telling = new Map<string, Promise<void>>();

  constructor(options: DeskOptions) {
    this.#options = options;
    this.#tell = createNotifyHandoff({ ...options, open: this.open, ask: 'desk request' });
  }

  /** Puts a new request into its queue, and offers it. */
  async add(request: DeskRequest): Promise<void> {
    await this.#change(request.accountId, ({ insert }) => insert(request));
  }

  /**
   * Applies a step to a request with its consequences. False: the step is not possible, there is no such open request,
   * or it belongs to another person than `onlyOf`.
   */
  async step(
    accountId: string,
    requestId: string,
    step: RequestStep,
    actor: Actor | null,
    onlyOf: string | null = null,
  ): Promise<boolean> {
    const { clock } = this.#options;
    return await this.#change(accountId, async ({ sql, load, save }) => {
      const board = await load();
      const request = board.requests.find(({ id }) => id === requestId);
      if (request === undefined || (onlyOf !== null && request.personId !== onlyOf)) return false;
      const stepped = stepRequest(board, request, step, clock.now());
      if (stepped === null) return false;
      await save(stepped);
      // An absent visitor gets the full time to return, because a person kept the conversation until now.
      if (step.type === 'transfer' && request.leftAtMs !== null)
        await noteVisitors(sql, [requestId], clock.now());
      if (actor !== null) {
        const { email, accountId: ofActor } = actor;
        const entry = { accountId: ofActor, actor: email, action: step.type, subject: requestId };
        await writeAudit(sql, entry, clock.now());
      }
      return true;
    });
  }

  /** Does due work in an account after a person came or left, or after some time. */
  async settle(accountId: string): Promise<void> {
    await this.#change(accountId, async () => {});
  }

  /** Does due work in all accounts, and delivers pending events to sessions. */
  async sweep(): Promise<void> {
    const { database, onFailure } = this.#options;
    for (const accountId of await listBusyAccounts(database)) {
      try {
        await this.#noteVisitors(accountId);
        await this.settle(accountId);
        for (const id of await listUntold(database, accountId)) await this.deliver(accountId, id);
      } catch (error) {
        onFailure('do what is due at a desk', error);
      }
    }
  }

  /**
   * Sends a person's message to the visitor, after all earlier events. Resolves with its id, the same for the same
   * sender's `id`; null when it could not be delivered and should be sent again; `over` when it never can be.
   */
  async say(
    request: DeskRequest,
    person: Person,
    id: string,
    message: Pick<Extract<DeskEvent, { readonly type: 'message' }>, 'text' | 'attachments'>,
  ): Promise<string | 'over' | null> {
    await this.deliver(request.accountId, request.id);
    const told = await this.#tell({
      handoffId: request.id,
      projectId: request.projectId,
      event: { type: 'message', agent: toLiveAgent(person), ...message },
      eventId: messageKeyOf(request, person, id),
    });
    if (told.status === 'unknown') return 'over';
    if (told.status === 'elsewhere' || told.messageId === null) return null;
    await noteMessage(this.#options.database, request.id, this.#options.clock.now());
    this.announce(request.accountId);
    return told.messageId;
  }

  /** Shows the visitor whether a person is typing. */
  async type(request: DeskRequest, person: Person, state: 'started' | 'stopped'): Promise<void> {
    await this.#tell({
      handoffId: request.id,
      projectId: request.projectId,
      event: { type: 'typing', agent: toLiveAgent(person), state },
    });
  }

  /** Notifies an account's desks on every node of a change. Notifications may be lost, because desks also poll. */
  announce(accountId: string): void {
    this.#publish(`desk ${accountId}`, {});
  }

  /** Calls the listener after every change in an account. Returns a function that unsubscribes. */
  onChange(accountId: string, listener: () => void): () => void {
    return this.#options.bus.subscribe(`desk ${accountId}`, listener);
  }

  /** Sends the visitor's typing state to the pages that show a session. */
  announceTyping(sessionId: string, state: string): void {
    this.#publish(`typing ${sessionId}`, { state });
  }

  onTyping(sessionId: string, listener: (isTyping: boolean) => void): () => void {
    return this.#options.bus.subscribe(`typing ${sessionId}`, (message) => {
      if (message.kind !== 'events') return;
      for (const { payload } of message.events)
        listener((payload as { readonly state?: unknown }).state === 'TYPING_STATE_STARTED');
    });
  }

  /** Delivers pending events to a session, in order. Never rejects: the next sweep delivers the rest. */
  async deliver(accountId: string, requestId: string): Promise<void> {
    const before = this.#telling.get(requestId) ?? Promise.resolve();
    const telling = before
      .then(() => this.#deliver(accountId, requestId))
      .catch((error: unknown) =>
        this.#options.onFailure('report an event of the desk to its conversation', error),
      );
    this.#telling.set(requestId, telling);
    await telling;
    if (this.#telling.get(requestId) === telling) this.#telling.delete(requestId);
  }

  async #deliver(accountId: string, requestId: string): Promise<void> {
    const { database } = this.#options;
    let request = await findRequest(database, accountId, requestId);
    while (request !== null) {
      const [next] = request.pending;
      if (next === undefined) return;
      const told = await this.#tell({
        handoffId: requestId,
        projectId: request.projectId,
        event: next.event,
        eventId: next.id,
      });
      if (told.status === 'elsewhere') return;
      if (told.status === 'unknown') {
        if (await isInHandoff(database, request.sessionId)) return;
        await clearPending(database, requestId);
        return;
      }
      const pending = await removePending(database, requestId, next.id);
      request =
        pending === null ? await findRequest(database, accountId, requestId) : { ...request, pending };
    }
  }

  /** Records which visitors have closed their pages, and which have returned. */
  async #noteVisitors(accountId: string): Promise<void> {
    const { database, clock, listConnected } = this.#options;
    const visitors = await listVisitors(database, accountId);
    if (visitors.length === 0) return;
    const connected = await listConnected(visitors.map(({ sessionId }) => sessionId));
    if (connected === null) return;
    const changed = visitors.filter(
      ({ sessionId, leftAtMs }) => connected.has(sessionId) !== (leftAtMs === null),
    );
    const back = changed.filter(({ sessionId }) => connected.has(sessionId));
    const left = changed.filter(({ sessionId }) => !connected.has(sessionId));
    const nowMs = clock.now();
    // A returning visitor is not idle before their first heartbeat.
    await touchSessions(database, new Map(back.map(({ sessionId }) => [sessionId, nowMs])));
    await noteVisitors(database, idsOf(back), null);
    await noteVisitors(database, idsOf(left), nowMs);
  }

  /** Changes an account's requests and applies the consequences in one transaction. */
  async #change<T>(accountId: string, work: (change: Change) => Promise<T>): Promise<T> {
    const { database, clock } = this.#options;
    const touched = new Set<string>();
    const result = await database.tx(async (sql) => {
      await sql.query(`SELECT pg_advisory_xact_lock(hashtextextended('natter desk ' || $1, 0))`, [accountId]);
      await lockPending(sql, accountId);
      const insert = async (request: DeskRequest): Promise<void> => {
        touched.add(request.id);
        await insertRequest(sql, request);
      };
      const save = async (request: DeskRequest): Promise<void> => {
        touched.add(request.id);
        await saveRequest(sql, request);
      };
      const result = await work({ sql, insert, save, load: () => loadBoard(sql, accountId) });
      const board = await loadBoard(sql, accountId);
      const nowMs = clock.now();
      const settled = settleBoard(board, nowMs);
      for (const request of settled.filter((each, index) => each !== board.requests[index])) {
        await save(request);
        if (request.status === 'offered' && request.personId !== null)
          await noteOffered(sql, request.personId, nowMs);
      }
      return result;
    });
    this.announce(accountId);
    await Promise.all([...touched].map((id) => this.deliver(accountId, id)));
    return result;
  }

  #publish(topic: string, payload: Readonly<Record<string, string>>): void {
    const { bus, clock } = this.#options;
    const nowMs = clock.now();
    const event = {
      id: createEventId(nowMs),
      sequence: null,
      timestampMs: nowMs,
      type: 'EVENT_TYPE_USER_TYPING',
      payload,
      custom: null,
    } as const;
    bus.publish(topic, { kind: 'events', events: [event] });
  }
}

/** The key under which a person's message is stored once. */
export const messageKeyOf = (
  request: Pick<DeskRequest, 'id'>,
  person: Pick<Person, 'id'>,
  id: string,
): string => `${request.id}:${person.id}:${id}`;

const idsOf = (visitors: readonly KnownVisitor[]): readonly string[] => visitors.map(({ id }) => id);

async function loadBoard(sql: Sql, accountId: string): Promise<Board> {
  return {
    requests: await listOpenRequests(sql, accountId),
    people: await listPeople(sql, accountId),
    queues: await listQueues(sql, accountId),
    handlingMs: await readHandlingTimes(sql, accountId),
    strayIds: await listStrayRequests(sql, accountId),
  };
}

async function isInHandoff(sql: Sql, sessionId: string): Promise<boolean> {
  const rows = await sql.query(
    `SELECT 1 FROM sessions WHERE id = $1 AND ended_at IS NULL AND state IN ('handoff', 'live')`,
    [sessionId],
  );
  return rows.length > 0;
}
