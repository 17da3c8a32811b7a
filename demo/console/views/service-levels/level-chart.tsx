import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

/** A line of a chart. */
export interface Line {
  readonly label: string;
  readonly values: readonly (number | null)[];
}

const HEIGHT = 220;
const HALF_DAY = 43_200;
// The second line is dashed too, so that the two differ without colours.
const COLOURS = ['--_ink-accent', '--_warning'] as const;

/** Lines over time. A table beside it says the same. */
export function LevelChart({
  label,
  times,
  lines,
}: {
  label: string;
  /** Seconds since 1970. */
  times: readonly number[];
  lines: readonly Line[];
}): VNode {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const data = [[...times], ...lines.map(({ values }) => [...values])] as uPlot.AlignedData;
    const draw = (): uPlot => new uPlot(optionsOf(element, lines), data, element);
    let chart = draw();
    const sizes = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height: HEIGHT }));
    sizes.observe(element);
    // Canvases do not follow the colours of the page by themselves.
    const themes = new MutationObserver(() => {
      chart.destroy();
      chart = draw();
    });
    themes.observe(document.body, { attributeFilter: ['data-theme'] });
    return () => {
      sizes.disconnect();
      themes.disconnect();
      chart.destroy();
    };
  }, [times, lines]);
  return <div ref={place} role="img" aria-label={`${label}: the table below has the same numbers`} />;
}

function optionsOf(element: Element, lines: readonly Line[]): uPlot.Options {
  const styles = getComputedStyle(element);
  const colour = (name: string): string => styles.getPropertyValue(name).trim();
  const axis = { stroke: colour('--_text2'), grid: { stroke: colour('--_line') }, ticks: { show: false } };
  return {
    width: element.clientWidth,
    height: HEIGHT,
    axes: [axis, { ...axis, size: 56 }],
    scales: {
      // A single day would else stand on an axis of years.
      x: { range: (_, least, most) => (least < most ? [least, most] : [least - HALF_DAY, most + HALF_DAY]) },
      y: { range: (_, __, most) => [0, Math.max(1, (most ?? 0) * 1.1)] },
    },
    series: [
      {},
      ...lines.map(({ label }, index) => ({
        label,
        stroke: colour(COLOURS[index % COLOURS.length] ?? COLOURS[0]),
        width: 2,
        points: { show: true, size: 5 },
        ...(index > 0 && { dash: [6, 4] }),
      })),
    ],
  };
}
