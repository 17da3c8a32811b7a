/** Properties of chats, machines and prices: all assumptions that are no measurements. */
export type Assumptions = {
  /** From the join to the end. */
  readonly chatSeconds: number;
  /** Messages of the visitor, each of which is answered. */
  readonly messagesPerChat: number;
  /** Pieces in which an answer is streamed. */
  readonly chunksPerAnswer: number;
  /** Sockets that come back: reloads, lost networks, phones that slept. */
  readonly returnsPerChat: number;
  /** Sockets of panels that are open beside each chat, on which nothing happens. */
  readonly idlePerChat: number;
  /** The mean of a month, as a part of the peak. */
  readonly meanOfPeak: number;
  /** How long texts are kept. */
  readonly keptDays: number;
  /** Parts of its capacity that a node or a database is to use at the peak: the rest is for a node that fails, and bursts. */
  readonly busiest: number;
  /** Processor cores that one node can use: its sockets and sessions have one thread, collecting garbage helps itself. */
  readonly coresPerNode: number;
  readonly gigabytesPerNode: number;
  readonly coresPerDatabase: number;
  /** Write-ahead log that the disks and replicas of one database take. */
  readonly logBytesPerSecond: number;
  /** Disks of one database. */
  readonly diskBytesPerDatabase: number;
  readonly connectionsPerDatabase: number;
  readonly connectionsPerNode: number;
  /** Capacity of one server of the bus. */
  readonly busBytesPerSecond: number;
  readonly prices: Prices;
};

/** In US dollars, as large clouds ask for by the hour without a contract. */
export type Prices = {
  readonly perCoreHour: number;
  readonly perGigabyteHour: number;
  readonly perDatabaseCoreHour: number;
  /** Of the database's disks, a month, with one replica. */
  readonly perStoredGigabyte: number;
};

/** The assumptions of `docs/scaling.md`. */
export const ASSUMPTIONS: Assumptions = {
  chatSeconds: 480,
  messagesPerChat: 4,
  chunksPerAnswer: 27,
  returnsPerChat: 0.5,
  idlePerChat: 1,
  meanOfPeak: 0.4,
  keptDays: 30,
  busiest: 0.6,
  coresPerNode: 1,
  gigabytesPerNode: 2,
  coresPerDatabase: 32,
  logBytesPerSecond: 200_000_000,
  diskBytesPerDatabase: 16_000_000_000_000,
  connectionsPerDatabase: 1_000,
  connectionsPerNode: 10,
  busBytesPerSecond: 100_000_000,
  prices: {
    perCoreHour: 0.04,
    perGigabyteHour: 0.005,
    perDatabaseCoreHour: 0.09,
    perStoredGigabyte: 0.25,
  },
};
