/**
 * What a client does after a close. `stop`: the chat is over. `come-back`: reconnect with backoff.
 * `poll`: reconnect at a fixed pace. `renew`: this session is gone, start another. `ignore`: a newer
 * socket is in charge.
 */
export type CloseReaction = 'stop' | 'come-back' | 'poll' | 'renew' | 'ignore';

/** Close codes in use, both ends. Source: messaging.md 4.5. */
export const CLOSE_CODES = {
  normal: 1000,
  goingAway: 1001,
  abnormal: 1006,
  tooLarge: 1009,
  internalError: 1011,
  restart: 1012,
  overload: 1013,
  /** By the client: a newer connection of the same client takes over. */
  replaced: 4000,
  sessionRejected: 4001,
  applicationError: 4002,
  /** Local only: the device has no network. */
  networkLost: 4003,
} as const;

const REACTIONS: Readonly<Record<number, CloseReaction>> = {
  [CLOSE_CODES.normal]: 'stop',
  [CLOSE_CODES.replaced]: 'ignore',
  [CLOSE_CODES.sessionRejected]: 'renew',
  [CLOSE_CODES.networkLost]: 'poll',
};

/** How a client reacts to a close code; any code without a row of its own means come back. Source: messaging.md 4.5. */
export function reactToClose(code: number): CloseReaction {
  return REACTIONS[code] ?? 'come-back';
}
