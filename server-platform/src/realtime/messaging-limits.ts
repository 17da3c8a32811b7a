import { LIMITS } from 'natter/protocol';

/** Every number of the messaging side that an operator may change. */
export interface MessagingLimits {
  /** Per connector and client address. Source: section 16. */
  readonly accessTokensPerMinute: number;
  /** Per client address. Source: section 16. */
  readonly sessionsPerMinute: number;
  /** Per session. Source: section 16. */
  readonly contextSubmissionsPerMinute: number;
  /** Wrong keys and tokens from one client address, and with one beginning; right ones are never refused for them. */
  readonly wrongCredentialsPerMinute: number;
  /** Client frames of a session, heartbeats excepted: at once, and refilled per second. Source: section 16. */
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
  /** Frames of any form that one socket may send; above it, they are dropped unread and the socket is read in pauses. */
  readonly socketFramesPerSecond: number;
  /** What the sockets of a session may send together; above it, they are read in pauses. */
  readonly socketBytesPerSecond: number;
  /** What the log of a session may hold; above it, what a visitor sends is dropped with the warning of section 16. */
  readonly sessionBytes: number;
  /** What the sockets of one client address, and of one project, may send to a node in an hour; above it the same. */
  readonly addressBytesPerHour: number;
  readonly projectBytesPerHour: number;
  /** Protocol pings of one socket that are answered. */
  readonly pongsPerSecond: number;
  /** Largest HTTP body. Source: HTTP-7. */
  readonly maxBodyBytes: number;
  /** How long the head of an HTTP request or handshake may take. */
  readonly requestHeadersMs: number;
  /** How long a whole HTTP request may take, body included. */
  readonly requestMs: number;
  /** How long an HTTP connection is kept between two requests. */
  readonly keepAliveMs: number;
  /** Largest head of an HTTP request or handshake, cookies included; above it the answer is 431. */
  readonly maxHeaderBytes: number;
  /** How long an HTTP connection is kept on which nothing moves while a request is handled or its answer is read. */
  readonly silentConnectionMs: number;
  /** Connections of one address with an unfinished HTTP request; above it the oldest ones are closed after a second. */
  readonly maxUnfinishedRequests: number;
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
  /** And their bytes. */
  readonly maxPendingBytes: number;
  /** Source: HB-5. */
  readonly pingIntervalMs: number;
  /** Sent to clients. Source: section 10. */
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
  /** Turns of the agents of one project that run at a time on a node; more wait for the first of them to end. */
  readonly agentTurnsAtOnce: number;
  /** Turns of one session that may wait; more are refused as overload. */
  readonly maxWaitingTurns: number;
  /** What an agent is given of a conversation, and a node holds of it in memory: the last entries. */
  readonly historyBytes: number;
  /** How long the turn of a session may run on when a shutdown hands the session over. */
  readonly shutdownGraceMs: number;
  /** A shutdown hands sessions over spread over this time, so that their clients do not come back all at once. */
  readonly shutdownJitterMs: number;
}

/** The contract's numbers, and ours where it names none. */
export const DEFAULT_MESSAGING_LIMITS: MessagingLimits = {
  accessTokensPerMinute: 30,
  sessionsPerMinute: 10,
  contextSubmissionsPerMinute: 10,
  // More than a careless configuration causes.
  wrongCredentialsPerMinute: 100,
  frameBurst: 20,
  framesPerSecond: 5,
  rateWarningIntervalMs: 10_000,
  heartbeatsPerSecond: 1,
  refusalAnswersPerSecond: 5,
  maxRefusedFrames: 50,
  // Forty times what a session may send, and little enough that hundreds of such sockets leave room for all others.
  socketFramesPerSecond: 200,
  // The largest frames at the rate of section 16, and half as much again.
  socketBytesPerSecond: 1_048_576,
  // A hundred of the largest messages, and the answers to them; of ordinary ones a hundred thousand.
  sessionBytes: 16_777_216,
  // An office of a thousand visitors behind one address sends a tenth of it.
  addressBytesPerHour: 67_108_864,
  projectBytesPerHour: 1_073_741_824,
  pongsPerSecond: 5,
  maxBodyBytes: 65_536,
  requestHeadersMs: 15_000,
  requestMs: 30_000,
  // Longer than the 60 s of common load balancers, which else send a request on a connection that is being closed.
  keepAliveMs: 75_000,
  maxHeaderBytes: 65_536,
  // Longer than any turn of an agent that a caller waits for.
  silentConnectionMs: 300_000,
  // As many as cost some 50 MB.
  maxUnfinishedRequests: 500,
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
  // Two of the largest.
  maxPendingBytes: 262_144,
  pingIntervalMs: 30_000,
  heartbeatIntervalSeconds: LIMITS.defaultHeartbeatIntervalSeconds,
  maxReconnectAttempts: 5,
  tokenLifetimeSeconds: 86_400,
  agentFirstActionMs: 30_000,
  agentSilenceMs: 30_000,
  agentTurnMs: 180_000,
  // For a site whose visitors ask a slow model a hundred times a second; their connections use some 30 MB.
  agentTurnsAtOnce: 1_000,
  // A visitor who writes ten messages ahead of the answers is not waiting for an eleventh answer.
  maxWaitingTurns: 50,
  // Ten thousand conversations fit into 512 MB, and a model reads its twenty messages of several sentences.
  historyBytes: 16_384,
  shutdownGraceMs: 20_000,
  shutdownJitterMs: 2_000,
};
