import { fieldOf } from './read-steps.ts';
import type { RecordedFrame, RecordedLine } from './recording.ts';

/**
 * Consecutive chunks of one message, as a file stores them: the first frame, and of each later one its delay
 * after the one before, in milliseconds, and its text.
 */
export interface ChunkRun {
  readonly way: 'chunks';
  readonly atMs: number;
  readonly frame: RecordedFrame;
  readonly more: readonly (readonly [delayMs: number, text: string])[];
}

/** Shorter runs are written frame by frame, which is easier to read. */
const MIN_RUN = 50;
const CHUNK = 'EVENT_TYPE_AGENT_MESSAGE_CHUNK';

/** Puts long runs of chunks together. Their platform times become their arrival times. */
export function packChunks(lines: readonly RecordedLine[]): readonly (RecordedLine | ChunkRun)[] {
  const packed: (RecordedLine | ChunkRun)[] = [];
  for (let index = 0; index < lines.length; ) {
    const run = readRun(lines, index);
    if (run.length >= MIN_RUN) packed.push(toRun(run));
    else packed.push(...run);
    index += run.length;
  }
  return packed;
}

/** The frames of a run, as they came. */
export function unpackChunks(run: ChunkRun): readonly RecordedLine[] {
  const lines: RecordedLine[] = [{ way: 'in', atMs: run.atMs, frame: run.frame }];
  let { atMs } = run;
  for (const [index, [delayMs, text]] of run.more.entries()) {
    atMs += delayMs;
    lines.push({ way: 'in', atMs, frame: followFrame(run.frame, index + 1, atMs - run.atMs, text) });
  }
  return lines;
}

/** The line at `start` and those after it that a run can hold. */
function readRun(lines: readonly RecordedLine[], start: number): readonly RecordedLine[] {
  const first = lines[start];
  if (first?.way !== 'in' || first.frame.type !== CHUNK) return lines.slice(start, start + 1);
  let end = start + 1;
  for (let line = lines[end]; line?.way === 'in'; line = lines[++end]) {
    const text = String(fieldOf(line.frame['payload'], 'text'));
    const expected = followFrame(first.frame, end - start, line.atMs - first.atMs, text);
    const { timestamp: _, ...rest } = line.frame;
    const { timestamp: __, ...wanted } = expected;
    if (JSON.stringify(rest) !== JSON.stringify(wanted)) break;
  }
  return lines.slice(start, end);
}

function toRun(lines: readonly RecordedLine[]): RecordedLine | ChunkRun {
  const [first, ...rest] = lines;
  if (first?.way !== 'in') throw new Error('A run begins with a frame.');
  let { atMs } = first;
  const more = rest.flatMap((line) => {
    if (line.way !== 'in') return [];
    const delayMs = line.atMs - atMs;
    atMs = line.atMs;
    return [[delayMs, String(fieldOf(line.frame['payload'], 'text'))] as const];
  });
  return { way: 'chunks', atMs: first.atMs, frame: first.frame, more };
}

/** The frame that comes `steps` after the first one of a run. */
function followFrame(first: RecordedFrame, steps: number, afterMs: number, text: string): RecordedFrame {
  const { id, sequence, timestamp, payload } = first;
  return {
    ...first,
    id: String(id).replace(/\d+$/, (number) => String(Number(number) + steps)),
    sequence: Number(sequence) + steps,
    timestamp: new Date(Date.parse(String(timestamp)) + afterMs).toISOString(),
    payload: {
      ...Object(payload),
      text,
      chunk_index: Number(fieldOf(payload, 'chunk_index')) + steps,
    },
  };
}
