import type { ServerEvent } from '../../../protocol/index.ts';
import type { Speaker } from '../../chat-state.ts';
import type { MessagePosition, Transcript } from './transcript-state.ts';

/** True for an event that can be recognised when repeated, unlike transient ones. Source: DUP-1. */
export const isNamed = ({ id, sequence }: ServerEvent): boolean => id !== '' && sequence !== null;

interface AuthorFields {
  readonly agent_id?: string | null;
  readonly agent_name?: string | null;
  readonly avatar_url?: string | null;
  readonly agent_avatar_url?: string | null;
  /** The only field of some leave events. */
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

/** An event with values that all types need. */
export interface Arrival {
  readonly position: MessagePosition;
  /** Id for an entry whose event has none. */
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
    // As far as the event contains one; most events have no author.
    author: authorOf(kind, event.payload as AuthorFields),
  };
}
