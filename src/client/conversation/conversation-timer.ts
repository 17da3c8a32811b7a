import type { ClockPort } from '../ports.ts';
import type { Sessions } from '../session/sessions.ts';
import type { ConversationStorage } from '../storage/conversation-storage.ts';
import { createTimer } from '../timer.ts';
import type { ConversationStore } from './conversation-store.ts';
import { conversationDeadlineMs } from './transition.ts';

export interface ConversationTimerOptions {
  readonly clock: ClockPort;
  readonly store: ConversationStore;
  readonly storage: ConversationStorage;
  readonly sessions: Sessions;
  /** A deadline of the conversation has passed. */
  readonly onDeadline: () => void;
  readonly onTicketRenewed: () => void;
}

/** Waits for the next deadline of the conversation, and renews its ticket when that is due. */
export interface ConversationTimer {
  /** Must be called after every change. */
  set(): void;
  clear(): void;
}

export function createConversationTimer(options: ConversationTimerOptions): ConversationTimer {
  const { clock, store, storage, sessions } = options;
  const timer = createTimer(clock);

  function ticketDueAtMs(): number {
    const { liveAtMs, lastActivityMs } = store.conversation;
    return storage.isPersistable()
      ? sessions.credentials.ticketDueAtMs(liveAtMs < Infinity, lastActivityMs)
      : Infinity;
  }

  async function renewTicket(): Promise<void> {
    await sessions.renewTicket();
    if (!store.isClosed) options.onTicketRenewed();
  }

  function set(): void {
    const nowMs = clock.now();
    if (ticketDueAtMs() <= nowMs) void renewTicket();
    // A ticket that is being renewed is not due.
    const atMs = Math.min(conversationDeadlineMs(store.conversation, nowMs), ticketDueAtMs());
    timer.clear();
    if (atMs === Infinity) return;
    timer.set(Math.max(0, atMs - nowMs), () => {
      options.onDeadline();
      // A follower gets no update for a deadline without effect.
      set();
    });
  }

  return { set, clear: timer.clear };
}
