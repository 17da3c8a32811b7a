import { DATABASE_NOW, type Sql } from '../../db/index.ts';
import type { Peers } from '../bus/index.ts';
import type { SessionTrace, SessionTraces } from './session-traces.ts';

const ASK = 'session trace';
// A node that is slower is named as missing, which says enough.
const ANSWER_TIMEOUT_MS = 2_000;
// Deployments are smaller; it bounds what one call asks for.
const MAX_NODES = 50;

/** What one node knows of a session. */
export type NodeTrace =
  | { readonly node: string; readonly status: 'answered'; readonly trace: SessionTrace | null }
  /** The node has a lease or sent a message recently, but did not answer. */
  | { readonly node: string; readonly status: 'silent' };

/** What the nodes know of a session. */
export interface TraceAnswers {
  readonly nodes: readonly NodeTrace[];
  /** Why no node was asked, as a sentence; null: they were. */
  readonly whyNone: string | null;
}

/** Reads what the nodes know of a session. */
export type ReadTraces = (sessionId: string) => Promise<TraceAnswers>;

/** What traces of all nodes are read with. */
export interface TraceReaderOptions {
  readonly sql: Sql;
  readonly peers: Peers;
  /** This node; null: this process is none. */
  readonly own: { readonly node: string; readonly traces: SessionTraces } | null;
}

/** Answers the other nodes that ask for traces of this one. */
export function answerTraces(peers: Peers, traces: SessionTraces): void {
  peers.answer(ASK, async (body) => {
    const sessionId = typeof body === 'object' && body !== null ? Reflect.get(body, 'sessionId') : null;
    return typeof sessionId === 'string' ? traces.read(sessionId) : null;
  });
}

/** The nodes that have a lease. */
export async function listLeasedNodes(sql: Sql): Promise<readonly string[]> {
  const rows = await sql.query<{ readonly node: string }>(
    `SELECT node FROM node_leases WHERE expires_at > ${DATABASE_NOW} ORDER BY node LIMIT ${MAX_NODES}`,
  );
  return rows.map(({ node }) => node);
}

/** Makes the reader that asks this node and all others that have a lease or sent a message recently. */
export function createTraceReader({ sql, peers, own }: TraceReaderOptions): ReadTraces {
  return async (sessionId) => {
    const leased = peers.isShared ? await listLeasedNodes(sql) : [];
    const others = [...new Set([...leased, ...peers.names])].filter((node) => node !== own?.node);
    const answers = await Promise.all(others.slice(0, MAX_NODES).map((node) => ask(peers, node, sessionId)));
    const ownTrace = own?.traces.read(sessionId) ?? null;
    const self: readonly NodeTrace[] =
      own === null ? [] : [{ node: own.node, status: 'answered', trace: ownTrace }];
    return { nodes: [...self, ...answers], whyNone: null };
  };
}

async function ask(peers: Peers, node: string, sessionId: string): Promise<NodeTrace> {
  try {
    const answer = await peers.call(node, ASK, { sessionId }, ANSWER_TIMEOUT_MS);
    // The other node's `SessionTraces.read`.
    return { node, status: 'answered', trace: answer as SessionTrace | null };
  } catch {
    // Named as missing to the person who asked: the other nodes' part is worth showing.
    return { node, status: 'silent' };
  }
}
