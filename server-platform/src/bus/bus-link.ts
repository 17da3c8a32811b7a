/** What a link tells the bus that uses it. */
export interface BusLinkListener {
  readonly onPacket: (packet: string) => void;
  /** Packets sent from now on arrive; those of the time before may not have. */
  readonly onUp: () => void;
  readonly onDown: (error: unknown) => void;
}

/**
 * Carries packets to every node of the platform, the sending one included, in the order of each sender. Keeps itself
 * connected; what is sent while it is not is lost.
 */
export interface BusLink {
  /** Most ASCII characters of a packet. */
  readonly maxPacketLength: number;
  /** Connects, again and again, until it is closed. */
  open(listener: BusLinkListener): void;
  /** Resolves when the server has the packets; rejects when that is not known. */
  send(packets: readonly string[]): Promise<void>;
  /** Gives the connection up for a new one: it is open and carries nothing. */
  reset(): void;
  close(): Promise<void>;
}
