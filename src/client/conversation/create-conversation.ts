import type { Vocabulary } from '../../protocol/index.ts';
import type { Outbox } from '../outbox/outbox-state.ts';
import { EMPTY_TRANSCRIPT } from '../transcript/transcript-state.ts';
import type { Conversation } from './conversation-state.ts';

/** A session about which nothing is known, with the visitor's words that still have to reach it. */
export function createConversation(options: {
  readonly vocabulary: Vocabulary;
  readonly outbox: Outbox;
  readonly isResumed: boolean;
  readonly nowMs: number;
}): Conversation {
  const { vocabulary, outbox, isResumed, nowMs } = options;
  return {
    transcript: EMPTY_TRANSCRIPT,
    outbox,
    vocabulary,
    link: { status: 'down' },
    links: 0,
    isResumed,
    isJoining: false,
    recovery: { attempts: 0, dueAtMs: null, isUnderWay: false },
    lookupFailures: 0,
    hasUserEnded: false,
    outcome: null,
    closeAtMs: null,
    lastActivityMs: nowMs,
  };
}
