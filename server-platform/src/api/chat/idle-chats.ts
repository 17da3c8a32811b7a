import { RetryLater, sweepItems } from '../../jobs/index.ts';
import { writeConversations } from '../../realtime/event-log/index.ts';
import type { RestServices } from '../rest/index.ts';
import { listIdleChats, timeOutChats } from './chat-store.ts';

// Conversations ended per transaction.
const AT_ONCE = 200;
// The sweep runs every 30 s.
const FIRST_REST_MS = 60_000;

/** Ends idle conversations over REST, so that their records end as well. Source: 3.4. */
export class IdleChats {
  readonly #services: Pick<RestServices, 'clock' | 'database' | 'onFailure'>;
  readonly #idleMs: number;
  readonly #later: RetryLater<string>;

  constructor(services: Pick<RestServices, 'clock' | 'database' | 'onFailure'>, idleMs: number) {
    this.#services = services;
    this.#idleMs = idleMs;
    this.#later = new RetryLater({ clock: services.clock, firstMs: FIRST_REST_MS });
  }

  /** Ends all idle conversations. A failure does not block the others, and is retried later. */
  async end(): Promise<void> {
    const { clock, database, onFailure } = this.#services;
    const later = this.#later;
    for (;;) {
      const idleSinceMs = clock.now() - this.#idleMs;
      const ids = await listIdleChats(database, idleSinceMs, { limit: AT_ONCE, except: later.resting });
      try {
        await this.#timeOut(ids, idleSinceMs);
      } catch {
        // One of them cannot be ended. Trying each alone shows which one, and reports it.
        await sweepItems(ids, {
          later,
          work: (id) => this.#timeOut([id], idleSinceMs),
          onFailure: (error) => onFailure('end an idle chat', error),
        });
        // The next sweep continues, so that a read-only database is not queried endlessly.
        return;
      }
      if (ids.length < AT_ONCE) return;
    }
  }

  async #timeOut(ids: readonly string[], idleSinceMs: number): Promise<void> {
    if (ids.length === 0) return;
    await this.#services.database.tx(async (sql) => {
      const idle = await timeOutChats(sql, ids, idleSinceMs);
      await writeConversations(
        sql,
        idle.map(({ conversationId, lastActivityMs }) => ({
          id: conversationId,
          end: { atMs: lastActivityMs + this.#idleMs, reason: 'timed_out' },
        })),
      );
    });
  }
}
