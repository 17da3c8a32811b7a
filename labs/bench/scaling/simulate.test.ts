import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { type Cost, type LoadFigures, type NodesFigures, readFigures } from '../load/figures.ts';
import { ASSUMPTIONS, type Assumptions } from './assumptions.ts';
import { describeScaling } from './describe-scaling.ts';
import { replaceTables } from './replace-tables.ts';
import { findWalls, loadOf, planFor } from './simulate.ts';

const cost = (platformMs: number): Cost => ({
  platformMs,
  databaseMs: platformMs / 2,
  rows: 2,
  logBytes: 1_000,
  storedBytes: 500,
});

const RUN: NodesFigures = {
  nodes: 1,
  chats: { perSecond: 100, p99Ms: 10, cost: cost(4) },
  handshakes: { perSecond: 500, p99Ms: 10, platformMs: 2 },
  echoes: { perSecond: 5_000, cost: cost(0.5) },
  halfLoad: { perSecond: 2_500, p50Ms: 5, p99Ms: 10, p999Ms: 20 },
  chunks: { storedPerSecond: 5_000, cost: cost(0.25), fannedOutPerSecond: 20_000, socketsPerSession: 5 },
  bus: null,
};

const FIGURES: LoadFigures = {
  measuredAt: '2026-01-01',
  isQuick: false,
  machine: { cores: 2, processor: 'a processor', memoryGb: 8, node: 'v24', database: 'PostgreSQL 15' },
  idle: {
    sockets: 100,
    refused: 0,
    bytesPerSocket: 10_000,
    heapBytesPerSocket: 8_000,
    residentBytes: 101_000_000,
    baseBytes: 100_000_000,
    bareBytesPerSocket: 5_000,
    allowed: 20_000,
    wanted: 65_536,
  },
  ceilings: {
    handshakesPerSecond: 2_000,
    echoesPerSecond: 50_000,
    insertsPerSecond: 10_000,
    rowsPerSecond: 90_000,
  },
  // Two nodes: half of the sockets are at the node that owns their session.
  runs: [RUN, { ...RUN, nodes: 2, bus: { messagesPerEcho: 1, bytesPerEcho: 300, bytesPerChunk: 200 } }],
};

// A chat a second for every hundred that are open, with two messages of ten chunks each.
const ASSUMED: Assumptions = {
  ...ASSUMPTIONS,
  chatSeconds: 100,
  messagesPerChat: 2,
  chunksPerAnswer: 10,
  returnsPerChat: 0.5,
  idlePerChat: 1,
  meanOfPeak: 0.5,
  keptDays: 10,
  busiest: 0.5,
  coresPerNode: 1,
  gigabytesPerNode: 1,
  coresPerDatabase: 10,
  logBytesPerSecond: 100_000_000,
  diskBytesPerDatabase: 40_000_000_000_000,
  connectionsPerDatabase: 1_000,
  connectionsPerNode: 10,
  busBytesPerSecond: 10_000_000,
  prices: { perCoreHour: 0.1, perGigabyteHour: 0.01, perDatabaseCoreHour: 0.2, perStoredGigabyte: 0.5 },
};

describe('the load of 1,000 concurrent chats', () => {
  it("the load of chats is the sum of its parts' costs", () => {
    // A second: 10 chats, 20 messages, 200 chunks, 5 sockets that come back.
    expect(loadOf(1_000, FIGURES, ASSUMED)).toEqual({
      chats: 1_000,
      chatsPerSecond: 10,
      messagesPerSecond: 20,
      chunksPerSecond: 200,
      returnsPerSecond: 5,
      sockets: 2_000,
      // 10 × 4 + 20 × 0.5 + 200 × 0.25 + 5 × 2 ms, and half of the first three.
      platformCores: 0.11,
      databaseCores: 0.05,
      memoryBytes: 20_000_000,
      rowsPerSecond: 460,
      logBytesPerSecond: 230_000,
      // (20 × 300 + 200 × 200) bytes, and as much again for the sockets that were not at another node.
      busBytesPerSecond: 92_000,
      // 230 × 500 bytes a second, at half of the peak, for ten days.
      storedBytesPerMonth: 49_680_000_000,
    });
  });

  it('the load of chats grows in proportion', () => {
    const [one, million] = [loadOf(1, FIGURES, ASSUMED), loadOf(1_000_000, FIGURES, ASSUMED)];
    for (const [name, value] of Object.entries(one))
      expect(million[name as keyof typeof million], name).toBeCloseTo(value * 1_000_000, 3);
  });
});

