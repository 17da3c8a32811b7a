import { readFileSync } from 'node:fs';
import * as v from 'valibot';

/** Cost of one operation: processor time of the platform and of the database, bytes written and bytes kept. */
export type Cost = {
  readonly platformMs: number;
  readonly databaseMs: number;
  readonly rows: number;
  /** Of the write-ahead log. */
  readonly logBytes: number;
  readonly storedBytes: number;
};

/** Sockets of joined chats on which nothing happens, and the memory that they add to one node. */
export type IdleFigures = {
  readonly sockets: number;
  readonly refused: number;
  readonly bytesPerSocket: number;
  readonly heapBytesPerSocket: number;
  /** All that the node's process holds then, and without any socket. */
  readonly residentBytes: number;
  readonly baseBytes: number;
  /** Figures of an echo server, for comparison. */
  readonly bareBytesPerSocket: number;
  /** Files and sockets that one process may have open: what the system allows, and what the bench asked for. */
  readonly allowed: number;
  readonly wanted: number;
};

/** Results with this many nodes. */
export type NodesFigures = {
  readonly nodes: number;
  /** New chats: access token, session, socket, join. */
  readonly chats: { readonly perSecond: number; readonly p99Ms: number; readonly cost: Cost };
  /** Sockets that were dropped and come back to their sessions. */
  readonly handshakes: { readonly perSecond: number; readonly p99Ms: number; readonly platformMs: number };
  /** Messages that are stored, then echoed. */
  readonly echoes: { readonly perSecond: number; readonly cost: Cost };
  /** At half of that rate: from the time at which a message was due to its echo. */
  readonly halfLoad: {
    readonly perSecond: number;
    readonly p50Ms: number;
    readonly p99Ms: number;
    readonly p999Ms: number;
  };
  /** Pieces of streamed answers: each is stored, then sent to its session's sockets. */
  readonly chunks: {
    readonly storedPerSecond: number;
    readonly cost: Cost;
    readonly fannedOutPerSecond: number;
    readonly socketsPerSession: number;
  };
  /** Traffic of the bus between nodes. Null: not counted, because there is one node or no NATS. */
  readonly bus: {
    readonly messagesPerEcho: number;
    readonly bytesPerEcho: number;
    readonly bytesPerChunk: number;
  } | null;
};

/** Results of `npm run labs -- bench load`. */
export type LoadFigures = {
  readonly measuredAt: string;
  /** A short run: the figures say that the bench works, and nothing else. */
  readonly isQuick: boolean;
  readonly machine: {
    readonly cores: number;
    readonly processor: string;
    readonly memoryGb: number;
    readonly node: string;
    readonly database: string;
  };
  readonly idle: IdleFigures;
  /** The same clients against an echo server, and plain statements, for comparison. */
  readonly ceilings: {
    readonly handshakesPerSecond: number;
    readonly echoesPerSecond: number;
    readonly insertsPerSecond: number;
    readonly rowsPerSecond: number;
  };
  readonly runs: readonly NodesFigures[];
};

const figure = v.pipe(v.number(), v.finite());
const cost = v.object({
  platformMs: figure,
  databaseMs: figure,
  rows: figure,
  logBytes: figure,
  storedBytes: figure,
});

const nodesSchema = v.object({
  nodes: figure,
  chats: v.object({ perSecond: figure, p99Ms: figure, cost }),
  handshakes: v.object({ perSecond: figure, p99Ms: figure, platformMs: figure }),
  echoes: v.object({ perSecond: figure, cost }),
  halfLoad: v.object({ perSecond: figure, p50Ms: figure, p99Ms: figure, p999Ms: figure }),
  chunks: v.object({ storedPerSecond: figure, cost, fannedOutPerSecond: figure, socketsPerSession: figure }),
  bus: v.nullable(v.object({ messagesPerEcho: figure, bytesPerEcho: figure, bytesPerChunk: figure })),
});

const figuresSchema = v.object({
  measuredAt: v.string(),
  isQuick: v.boolean(),
  machine: v.object({
    cores: figure,
    processor: v.string(),
    memoryGb: figure,
    node: v.string(),
    database: v.string(),
  }),
  idle: v.object({
    sockets: figure,
    refused: figure,
    bytesPerSocket: figure,
    heapBytesPerSocket: figure,
    residentBytes: figure,
    baseBytes: figure,
    bareBytesPerSocket: figure,
    allowed: figure,
    wanted: figure,
  }),
  ceilings: v.object({
    handshakesPerSecond: figure,
    echoesPerSecond: figure,
    insertsPerSecond: figure,
    rowsPerSecond: figure,
  }),
  runs: v.array(nodesSchema),
});

/** Reads a file that `npm run labs -- bench load` has written. Throws for any other file. */
export function readFigures(file: string): LoadFigures {
  return v.parse(figuresSchema, JSON.parse(readFileSync(file, 'utf8')));
}
