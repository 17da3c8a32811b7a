/** Settings of the relay, which forwards visitors' sockets so that browsers only connect to this proxy. */
export interface RelayOptions {
  /**
   * Visitors open their sockets here, with a ticket, instead of at `websocketUrl` with an access token: neither the token nor
   * the messaging host's name reaches a browser. Default false.
   */
  readonly relay?: boolean;
  /** Open sockets per client address. Default 100. */
  readonly relaySocketsPerClient?: number;
  /** Open sockets in total. Each takes two file descriptors. Default 10000. */
  readonly relaySocketsTotal?: number;
}

/** Defaults of the limits. */
export const DEFAULT_RELAY_SOCKETS = { perClient: 100, total: 10_000 } as const;
