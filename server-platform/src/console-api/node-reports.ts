import * as v from 'valibot';
import type { Sql } from '../db/index.ts';
import type { Scheduler } from '../jobs/index.ts';
import type { Clock } from '../kit/clock.ts';
import { readPackageVersion } from '../kit/package-files.ts';
import type { Peers } from '../realtime/bus/index.ts';
import { type FigureRecorder, type NodeFigures, nodeFiguresSchema, SAMPLE_MS } from '../realtime/index.ts';
import { listNodeLeases } from '../realtime/ownership/index.ts';

const ASK = 'node figures';
// A node that is slower is shown without figures, which says enough.
const ANSWER_TIMEOUT_MS = 2_000;
// Deployments are smaller; it bounds what one call asks for.
const MAX_NODES = 50;

/** Dependencies of node reports. */
export interface NodeReportServices {
  readonly node: string;
  readonly clock: Clock;
  readonly peers: Peers;
  readonly scheduler: Scheduler;
  readonly figures: FigureRecorder;
}

/** A node of the platform: its lease, and its figures unless it did not answer. */
export interface NodeReport {
  readonly node: string;
  readonly isSelf: boolean;
  /** Milliseconds until its lease runs out; 0 or less: it ran out. Null: it has none yet. */
  readonly leaseLeftMs: number | null;
  readonly figures: NodeFigures | null;
}

/** Takes samples of this node's figures and answers the other nodes that ask for them, until it is closed. */
export class NodeReports {
  readonly #services: NodeReportServices;
  readonly #version: string;
  readonly #task: { stop(): Promise<void> };

  constructor(services: NodeReportServices) {
    const { clock, peers, scheduler, figures } = services;
    this.#services = services;
    this.#version = readPackageVersion();
    figures.start();
    this.#task = scheduler.every({
      ...{ what: 'sample the figures of this node', everyMs: SAMPLE_MS, firstMs: 0 },
      run: async () => figures.sample(clock.now()),
    });
    peers.answer(ASK, async () => this.#readOwn());
  }

  /** This node and all others that have a lease or sent a bus message recently. */
  async readAll(sql: Sql): Promise<readonly NodeReport[]> {
    const { node: self, peers } = this.#services;
    const leftMs = await listNodeLeases(sql, MAX_NODES);
    const nodes = [...new Set([self, ...leftMs.keys(), ...peers.names])].slice(0, MAX_NODES);
    return await Promise.all(
      nodes.map(async (node) => ({
        node,
        isSelf: node === self,
        leaseLeftMs: leftMs.get(node) ?? null,
        figures: node === self ? this.#readOwn() : await this.#ask(node),
      })),
    );
  }

  async close(): Promise<void> {
    this.#services.figures.stop();
    await this.#task.stop();
  }

  #readOwn(): NodeFigures {
    const { clock, figures } = this.#services;
    return figures.read(this.#version, clock.now());
  }

  /** Null: the node cannot be reached, is too slow, or answers in a form that this release does not know. */
  async #ask(node: string): Promise<NodeFigures | null> {
    const { peers } = this.#services;
    if (!peers.canReach(node)) return null;
    const answer = await peers.call(node, ASK, {}, ANSWER_TIMEOUT_MS).catch(() => null);
    const parsed = v.safeParse(nodeFiguresSchema, answer);
    return parsed.success ? parsed.output : null;
  }
}
