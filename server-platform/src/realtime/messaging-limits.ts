import { LIMITS } from 'natter/protocol';

/** All limits of the messaging side that an operator can change. */
export interface MessagingLimits {
  /** Per connector and client address. Source: section 16. */
  readonly accessTokensPerMinute: number;
  /** Per client address. Source: section 16. */
  readonly sessionsPerMinute: number;
  /** Per session. Source: section 16. */
  readonly contextSubmissionsPerMinute: number;
  /** Wrong keys and tokens, per client address and per token prefix. Valid credentials are never refused for this. */
  readonly wrongCredentialsPerMinute: number;
  /** Client frames of a session, heartbeats excepted: burst size and refill per second. Source: section 16. */
  readonly frameBurst: number;
  readonly framesPerSecond: number;
  /** At most one rate warning per session in this time. Source: section 16. */
  readonly rateWarningIntervalMs: number;
  /** Per socket. Source: section 16. */
  readonly heartbeatsPerSecond: number;
  /** Answers to refused frames, per socket. Source: section 16. */
  readonly refusalAnswersPerSecond: number;
  /** Refused frames in a row after which a socket is closed with 1008. Source: section 16. */
  readonly maxRefusedFrames: number;
  /** Frames of any kind from one socket. Frames above the limit are dropped unread, and reading is paused. */
  readonly socketFramesPerSecond: number;
  /** Bytes per second from all sockets of a session together. Above the limit, reading is paused. */
  readonly socketBytesPerSecond: number;
  /** Size of a session's log. Above it, visitor messages are dropped with the warning of section 16. */
  readonly sessionBytes: number;
  /**
   * Bytes per hour and node from one client address, and from one project. Above it, messages are dropped the same way.
   */
  readonly addressBytesPerHour: number;
  readonly projectBytesPerHour: number;
  /** Protocol pings of one socket that are answered. */
  readonly pongsPerSecond: number;
  /** Largest HTTP body. Source: HTTP-7. */
  readonly maxBodyBytes: number;
  /** Time limit for receiving the head of an HTTP request or handshake. */
  readonly requestHeadersMs: number;
  /** Time limit for receiving a whole HTTP request, body included. */
  readonly requestMs: number;
  /** How long an idle HTTP connection is kept open between requests. */
  readonly keepAliveMs: number;
  /** Largest head of an HTTP request or handshake, cookies included. Larger heads get 431. */
  readonly maxHeaderBytes: number;
  /** How long an HTTP connection may transfer nothing while a request is handled or its response is sent. */
  readonly silentConnectionMs: number;
  /** Unfinished HTTP requests per address. Above it, the oldest connections are closed after a second. */
  readonly maxUnfinishedRequests: number;
  /** Source: HB-3. */
  readonly inactivityMs: number;
  /** How long after SESSION_END a handshake still gets the replay. Source: WS-4. */
  readonly endedReplayMs: number;
  /** Source: WS-3. */
  readonly maxSocketsPerSession: number;
  /** Handshakes that are checked concurrently; others wait in a queue. */
  readonly handshakesAtOnce: number;
  /** Queue size of waiting handshakes and longest wait; others get 503. Shorter than the 15 s that clients wait. */
  readonly maxWaitingHandshakes: number;
  readonly handshakeWaitMs: number;
  /** One client frame. Source: 5.6 row 2. */
  readonly maxFrameBytes: number;
  /** Source: 5.6 row 3. */
  readonly hardMaxFrameBytes: number;
  /** Bytes that may be buffered for a slow reader before its socket is closed with 1013. */
  readonly maxBufferedBytes: number;
  /** Unhandled frames of one socket above which reading from the socket stops. */
  readonly maxPendingFrames: number;
  /** The same limit in bytes. */
  readonly maxPendingBytes: number;
  /** Source: HB-5. */
  readonly pingIntervalMs: number;
  /** Sent to clients. Source: section 10. */
  readonly heartbeatIntervalSeconds: number;
  readonly maxReconnectAttempts: number;
  /** Source: 3.2. */
  readonly tokenLifetimeSeconds: number;
  /** Time limit for the first action of an agent. */
  readonly agentFirstActionMs: number;
  /** Longest pause between two actions of an agent. */
  readonly agentSilenceMs: number;
  /** Time limit for a whole turn. */
  readonly agentTurnMs: number;
  /** Concurrent agent turns per project and node; further turns are queued. */
  readonly agentTurnsAtOnce: number;
  /** Turns of one session that may wait; more are refused as overload. */
  readonly maxWaitingTurns: number;
  /** Size of the history that is kept in memory and passed to the agent: the most recent entries. */
  readonly historyBytes: number;
  /** How long a running turn may continue after a shutdown has begun to release its session. */
  readonly shutdownGraceMs: number;
  /** A shutdown spreads the release of sessions over this time, so that their clients do not all reconnect at once. */
  readonly shutdownJitterMs: number;
}

