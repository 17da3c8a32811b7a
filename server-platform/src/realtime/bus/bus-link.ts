import type { Shard } from './packets.ts';

/** Callbacks of a link to the bus that uses it. */
export interface BusLinkListener {
  readonly onPacket: (packet: string, shard: Shard) => void;
  /** Another node asks this one. Resolves with the answer; never rejects. */
  readonly onRequest: (question: string) => Promise<string>;
  /** Packets sent from now on arrive; earlier ones may be lost. */
  readonly onUp: () => void;
  readonly onDown: (error: unknown) => void;
}

/** A packet and its subject. */
export interface AddressedPacket {
  readonly packet: string;
  readonly shard: Shard;
}

/**
 * Carries packets to the nodes of the platform, the sending one included, in the order of each sender. Keeps itself
 * connected; packets that are sent while it is not are lost.
 */
export interface BusLink {
  /** Most ASCII characters of a packet. */
  readonly maxPacketLength: number;
  /** `null`: the medium has one subject, and every node receives every packet. */
  readonly subjects: BusSubjects | null;
  /** Connects, again and again, until it is closed. */
  open(listener: BusLinkListener): void;
  /** Resolves when the server has the packets; rejects when that is not known. */
  send(packets: readonly AddressedPacket[]): Promise<void>;
  /** Gives the connection up for a new one: it is open and carries nothing. */
  reset(): void;
  close(): Promise<void>;
}

/** What became of a question: the answer, or none in time, or no node of that name is connected. */
export type RequestOutcome =
  | { readonly status: 'answered'; readonly answer: string }
  | { readonly status: 'unanswered' }
  | { readonly status: 'no_responder' };

/** A medium that delivers by subject. */
export interface BusSubjects {
  /** Subscribes to a shard, over later connections as well. Resolves when the server knows; at once without a server. */
  follow(shard: number): Promise<void>;
  unfollow(shard: number): void;
  /** Asks one node. Never rejects. */
  request(node: string, question: string, timeoutMs: number): Promise<RequestOutcome>;
}
