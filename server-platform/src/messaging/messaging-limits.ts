import { LIMITS } from 'natter/protocol';

/** Every number of the messaging side that an operator may change. */
export interface MessagingLimits {
  /** Per connector and client address. Source: section 16. */
  readonly accessTokensPerMinute: number;
  /** Per client address. Source: section 16. */
  readonly sessionsPerMinute: number;
  /** Per session. Source: section 16. */
  readonly contextSubmissionsPerMinute: number;
  /** Client frames of a session, heartbeats excepted: at once, and refilled per second. Source: section 16. */
  readonly frameBurst: number;
  readonly framesPerSecond: number;
  /** At most one rate warning per session in this time. Source: section 16. */
  readonly rateWarningIntervalMs: number;
  /** Per socket. Source: section 16. */
  readonly heartbeatsPerSecond: number;
  /** Largest HTTP body. Source: HTTP-7. */
  readonly maxBodyBytes: number;
  /** Source: HB-3. */
  readonly inactivityMs: number;
  /** How long after SESSION_END a handshake still gets the replay. Source: WS-4. */
  readonly endedReplayMs: number;
  /** Source: WS-3. */
  readonly maxSocketsPerSession: number;
  /** Handshakes that are checked at a time; others wait for their turn. */
  readonly handshakesAtOnce: number;
  /** Handshakes that may wait, and how long; the others are refused with 503. Less than the 15 s that clients wait. */
  readonly maxWaitingHandshakes: number;
  readonly handshakeWaitMs: number;
  /** One client frame. Source: 5.6 row 2. */
  readonly maxFrameBytes: number;
  /** Source: 5.6 row 3. */
  readonly hardMaxFrameBytes: number;
  /** What may wait for a slow reader before its socket is closed with 1013. */
  readonly maxBufferedBytes: number;
  /** Frames of one socket that may wait to be handled before the socket is no longer read from. */
  readonly maxPendingFrames: number;
  /** Source: HB-5. */
  readonly pingIntervalMs: number;
  /** Told to clients. Source: section 10. */
  readonly heartbeatIntervalSeconds: number;
  readonly maxReconnectAttempts: number;
  /** Source: 3.2. */
  readonly tokenLifetimeSeconds: number;
  /** An agent must have yielded something after this long. */
  readonly agentFirstActionMs: number;
  /** And must not be silent longer than this afterwards. */
  readonly agentSilenceMs: number;
  /** And must be done after this long. */
  readonly agentTurnMs: number;
  /** Turns of one session that may wait; more are refused as overload. */
  readonly maxWaitingTurns: number;
  /** How long turns may run on after a shutdown began. */
  readonly shutdownGraceMs: number;
  /** Sockets close spread over this time at a shutdown, so that their clients do not come back all at once. */
  readonly shutdownJitterMs: number;
}

/** The contract's numbers, and ours where it names none. */
export const DEFAULT_MESSAGING_LIMITS: MessagingLimits = {
  accessTokensPerMinute: 30,
  sessionsPerMinute: 10,
  contextSubmissionsPerMinute: 10,
  frameBurst: 20,
  framesPerSecond: 5,
  rateWarningIntervalMs: 10_000,
  heartbeatsPerSecond: 1,
  maxBodyBytes: 65_536,
  inactivityMs: LIMITS.inactivityMs,
  endedReplayMs: 600_000,
  maxSocketsPerSession: 10,
  // As many as fill a statement that they share, and no more than are through in a fraction of a second.
  handshakesAtOnce: 64,
  maxWaitingHandshakes: 10_000,
  handshakeWaitMs: 10_000,
  maxFrameBytes: LIMITS.maxClientFrameBytes,
  hardMaxFrameBytes: LIMITS.hardMaxFrameBytes,
  // Thirty full batch frames: far more than a live conversation ever queues, little enough for thousands of sockets.
  maxBufferedBytes: 4_194_304,
  maxPendingFrames: 64,
  pingIntervalMs: 30_000,
  heartbeatIntervalSeconds: LIMITS.defaultHeartbeatIntervalSeconds,
  maxReconnectAttempts: 5,
  tokenLifetimeSeconds: 86_400,
  agentFirstActionMs: 30_000,
  agentSilenceMs: 30_000,
  agentTurnMs: 180_000,
  // A visitor who writes ten messages ahead of the answers is not waiting for an eleventh answer.
  maxWaitingTurns: 50,
  shutdownGraceMs: 20_000,
  shutdownJitterMs: 2_000,
};
