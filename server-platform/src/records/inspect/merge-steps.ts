import type { StoredSession } from '../../realtime/event-log/index.ts';
import type { NodeTrace, TraceAnswers, TraceEntry } from '../../realtime/trace/index.ts';
import { describeEnd, describeTraceEntry } from './describe-trace-entry.ts';
import type { Step } from './timeline.ts';
import { shortType, writeBytes, writeMs } from './write-figures.ts';

/** An event of the log. */
export interface StoredStep {
  readonly sequence: number;
  readonly type: string;
  readonly bytes: number;
  readonly atMs: number;
  /** Reason of a session's end; null for other events. */
  readonly reason: string | null;
  readonly text: string | null;
}

/** A turn on record. */
export interface StoredTurn {
  readonly ordinal: number;
  readonly kind: string;
  readonly latencyMs: number | null;
  readonly failure: string | null;
  readonly recordedAt: number;
  readonly text: string | null;
}

/** The stored part of a timeline, or a page of it. */
export interface StoredTimeline {
  readonly events: readonly StoredStep[];
  readonly turns: readonly StoredTurn[];
  readonly isFirstPart: boolean;
  readonly isLastPart: boolean;
}

type Known = Extract<NodeTrace, { readonly status: 'answered' }>;
type Located = { readonly node: string; readonly entry: TraceEntry };

/** Merges the stored steps with the nodes' steps in one order, and lists the missing parts. */
export function mergeSteps(
  stored: StoredTimeline,
  answers: TraceAnswers,
  session: Pick<StoredSession, 'endedAtMs' | 'ownerNode'> | null,
): { readonly steps: readonly Step[]; readonly notes: readonly string[] } {
  const known = answers.nodes.filter((each): each is Known => each.status === 'answered');
  const entries: readonly Located[] = known.flatMap(({ node, trace }) =>
    (trace?.entries ?? []).map((entry) => ({ node, entry })),
  );
  const ends = matchTurns(stored.turns, entries);
  const steps = [
    ...groupEvents(stored.events).map((group) => toStoredStep(group, entries)),
    ...stored.turns.map((turn) => toTurnStep(turn, ends.get(turn)?.entry)),
    ...entries.flatMap(({ node, entry }) => toNodeStep(node, entry, [...ends.values()])),
  ];
  return {
    steps: steps
      .filter(isWithin(stored))
      .sort((one, other) => one.atMs - other.atMs || one.rank - other.rank),
    notes: [...describeNodes(answers, session), ...describeBegin(stored, entries)],
  };
}

/** For a part of a long log, only the steps of its time are included. */
function isWithin({ events, isFirstPart, isLastPart }: StoredTimeline): (step: Step) => boolean {
  const fromMs = isFirstPart ? Number.NEGATIVE_INFINITY : (events[0]?.atMs ?? 0);
  const toMs = isLastPart ? Number.POSITIVE_INFINITY : (events.at(-1)?.atMs ?? 0);
  return ({ atMs }) => atMs >= fromMs && atMs <= toMs;
}

/** Groups consecutive chunks of an answer; every other event is alone. */
function groupEvents(events: readonly StoredStep[]): readonly (readonly [StoredStep, ...StoredStep[]])[] {
  const groups: [StoredStep, ...StoredStep[]][] = [];
  for (const event of events) {
    const group = groups.at(-1);
    const isChunk = event.type === 'EVENT_TYPE_AGENT_MESSAGE_CHUNK';
    if (isChunk && group?.[0].type === event.type) group.push(event);
    else groups.push([event]);
  }
  return groups;
}

function toStoredStep(group: readonly [StoredStep, ...StoredStep[]], entries: readonly Located[]): Step {
  const [first] = group;
  const last = group.at(-1) ?? first;
  const bytes = group.reduce((sum, event) => sum + event.bytes, 0);
  const texts = group.flatMap(({ text }) => text ?? []);
  const sequences = first === last ? `${first.sequence}` : `${first.sequence}–${last.sequence}`;
  const count = group.length === 1 ? '' : ` ×${group.length}`;
  const reason = first.reason === null ? '' : ` (${first.reason})`;
  const commit = describeCommits(first.sequence, last.sequence, entries);
  return {
    ...{ atMs: first.atMs, untilMs: first === last ? null : last.atMs, kind: 'stored', node: null, rank: 3 },
    summary: `${sequences} ${shortType(first.type)}${reason}${count}, ${writeBytes(bytes)}${commit}`,
    text: texts.length === 0 ? null : texts.join(''),
  };
}

