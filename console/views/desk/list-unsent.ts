import type { Entry } from './desk-types.ts';

/** A message of the person's that the platform has not confirmed yet. */
export interface Unsent {
  readonly id: string;
  readonly requestId: string;
  /** Empty: the message is a file. */
  readonly text: string;
  /** Null: the message is a text. */
  readonly file: File | null;
  /** Sequence of the last entry of the log when the message was written. */
  readonly after: number;
  /** Null: on its way; it is sent again until it is stored or refused. */
  readonly problem: string | null;
  /** From the platform: the log shows it from now on. */
  readonly messageId: string | null;
}

export function isWaiting({ problem, messageId }: Unsent): boolean {
  return problem === null && messageId === null;
}

/**
 * The messages of a request that its log does not show yet. The log may have a message before the platform's answer to
 * it has come: it is known then by its person, its text and its place, so that no message is shown twice.
 */
export function listUnsent(
  outbox: readonly Unsent[],
  entries: readonly Entry[],
  requestId: string | null,
  personId: string | null,
): readonly Unsent[] {
  // They are sent one after the other.
  const sent = outbox.find(isWaiting);
  const confirmed = new Set(outbox.map(({ messageId }) => messageId));
  const shown = new Set<string>();
  for (const { sequence, type, payload } of entries) {
    if (type !== 'LIVE_AGENT_MESSAGE') continue;
    const messageId = String(payload['message_id']);
    if (confirmed.has(messageId)) shown.add(messageId);
    else if (
      sent?.requestId === requestId &&
      sequence > sent.after &&
      payload['agent_id'] === personId &&
      payload['text'] === sent.text
    )
      shown.add(sent.id);
  }
  return outbox.filter((each) => each.requestId === requestId && !shown.has(each.messageId ?? each.id));
}
