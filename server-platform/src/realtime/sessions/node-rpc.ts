import type { OutgoingEvent } from 'natter/protocol';
import { isPeerError } from '../bus/index.ts';
import { loadSession } from '../event-log/index.ts';
import type { MessagingContext } from '../messaging-context.ts';
import { loadSessionStatus } from '../ownership/index.ts';
import type { ForwardedCommand, ForwardResult } from './commands/forward-command.ts';
import type { Session } from './session.ts';

// Longest wait of a handshake for other nodes.
const COUNT_MS = 500;
const ASK_MS = 5_000;
// Ids that fit into one bus packet.
const IDS_AT_ONCE = 500;

/** Requests between nodes about sessions, and their handlers. */
export class NodeRpc {
  readonly #context: MessagingContext;
  readonly #sessions: ReadonlyMap<string, Session>;

  constructor(context: MessagingContext, sessions: ReadonlyMap<string, Session>) {
    this.#context = context;
    this.#sessions = sessions;
  }

  /** Registers the handlers. */
  start(): void {
    const { peers, database } = this.#context;
    const owned = (body: unknown): Session | null => {
      const session = this.#sessions.get(readSessionId(body));
      return session?.isOwned === true ? session : null;
    };
    peers.answer('input', async (body): Promise<ForwardResult> => {
      // Serialised by `forwardCommand` on another node.
      const command = body as ForwardedCommand;
      return (
        (await this.#sessions.get(command.sessionId)?.commands.receive(command)) ?? { status: 'not_owner' }
      );
    });
    peers.answer('sockets', async (body) => this.#sessions.get(readSessionId(body))?.usage.connections ?? 0);
    peers.answer('connected', async (body) => readSessionIds(body).filter((id) => this.#isConnected(id)));
    peers.answer('sticky', async (body) => owned(body)?.stateEvents ?? []);
    peers.answer('external events', async (body) => {
      await owned(body)?.readExternalEvents();
      return null;
    });
    peers.answer('context', async (body) => {
      const session = owned(body);
      const stored = session === null ? null : await loadSession(database, session.id);
      if (stored?.contextVault) session?.setContextVault(stored.contextVault);
      return null;
    });
  }

  /** Counts the session's connections on other nodes that respond. Source: WS-3. */
  async countConnections(sessionId: string): Promise<number> {
    const { peers } = this.#context;
    const counts = await Promise.all(
      peers.names.map(async (node) => {
        try {
          const count = await peers.call(node, 'sockets', { sessionId }, COUNT_MS);
          return typeof count === 'number' ? count : 0;
        } catch (error) {
          // An unresponsive node must not cause visitors to be rejected.
          if (isPeerError(error)) return 0;
          throw error;
        }
      }),
    );
    return counts.reduce((sum, count) => sum + count, 0);
  }

  /** Returns which sessions have a socket on any node; null if a node did not respond. */
  async listConnected(sessionIds: readonly string[]): Promise<ReadonlySet<string> | null> {
    const { peers } = this.#context;
    const found = new Set(sessionIds.filter((id) => this.#isConnected(id)));
    for (let from = 0; from < sessionIds.length; from += IDS_AT_ONCE) {
      const some = sessionIds.slice(from, from + IDS_AT_ONCE).filter((id) => !found.has(id));
      try {
        const answers = await Promise.all(
          peers.names.map((node) => peers.call(node, 'connected', { sessionIds: some }, COUNT_MS)),
        );
        for (const id of answers.flat()) if (typeof id === 'string') found.add(id);
      } catch (error) {
        if (isPeerError(error)) return null;
        throw error;
      }
    }
    return found;
  }

  #isConnected(sessionId: string): boolean {
    return (this.#sessions.get(sessionId)?.usage.connections ?? 0) > 0;
  }

  /** Returns the latest state for a new connection from the owner node, sent after the replay (5.5). */
  async stateEvents(session: Session): Promise<readonly OutgoingEvent[]> {
    const { owner } = session;
    if (owner === null || session.row.state !== 'handoff') return session.stateEvents;
    try {
      const events = await this.#context.peers.call(owner, 'sticky', { sessionId: session.id }, ASK_MS);
      // The other node's `stateEvents`.
      return events as readonly OutgoingEvent[];
    } catch (error) {
      // Transient state: the next update arrives over the bus.
      if (isPeerError(error)) return [];
      throw error;
    }
  }

  /** The other node that owns a session; `null`: this node owns it, or no node does. */
  async ownerOf(sessionId: string): Promise<string | null> {
    const { peers, database, lease } = this.#context;
    if (peers.isAlone || this.#sessions.get(sessionId)?.isOwned === true) return null;
    const [status] = await loadSessionStatus(database, [sessionId]);
    return status === undefined || status.owner === lease.node ? null : status.owner;
  }

  /** Notifies the owner node that something of its session has changed in the database. Rejects with a `PeerError`. */
  async notifyOwner(sessionId: string, what: 'external events' | 'context'): Promise<void> {
    const owner = await this.ownerOf(sessionId);
    if (owner !== null) await this.#context.peers.call(owner, what, { sessionId }, ASK_MS);
  }
}

function readSessionId(body: unknown): string {
  const sessionId = typeof body === 'object' && body !== null ? Reflect.get(body, 'sessionId') : null;
  return typeof sessionId === 'string' ? sessionId : '';
}

function readSessionIds(body: unknown): readonly string[] {
  const ids: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'sessionIds') : null;
  return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [];
}
