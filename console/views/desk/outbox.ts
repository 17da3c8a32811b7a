import { type Signal, signal } from '@preact/signals';
import { CallError, callDesk, sendToDesk } from '../../call-platform.ts';
import { isWaiting, type Unsent } from './list-unsent.ts';

export const RETRY_MS = 2_000;

/** The person's messages since the sign-in, in the order in which they are sent. */
export const outbox: Signal<readonly Unsent[]> = signal([]);

/**
 * Sends a text, unless it is empty, and then each file, again and again until the platform has stored or refused them.
 * `after` is the sequence of the last entry that the person has seen.
 */
export function enqueue(requestId: string, text: string, files: readonly File[], after: number): void {
  const messages = [
    ...(text.trim() === '' ? [] : [{ text, file: null }]),
    ...files.map((file) => ({ text: '', file })),
  ].map((message) => ({
    id: crypto.randomUUID(),
    requestId,
    ...message,
    after,
    problem: null,
    messageId: null,
  }));
  const isIdle = !outbox.value.some(isWaiting);
  outbox.value = [...outbox.value, ...messages];
  if (isIdle) void sendNext();
}

/** Sends a message again that the platform has refused. */
export function sendAgain(id: string): void {
  change(id, { problem: null });
  void sendNext();
}

/** Forgets every message; one that is on its way may still arrive. */
export function clearOutbox(): void {
  outbox.value = [];
}

interface Sent {
  readonly message_id: string;
}

// One after the other, so that they arrive in order.
async function sendNext(): Promise<void> {
  for (;;) {
    const next = outbox.value.find(isWaiting);
    if (next === undefined) return;
    const { id, requestId, text, file } = next;
    try {
      const sent = await (file === null
        ? callDesk<Sent>('POST', `/requests/${requestId}/messages`, { id, text })
        : sendToDesk<Sent>(`/requests/${requestId}/files?id=${id}`, file));
      change(id, { messageId: sent.message_id });
    } catch (error) {
      const status = error instanceof CallError ? error.status : 0;
      if (status === 0 || status >= 500) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      else change(id, { problem: error instanceof Error ? error.message : String(error) });
    }
  }
}

function change(id: string, fields: Partial<Unsent>): void {
  outbox.value = outbox.value.map((each) => (each.id === id ? { ...each, ...fields } : each));
}