function describeCommits(first: number, last: number, entries: readonly Located[]): string {
  const commits = entries.flatMap(({ entry }) => {
    const { fact, lastSequence } = entry;
    const isOfThese = fact.kind === 'committed' && (fact.first ?? Number.POSITIVE_INFINITY) <= last;
    return isOfThese && (lastSequence ?? 0) >= first ? [entry] : [];
  });
  if (commits.length === 0) return '';
  const count = commits.reduce((sum, entry) => sum + entry.count, 0);
  const slowest = writeMs(Math.max(...commits.map(({ slowestMs }) => slowestMs ?? 0)));
  return count === 1 ? `, committed in ${slowest}` : `, ${count} commits, the slowest ${slowest}`;
}

function toTurnStep(turn: StoredTurn, end: TraceEntry | undefined): Step {
  const { ordinal, kind, latencyMs, failure, recordedAt, text } = turn;
  const latency = latencyMs === null ? '' : `, first words ${writeMs(latencyMs)} after the message`;
  const how =
    end?.fact.kind === 'turn_ended'
      ? describeEnd(end.fact)
      : `${failure === null ? 'answered' : `failed: ${failure}`}${latency}`;
  return {
    ...{ atMs: end?.atMs ?? recordedAt, untilMs: null, kind: 'turn', node: null, rank: 6 },
    summary: `turn ${ordinal} on record, ${kind}: ${how}`,
    text,
  };
}

/**
 * Matches recorded turns with the ends that a node observed: turns run one at a time, and are recorded while they run.
 */
function matchTurns(turns: readonly StoredTurn[], entries: readonly Located[]): Map<StoredTurn, Located> {
  const ends = entries.flatMap((located) => {
    const { fact, atMs } = located.entry;
    return fact.kind === 'turn_ended' ? [{ located, fact, fromMs: atMs - fact.ms, toMs: atMs }] : [];
  });
  const matches = new Map<StoredTurn, Located>();
  const used = new Set<Located>();
  for (const turn of turns) {
    const found = ends.find(
      ({ located, fact, fromMs, toMs }) =>
        !used.has(located) && fact.turn === turn.kind && turn.recordedAt >= fromMs && turn.recordedAt <= toMs,
    );
    if (found === undefined) continue;
    used.add(found.located);
    matches.set(turn, found.located);
  }
  return matches;
}

function toNodeStep(node: string, entry: TraceEntry, matched: readonly Located[]): readonly Step[] {
  if (matched.some((located) => located.entry === entry)) return [];
  const described = describeTraceEntry(entry);
  if (described === null) return [];
  const untilMs = entry.count === 1 ? null : entry.lastAtMs;
  return [{ ...described, atMs: entry.atMs, untilMs, node, text: null }];
}

function describeNodes(
  { nodes, whyNone }: TraceAnswers,
  session: Pick<StoredSession, 'endedAtMs' | 'ownerNode'> | null,
): readonly string[] {
  const owner = session?.endedAtMs === null ? session.ownerNode : null;
  const isOwnerThere = owner === null || whyNone !== null || nodes.some(({ node }) => node === owner);
  return [
    ...(whyNone === null ? [] : [whyNone]),
    ...nodes.flatMap((each) => describeNode(each)),
    ...(isOwnerThere
      ? []
      : [`Node ${owner}, the last writer of the session, is gone, so its frames are missing.`]),
  ];
}

function describeNode(answer: NodeTrace): readonly string[] {
  const { node } = answer;
  if (answer.status === 'silent')
    return [
      `Node ${node} did not respond, so its frames are missing. Run the command again, or read its log.`,
    ];
  if (answer.trace === null)
    return [
      `Node ${node} has no further data: it did not serve the session, started later, or has discarded it.`,
    ];
  const { droppedEntries } = answer.trace;
  return droppedEntries === 0
    ? []
    : [
        `Node ${node} stores a limited number of steps of one session: ${droppedEntries} in the middle are missing.`,
      ];
}

/** Reports since when frames are known, if the log is older. */
function describeBegin(
  { events, isFirstPart }: StoredTimeline,
  entries: readonly Located[],
): readonly string[] {
  const knownMs = Math.min(...entries.map(({ entry }) => entry.atMs));
  // The first event is stored before a socket opens.
  const isOlder = isFirstPart && events.slice(1).some(({ atMs }) => atMs < knownMs);
  if (!isOlder || entries.length === 0) return [];
  return [
    `Data from nodes starts at ${new Date(knownMs).toISOString()}. Earlier steps show stored data only, because the node started then or another one had the session.`,
  ];
}
