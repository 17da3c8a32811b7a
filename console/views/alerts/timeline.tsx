import type { VNode } from 'preact';
import { describeSegments, type Segment } from './to-segments.ts';

const WIDTH = 300;
const HEIGHT = 28;
const SHORTEST = 3;
// States differ in height as well as in colour.
const HEIGHTS = { alert: HEIGHT, unknown: 18, no_data: 10, ok: 10, changed: 4 } as const;

const WORDS = {
  alert: 'firing',
  ok: 'ok',
  no_data: 'no data',
  unknown: 'unknown',
  changed: 'changed, not evaluated yet',
} as const;

/** The states of a rule over time. Firing is the full height. */
export function Timeline({
  segments,
  fromMs,
  toMs,
}: {
  segments: readonly Segment[];
  fromMs: number;
  toMs: number;
}): VNode {
  const at = (ms: number): number => ((ms - fromMs) / (toMs - fromMs)) * WIDTH;
  // Keeps a short alert visible in a week's range.
  const widthOf = ({ fromMs: from, toMs: to }: Segment): number => Math.max(at(to) - at(from), SHORTEST);
  return (
    <svg
      class="alerts-timeline"
      role="img"
      aria-label={describeSegments(segments)}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
    >
      <line x1="0" y1={HEIGHT - 0.5} x2={WIDTH} y2={HEIGHT - 0.5} />
      {segments.map((segment) => (
        <rect
          key={segment.fromMs}
          data-state={segment.state}
          x={Math.min(at(segment.fromMs), WIDTH - SHORTEST)}
          y={HEIGHT - (HEIGHTS[segment.state] ?? 10)}
          width={widthOf(segment)}
          height={HEIGHTS[segment.state] ?? 10}
        >
          <title>
            {WORDS[segment.state] ?? segment.state} from {new Date(segment.fromMs).toLocaleString()} to{' '}
            {new Date(segment.toMs).toLocaleString()}
          </title>
        </rect>
      ))}
    </svg>
  );
}
