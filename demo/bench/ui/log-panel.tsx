import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { Button, TextField, useFollowedEnd } from '../../../console/ui/index.ts';
import type { BenchModel } from './bench-model.ts';
import type { LogLine } from './log-lines.ts';

/** Longer payloads are folded. */
const MAX_OPEN_CHARACTERS = 160;

const WAYS = {
  in: '← in',
  out: '→ out',
  local: '· local',
  event: '! event',
} as const;

/** All frames and events of the widget, the newest at the end. */
export function LogPanel({ model }: { model: BenchModel }): VNode {
  const filter = useSignal('');
  const { lines, total } = model.shown.value;
  const end = useFollowedEnd(lines);
  const wanted = filter.value.trim().toLowerCase();
  const shown = wanted === '' ? lines : lines.filter((line) => textOf(line).includes(wanted));
  return (
    <div class="bench-log">
      <div class="toolbar">
        <div class="grow">
          <TextField
            label="Filter"
            isLabelHidden
            type="search"
            placeholder="Filter"
            autocomplete="off"
            spellcheck={false}
            value={filter.value}
            onInput={({ currentTarget }) => {
              filter.value = currentTarget.value;
            }}
          />
        </div>
        <output class="quiet" aria-label="Frames and events">
          {total}
        </output>
        <Button onClick={() => model.clear()}>Clear</Button>
      </div>
      <section
        {...end}
        class="bench-lines"
        aria-label="Log"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reached by keyboard
        tabIndex={0}
      >
        {total === 0 ? (
          <p class="quiet bench-nothing">No entries yet. Open the chat in the frame.</p>
        ) : (
          <ol>{shown.map(drawLine)}</ol>
        )}
      </section>
    </div>
  );
}

const drawn = new WeakMap<LogLine, VNode>();

/** The element of a line: the same one as long as the line is, so that only lines that have changed are drawn again. */
function drawLine(line: LogLine): VNode {
  const known = drawn.get(line);
  if (known !== undefined) return known;
  const { id, way, atMs, type, sequence, bodies } = line;
  const element = (
    <li key={id} data-way={way}>
      <span class="bench-line-head">
        <time>{new Date(atMs).toISOString().slice(11, 23)}</time>
        <span class="bench-way">{WAYS[way]}</span>
        {sequence !== '' && <span>#{sequence}</span>}
        <strong>{type}</strong>
      </span>
      <Content bodies={bodies} />
    </li>
  );
  drawn.set(line, element);
  return element;
}

function Content({ bodies }: { bodies: readonly string[] }): VNode {
  const text = bodies.join('\n');
  if (bodies.length === 1 && text.length <= MAX_OPEN_CHARACTERS) return <code>{text}</code>;
  const count = bodies.length === 1 ? '' : `${bodies.length} chunks · `;
  return (
    <details>
      <summary>
        <code>
          {count}
          {text.slice(0, MAX_OPEN_CHARACTERS / 2)} …
        </code>
      </summary>
      <pre>{text}</pre>
    </details>
  );
}

const textOf = ({ way, sequence, type, bodies }: LogLine): string =>
  `${WAYS[way]} ${sequence} ${type} ${bodies.join(' ')}`.toLowerCase();
