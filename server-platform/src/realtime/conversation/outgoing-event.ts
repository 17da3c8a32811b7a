import {
  type CustomMap,
  type KnownEventType,
  type OutgoingEvent,
  SYSTEM_TEXTS,
  type SystemMessageLevel,
} from 'natter/protocol';
import { createEventId } from '../../db/ids/index.ts';
import type { StoredEvent } from '../event-log/index.ts';

/** An event outside the history: no sequence, never replayed. Source: messaging.md 5.5. */
export function transientEvent(
  nowMs: number,
  type: KnownEventType,
  payload: Readonly<Record<string, unknown>> = {},
  custom: CustomMap | null = null,
): OutgoingEvent {
  return { id: createEventId(nowMs), sequence: null, timestampMs: nowMs, type, payload, custom };
}

/** A SYSTEM_MESSAGE for the offending socket only. Source: messaging.md 5.5, MET-1. */
export function transientSystemMessage(
  nowMs: number,
  level: SystemMessageLevel,
  message: string,
  custom: CustomMap | null,
): OutgoingEvent {
  return transientEvent(nowMs, 'EVENT_TYPE_SYSTEM_MESSAGE', { level, message }, custom);
}

/** Reports that the session could not be read or written; `custom` identifies the client's draft. Source: 12.1. */
export function sessionUnavailable(nowMs: number, custom: CustomMap | null): OutgoingEvent {
  return transientSystemMessage(nowMs, 'SYSTEM_MESSAGE_LEVEL_ERROR', SYSTEM_TEXTS.sessionUnavailable, custom);
}

/** Converts an event of the log for the protocol's encoder. */
export function toOutgoing(event: StoredEvent): OutgoingEvent {
  const { id, sequence, timestampMs, type, payload, custom } = event;
  // Only this platform's writers fill the log, and they accept known types only.
  return { id, sequence, timestampMs, type: type as KnownEventType, payload, custom };
}
