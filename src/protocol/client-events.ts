import type { CustomMap, FeedbackPayload, TypingState } from './server-events.ts';

interface Envelope<Type extends string, Payload> {
  readonly type: Type;
  readonly payload: Payload;
  readonly custom: CustomMap | null;
}

type Empty = Readonly<Record<string, never>>;

/** Everything a client may send, discriminated by its neutral `type`. Source: messaging.md 6. */
export type ClientEvent =
  | Envelope<'EVENT_TYPE_REQUEST_AGENT_JOIN', Empty>
  | Envelope<'EVENT_TYPE_USER_MESSAGE', { readonly text: string }>
  | Envelope<'EVENT_TYPE_USER_TYPING', { readonly state: TypingState }>
  | Envelope<'EVENT_TYPE_USER_END_SESSION', Empty>
  | Envelope<'EVENT_TYPE_HEARTBEAT', Empty>
  | OptionalClientEvent
  | ExtensionClientEvent;

/** Events that a client may send only if the platform names their extension. Source: EXT-1. */
export type ExtensionClientEvent =
  | Envelope<'EVENT_TYPE_X_CANCEL_HANDOFF', Empty>
  | Envelope<'EVENT_TYPE_X_STOP_RESPONSE', { readonly message_id: string }>
  | Envelope<'EVENT_TYPE_X_FEEDBACK', FeedbackPayload>;

/** Events that a client may send only if the connector enables them. Source: TBD-2, TBD-3. */
export type OptionalClientEvent =
  | Envelope<
      'EVENT_TYPE_CSAT_RESPONSE',
      { readonly survey_id: string; readonly score: number | null; readonly skipped: boolean }
    >
  | Envelope<
      'EVENT_TYPE_USER_RECEIVED_MESSAGE' | 'EVENT_TYPE_USER_READ_MESSAGE',
      { readonly message_id: string }
    >;

/** Returns the client's id of a draft from a custom map; `null` without one, or if it is empty. Source: MET-4. */
export function clientEventIdOf(custom: CustomMap | null): string | null {
  return custom?.['client_event_id'] || custom?.['local_id'] || null;
}