describe('limits', () => {
  it('limits a plan by the planned share of the capacity of one node, one database and one bus', () => {
    const walls = findWalls(FIGURES, ASSUMED).map(({ name, chats }) => [name, Math.round(chats)]);
    expect(walls).toEqual([
      // 0.5 of a core, of which 1,000 chats take 0.11.
      ['processor of a node', 4_545],
      // 0.5 GB less the 100 MB of a node without sockets, at 20 kB for the two sockets of a chat.
      ['memory of a node', 20_000],
      // 0.5 of 10 MB/s.
      ['one bus', 54_348],
      ['processor of a database', 100_000],
      ['write-ahead log of a database', 217_391],
      // 0.5 of 40 TB, of which 1,000 chats fill 49.68 GB.
      ['disks of a database', 402_576],
      // 100 nodes.
      ['connections of a database', 454_545],
    ]);
  });
});

describe('a plan', () => {
  it('a small plan has two nodes, so that one may fail, and one database', () => {
    expect(planFor(1_000, FIGURES, ASSUMED)).toMatchObject({
      cells: 1,
      nodes: 2,
      databases: 1,
      busServers: 1,
    });
  });

  it('a plan has one node more above a limit, and one cell more when the bus is full', () => {
    expect(planFor(45_454, FIGURES, ASSUMED)).toMatchObject({ cells: 1, nodes: 10 });
    expect(planFor(45_455, FIGURES, ASSUMED)).toMatchObject({ cells: 1, nodes: 11 });
    expect(planFor(54_347, FIGURES, ASSUMED).cells).toBe(1);
    expect(planFor(54_348, FIGURES, ASSUMED).cells).toBe(2);
  });

  it('a plan costs its machines and its storage', () => {
    const { monthlyPrice, pricePerChat } = planFor(1_000, FIGURES, ASSUMED);
    // Two nodes and a bus of 0.11 an hour, two times two cores of a database of 0.2, and 49.68 GB.
    expect(monthlyPrice).toBeCloseTo((3 * 0.11 + 4 * 0.2) * 730 + 49.68 * 0.5, 6);
    expect(pricePerChat).toBeCloseTo(monthlyPrice / (10 * 0.5 * 730 * 3_600), 12);
  });

  it('a plan uses the costs of the run with the most nodes', () => {
    const dear = { ...RUN, nodes: 3, echoes: { perSecond: 1_000, cost: cost(5) } };
    // 20 messages a second that cost 4.5 ms more.
    expect(loadOf(1_000, { ...FIGURES, runs: [dear, RUN] }, ASSUMED).platformCores).toBeCloseTo(
      0.11 + 0.09,
      9,
    );
    expect(() => planFor(1, { ...FIGURES, runs: [] }, ASSUMED)).toThrow('npm run labs -- bench load');
  });
});

it('the page about scaling agrees with the recorded figures', () => {
  const page = readFileSync(fileURLToPath(new URL('../../../docs/scaling.md', import.meta.url)), 'utf8');
  const figures = readFigures(fileURLToPath(new URL('../load/measured.json', import.meta.url)));
  expect(figures.isQuick).toBe(false);
  expect(replaceTables(page, describeScaling(figures, ASSUMPTIONS))).toBe(page);
});

it('a file that the bench did not write is refused', () => {
  expect(() => readFigures(fileURLToPath(new URL('../../../package.json', import.meta.url)))).toThrow();
});
