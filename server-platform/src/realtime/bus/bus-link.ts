import type { Shard } from './packets.ts';

/** Callbacks of a link. */
export interface BusLinkListener {
  readonly onPacket: (packet: string, shard: Shard) => void;
  /** Handles a request from another node. Resolves with the response; never rejects. */
  readonly onRequest: (question: string) => Promise<string>;
  /** The link is connected. Earlier packets may be lost. */
  readonly onUp: () => void;
  readonly onDown: (error: unknown) => void;
}

/** A packet and its subject. */
export interface AddressedPacket {
  readonly packet: string;
  readonly shard: Shard;
}

/**
 * Carries packets to all nodes of the platform, including the sender, in the order of each sender. Reconnects
 * automatically; packets sent while disconnected are lost.
 */
export interface BusLink {
  /** Maximum length of a packet in ASCII characters. */
  readonly maxPacketLength: number;
  /** `null`: the medium has one subject only, and every node receives every packet. */
  readonly subjects: BusSubjects | null;
  /** Connects, and reconnects until closed. */
  open(listener: BusLinkListener): void;
  /** Resolves when the server has received the packets; rejects when that is unknown. */
  send(packets: readonly AddressedPacket[]): Promise<void>;
  /** Replaces a connection that is open but delivers nothing. */
  reset(): void;
  close(): Promise<void>;
}

/** Result of a request: the response, a timeout, or no connected node of that name. */
export type RequestOutcome =
  | { readonly status: 'answered'; readonly answer: string }
  | { readonly status: 'unanswered' }
  | { readonly status: 'no_responder' };

/** A medium that delivers by subject. */
export interface BusSubjects {
  /**
   * Subscribes to a shard, also after reconnecting. Resolves when the server has confirmed; immediately when
   * disconnected.
   */
  follow(shard: number): Promise<void>;
  unfollow(shard: number): void;
  /** Sends a request to one node. Never rejects. */
  request(node: string, question: string, timeoutMs: number): Promise<RequestOutcome>;
}
