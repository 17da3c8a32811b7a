import type { BusMessage } from './bus.ts';

/** What nodes say to each other. */
export type BusLine =
  | { readonly kind: 'session'; readonly sessionId: string; readonly message: BusMessage }
  /** Just connected: every node answers with a beacon. */
  | { readonly kind: 'hello' }
  /** Sent every two seconds. */
  | { readonly kind: 'beacon' }
  /** Shuts down. */
  | { readonly kind: 'bye' }
  | CallLine
  | ResultLine;

/** A question to one node. */
export interface CallLine {
  readonly kind: 'call';
  readonly to: string;
  readonly id: string;
  readonly ask: string;
  readonly body: unknown;
}

/** Its answer. */
export interface ResultLine {
  readonly kind: 'result';
  readonly to: string;
  readonly id: string;
  readonly isFailed: boolean;
  /** False, beside `isFailed`: the node answers no such question, or not yet, and did nothing. */
  readonly isReady: boolean;
  readonly value: unknown;
}

/** One line of ASCII with its line feed: it can be cut anywhere, and its length is its size. */
export function encodeLine(line: BusLine): string {
  const text = JSON.stringify(line).replace(
    /[\u007f-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `${text}\n`;
}

/** Null for what this version does not know: a newer one may run beside it. */
export function decodeLine(text: string): BusLine | null {
  let line: unknown;
  try {
    line = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof line !== 'object' || line === null) return null;
  const { kind, sessionId, message, to, id, ask, body, isFailed, isReady, value }: Record<string, unknown> = {
    ...line,
  };
  switch (kind) {
    case 'hello':
    case 'beacon':
    case 'bye':
      return { kind };
    case 'session':
      return typeof sessionId === 'string' && isBusMessage(message) ? { kind, sessionId, message } : null;
    case 'call':
      return isText(to) && isText(id) && isText(ask) ? { kind, to, id, ask, body } : null;
    case 'result':
      return isText(to) && isText(id)
        ? { kind, to, id, isFailed: isFailed === true, isReady: isReady === true, value }
        : null;
    default:
      return null;
  }
}

const isText = (value: unknown): value is string => typeof value === 'string';

/** Events come from other nodes' writers, which accept known types only; the log would be trusted equally. */
function isBusMessage(value: unknown): value is BusMessage {
  if (typeof value !== 'object' || value === null) return false;
  const { kind, events, code, reason }: Record<string, unknown> = { ...value };
  return kind === 'events'
    ? Array.isArray(events)
    : kind === 'close' && typeof code === 'number' && isText(reason);
}
