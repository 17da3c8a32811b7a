import type { ServerEvent } from '../../../protocol/index.ts';
import type { Speaker } from '../../chat-state.ts';
import type { MessagePosition, Transcript } from './transcript-state.ts';

/** True for an event that can come twice: transient ones cannot be distinguished. Source: DUP-1. */
export const isNamed = ({ id, sequence }: ServerEvent): boolean => id !== '' && sequence !== null;

interface AuthorFields {
  readonly agent_id?: string | null;
  readonly agent_name?: string | null;
  readonly avatar_url?: string | null;
  readonly agent_avatar_url?: string | null;
  /** The only field of some events of leaving. */
  readonly reason?: string | null;
  /** Chunks of a message name no speaker. */
  readonly message_id?: string;
}

const authorOf = (kind: Speaker['kind'], payload: AuthorFields): Speaker => ({
  kind,
  id: payload.agent_id ?? null,
  name: payload.agent_name ?? null,
  avatarUrl: payload.avatar_url ?? payload.agent_avatar_url ?? null,
});

/** One event as it arrives, and what every type of it needs. */
export interface Arrival {
  readonly position: MessagePosition;
  /** Names the entry of an event that names none. */
  readonly name: string;
  readonly kind: Speaker['kind'];
  readonly author: Speaker;
}

export function toArrival(transcript: Transcript, event: ServerEvent, nowMs: number): Arrival {
  const kind = event.type.includes('LIVE_AGENT') ? 'live_agent' : 'agent';
  return {
    position: { sequence: event.sequence ?? transcript.cursor, atMs: event.timestampMs ?? nowMs },
    name: isNamed(event) ? event.id : `#${transcript.arrivals}`,
    kind,
    // As far as the event says; most events have no author.
    author: authorOf(kind, event.payload as AuthorFields),
  };
}
