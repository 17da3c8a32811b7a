import type { BusMessage } from './bus.ts';

/** A message between nodes on the bus. */
export type NodeMessage =
  | { readonly kind: 'session'; readonly sessionId: string; readonly message: BusMessage }
  /** Sent after connecting; every node answers with a beacon. */
  | { readonly kind: 'hello' }
  /** Sent every two seconds. */
  | { readonly kind: 'beacon' }
  /** Sent on shutdown. */
  | { readonly kind: 'bye' }
  | CallLine
  | ResultLine;

/** A request to one node. */
export interface CallLine {
  readonly kind: 'call';
  readonly to: string;
  readonly id: string;
  readonly ask: string;
  readonly body: unknown;
}

/** The response to a {@link CallLine}. */
export interface ResultLine {
  readonly kind: 'result';
  readonly to: string;
  readonly id: string;
  readonly isFailed: boolean;
  /** False together with `isFailed`: the node has no handler for this request yet, and did nothing. */
  readonly isReady: boolean;
  readonly value: unknown;
}

/**
 * Encodes a message as one ASCII line with a line feed, so that it can be split anywhere and its length is its byte
 * size.
 */
export function encodeNodeMessage(line: NodeMessage): string {
  const text = JSON.stringify(line).replace(
    /[\u007f-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `${text}\n`;
}

/** Returns null for messages unknown to this version, because a newer one may run beside it. */
export function decodeNodeMessage(text: string): NodeMessage | null {
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

/** Checks the shape only: events come from other nodes' writers, which accept known types only. */
function isBusMessage(value: unknown): value is BusMessage {
  if (typeof value !== 'object' || value === null) return false;
  const { kind, events, code, reason }: Record<string, unknown> = { ...value };
  return kind === 'events'
    ? Array.isArray(events)
    : kind === 'close' && typeof code === 'number' && isText(reason);
}
