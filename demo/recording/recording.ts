import * as v from 'valibot';
import { unpackChunks } from './chunk-runs.ts';

const atMs = v.pipe(v.number(), v.minValue(0));
/** One frame as on the wire: its type, and the fields that came with it. */
const frame = v.looseObject({ type: v.pipe(v.string(), v.nonEmpty()) });

const inLine = v.strictObject({ way: v.literal('in'), atMs, frame });
const outLine = v.strictObject({ way: v.literal('out'), atMs, frame });
const cutLine = v.strictObject({ way: v.literal('cut'), atMs });
/** Many chunks in one line of a file. */
const chunkRun = v.strictObject({
  way: v.literal('chunks'),
  atMs,
  frame,
  more: v.array(v.strictTuple([atMs, v.string()])),
});

const recordingSchema = v.strictObject({
  version: v.literal(1, 'must be 1, the only version there is'),
  title: v.pipe(v.string(), v.nonEmpty()),
  recordedAt: v.pipe(v.string(), v.isoTimestamp()),
  offers: v.array(v.string()),
  lines: v.pipe(
    v.array(v.variant('way', [inLine, outLine, cutLine, chunkRun])),
    v.minLength(1),
    v.transform((lines) =>
      lines.flatMap((line): readonly RecordedLine[] => (line.way === 'chunks' ? unpackChunks(line) : [line])),
    ),
    v.check(
      (lines) => lines.every((line, index) => line.atMs >= (lines[index - 1]?.atMs ?? 0)),
      'must be in the order of atMs',
    ),
  ),
});

/** A frame of a recording. */
export type RecordedFrame = v.InferOutput<typeof frame>;
/** A frame to the visitor (`in`), one from the visitor (`out`), or the loss of the connection (`cut`). */
export type RecordedLine = v.InferOutput<typeof inLine | typeof outLine | typeof cutLine>;

/**
 * A recorded conversation, as one browser saw it. Holds no token; ids are replaced. `atMs` counts milliseconds since
 * `recordedAt`, and `offers` lists further calls that the token proxy accepted, such as `contact`.
 */
export type Recording = v.InferOutput<typeof recordingSchema>;

/** Reads the text of a recording's file. Throws an error that names the first field that is wrong. */
export function parseRecording(text: string): Recording {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error('The recording is not valid JSON. Save it again from the test bench.', { cause: error });
  }
  const read = v.safeParse(recordingSchema, value);
  if (read.success) return read.output;
  const [issue] = read.issues;
  throw new Error(
    `The recording is not as docs/recordings.md says: ${v.getDotPath(issue) ?? 'it'}: ${issue.message}`,
  );
}