/** Default limits: the contract's numbers where it gives any. */
export const DEFAULT_MESSAGING_LIMITS: MessagingLimits = {
  accessTokensPerMinute: 30,
  sessionsPerMinute: 10,
  contextSubmissionsPerMinute: 10,
  // More failures than a misconfigured client causes.
  wrongCredentialsPerMinute: 100,
  frameBurst: 20,
  framesPerSecond: 5,
  rateWarningIntervalMs: 10_000,
  heartbeatsPerSecond: 1,
  refusalAnswersPerSecond: 5,
  maxRefusedFrames: 50,
  // Forty times the rate of a session, yet low enough that hundreds of such sockets leave capacity for all others.
  socketFramesPerSecond: 200,
  // 1.5 times the largest frames at the rate of section 16.
  socketBytesPerSecond: 1_048_576,
  // A hundred of the largest messages with their answers, or a hundred thousand average messages.
  sessionBytes: 16_777_216,
  // Ten times what an office of a thousand visitors behind one address sends.
  addressBytesPerHour: 67_108_864,
  projectBytesPerHour: 1_073_741_824,
  pongsPerSecond: 5,
  maxBodyBytes: 65_536,
  requestHeadersMs: 15_000,
  requestMs: 30_000,
  // Longer than the 60 s idle timeout of common load balancers; otherwise they send requests on a closing connection.
  keepAliveMs: 75_000,
  maxHeaderBytes: 65_536,
  // Longer than any agent turn that a caller waits for.
  silentConnectionMs: 300_000,
  // About 50 MB of memory.
  maxUnfinishedRequests: 500,
  inactivityMs: LIMITS.inactivityMs,
  endedReplayMs: 600_000,
  maxSocketsPerSession: 10,
  // Fills one shared statement, and completes within a fraction of a second.
  handshakesAtOnce: 64,
  maxWaitingHandshakes: 10_000,
  handshakeWaitMs: 10_000,
  maxFrameBytes: LIMITS.maxClientFrameBytes,
  hardMaxFrameBytes: LIMITS.hardMaxFrameBytes,
  // Thirty full batch frames: far more than a live conversation ever queues, yet affordable for thousands of sockets.
  maxBufferedBytes: 4_194_304,
  maxPendingFrames: 64,
  // Two frames of the maximum size.
  maxPendingBytes: 262_144,
  pingIntervalMs: 30_000,
  heartbeatIntervalSeconds: LIMITS.defaultHeartbeatIntervalSeconds,
  maxReconnectAttempts: 5,
  tokenLifetimeSeconds: 86_400,
  agentFirstActionMs: 30_000,
  agentSilenceMs: 30_000,
  agentTurnMs: 180_000,
  // Enough for a site that asks a slow model a hundred times a second; the connections take about 30 MB.
  agentTurnsAtOnce: 1_000,
  // A visitor who sends this many messages before any answer arrives is not waiting for another answer.
  maxWaitingTurns: 50,
  // Ten thousand conversations fit into 512 MB, and a model gets about twenty messages of several sentences.
  historyBytes: 16_384,
  shutdownGraceMs: 20_000,
  shutdownJitterMs: 2_000,
};
