import type { Vocabulary } from '../../protocol/index.ts';
import type { Outbox } from '../outbox/outbox-state.ts';
import { EMPTY_TRANSCRIPT } from '../transcript/transcript-state.ts';
import { type Conversation, NO_RECOVERY } from './conversation-state.ts';

/** A session about which nothing is known, with the visitor's words that still have to reach it. */
export function createConversation(options: {
  readonly vocabulary: Vocabulary;
  readonly owner: string;
  readonly unsent: string;
  readonly outbox: Outbox;
  readonly isResumed: boolean;
  readonly nowMs: number;
}): Conversation {
  const { nowMs, ...given } = options;
  return {
    ...given,
    transcript: EMPTY_TRANSCRIPT,
    link: 'down',
    linkAtMs: nowMs,
    links: 0,
    isJoining: false,
    recovery: NO_RECOVERY,
    lookupFailures: 0,
    hasUserEnded: false,
    outcome: null,
    closeAtMs: Infinity,
    lastActivityMs: nowMs,
  };
}
