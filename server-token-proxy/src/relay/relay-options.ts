/** Settings of the relay, which holds the sockets of visitors so that their browsers meet this proxy alone. */
export interface RelayOptions {
  /**
   * Visitors open their sockets here, with a ticket, instead of at `websocketUrl` with an access token: neither the token nor
   * the messaging host's name reaches a browser. Default false.
   */
  readonly relay?: boolean;
  /** Sockets that one client address may have open at once. Default 100. */
  readonly relaySocketsPerClient?: number;
  /** Sockets open at once in all. Each takes two file descriptors. Default 10000. */
  readonly relaySocketsTotal?: number;
}

/** Defaults of the bounds. */
export const DEFAULT_RELAY_SOCKETS = { perClient: 100, total: 10_000 } as const;
