/** Description of each field of `limits`. */
export const LIMIT_HELP: Readonly<Record<string, string>> = {
  accessTokensPerMinute: 'access tokens for each connector and client address',
  sessionsPerMinute: 'sessions for each client address',
  contextSubmissionsPerMinute: 'verified contexts that a session accepts',
  wrongCredentialsPerMinute:
    'wrong keys and tokens from each client address, and with each beginning; more are 429, right ones always pass',
  frameBurst: 'frames of a session that are accepted at once, heartbeats excepted',
  framesPerSecond: 'frames of a session that are accepted per second after that',
  rateWarningIntervalMs: 'a session gets at most one warning about its rate in this time',
  heartbeatsPerSecond: 'heartbeats of a socket that are answered per second',
  maxBodyBytes: 'largest HTTP body under `/api/v1`',
  inactivityMs: 'a session without activity for longer expires',
  endedReplayMs: 'how long after its end a session is still replayed',
  maxSocketsPerSession: 'open sockets of a session',
  handshakesAtOnce: 'handshakes that are checked at a time; others wait',
  maxWaitingHandshakes: 'handshakes that may wait; others are refused with 503',
  handshakeWaitMs: 'how long a handshake may wait',
  maxFrameBytes: 'largest client frame that is accepted, sent to clients; 0 has no limit',
  hardMaxFrameBytes: 'a larger frame closes its socket',
  maxBufferedBytes: 'bytes that may wait for a slow reader before its socket is closed',
  refusalAnswersPerSecond: 'answers per second to refused frames of a socket',
  maxRefusedFrames: 'refused frames in a row after which a socket is closed with 1008',
  socketFramesPerSecond:
    'frames of any kind that are read from a socket per second; others are dropped, and the socket is read in pauses',
  socketBytesPerSecond:
    'bytes that are read from the sockets of a session per second; above it, they are read in pauses',
  sessionBytes:
    'size limit of the log of a session, or of the record of a REST chat, in bytes; above it, messages are dropped with a warning, and a call of respond gets 429',
  addressBytesPerHour:
    'bytes that the sockets of one client address may send to a node in an hour; above it, frames are dropped with a warning',
  projectBytesPerHour: 'the same limit for one project',
  pongsPerSecond: 'protocol pings of a socket that are answered per second',
  requestHeadersMs: 'time limit for receiving the header of an HTTP request',
  requestMs: 'how long an HTTP request may take to arrive, body included',
  keepAliveMs: 'how long an HTTP connection is kept between two requests',
  silentConnectionMs:
    'an HTTP connection without traffic for longer is closed, also while a request is handled',
  maxHeaderBytes:
    'largest head of an HTTP request or handshake, cookies included; above it the answer is 431',
  maxUnfinishedRequests:
    'connections of one address with an unfinished HTTP request; above it the oldest ones are closed after a second',
  maxPendingFrames: 'frames of a socket that may wait to be handled before the socket is read no further',
  maxPendingBytes: 'bytes of such frames',
  pingIntervalMs: 'time between two pings of a socket',
  heartbeatIntervalSeconds: 'interval of heartbeats, sent to clients; 0 switches them off',
  maxReconnectAttempts: 'attempts to reconnect, sent to clients; 0 has no limit',
  tokenLifetimeSeconds: 'lifetime of an access token',
  agentFirstActionMs: 'an agent must have begun its answer after this time',
  agentSilenceMs: 'an agent may not be silent for longer in the middle of an answer',
  agentTurnMs: 'an answer must be complete after this time',
  historyBytes: 'the last entries of a conversation that an agent receives and a node keeps in memory',
  agentTurnsAtOnce:
    "turns of a project's agents that run at a time on a node; ten times as many wait, and count the wait as the agent's",
  maxWaitingTurns: "a session's inputs that may wait for their answer",
  shutdownGraceMs: 'how long the answer of a session may continue when a shutdown hands the session over',
  shutdownJitterMs: 'a shutdown hands the sessions over, and closes their sockets, spread over this time',
};
