import { packChunks } from './chunk-runs.ts';
import type { Recording } from './recording.ts';

/** Writes a recording as its file has it: one line per frame, so that a change shows as a change of lines, and one for a long run of chunks. */
export function writeRecording({ lines, ...head }: Recording): string {
  const fields = Object.entries(head).map(
    ([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)},`,
  );
  const body = packChunks(lines)
    .map((line) => `    ${JSON.stringify(line)}`)
    .join(',\n');
  return `{\n${fields.join('\n')}\n  "lines": [\n${body}\n  ]\n}\n`;
}
