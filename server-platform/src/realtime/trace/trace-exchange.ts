import { DATABASE_NOW, type Sql } from '../../db/index.ts';
import type { Peers } from '../bus/index.ts';
import type { SessionTrace, SessionTraces } from './session-traces.ts';

const ASK = 'session trace';
// A slower node is reported as silent.
const ANSWER_TIMEOUT_MS = 2_000;
// Limits how many nodes one call asks. Deployments are smaller.
const MAX_NODES = 50;

/** One node's answer for a session. */
export type NodeTrace =
  | { readonly node: string; readonly status: 'answered'; readonly trace: SessionTrace | null }
  /** The node has a lease or sent a message recently, but did not respond. */
  | { readonly node: string; readonly status: 'silent' };

/** The nodes' traces of a session. */
export interface TraceAnswers {
  readonly nodes: readonly NodeTrace[];
  /** Why no node was asked, as a sentence; null if they were. */
  readonly whyNone: string | null;
}

/** Reads the nodes' traces of a session. */
export type ReadTraces = (sessionId: string) => Promise<TraceAnswers>;

/** Options of {@link createTraceReader}. */
export interface TraceReaderOptions {
  readonly sql: Sql;
  readonly peers: Peers;
  /** This node; null: this process is not a node. */
  readonly own: { readonly node: string; readonly traces: SessionTraces } | null;
}

/** Answers other nodes' requests for this node's traces. */
export function answerTraces(peers: Peers, traces: SessionTraces): void {
  peers.answer(ASK, async (body) => {
    const sessionId = typeof body === 'object' && body !== null ? Reflect.get(body, 'sessionId') : null;
    return typeof sessionId === 'string' ? traces.read(sessionId) : null;
  });
}

/** Nodes that have a lease. */
export async function listLeasedNodes(sql: Sql): Promise<readonly string[]> {
  const rows = await sql.query<{ readonly node: string }>(
    `SELECT node FROM node_leases WHERE expires_at > ${DATABASE_NOW} ORDER BY node LIMIT ${MAX_NODES}`,
  );
  return rows.map(({ node }) => node);
}

/** Makes a reader that asks this node and all others that have a lease or sent a message recently. */
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
    // The other node's result of `SessionTraces.read`.
    return { node, status: 'answered', trace: answer as SessionTrace | null };
  } catch {
    // Listed as silent, because the other nodes' traces are still useful.
    return { node, status: 'silent' };
  }
}
