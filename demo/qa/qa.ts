/** One frame as the widget reports it: text without tokens. */
interface FrameTrace {
  readonly direction: 'in' | 'out' | 'local';
  readonly atMs: number;
  readonly text: string;
}

interface NatterGlobal {
  on(event: 'frame', handler: (frame: FrameTrace) => void): () => void;
  open(): Promise<void>;
  close(): Promise<void>;
  newChat(): Promise<void>;
  endChat(): Promise<void>;
  destroy(): Promise<void>;
  doctor(): Promise<{ readonly text: string }>;
}

declare global {
  interface Window {
    readonly Natter?: NatterGlobal;
  }
}

type FaultName = 'drop' | 'offline' | 'slow' | 'expire';
type WidgetCommand = 'open' | 'close' | 'newChat' | 'endChat' | 'destroy';

const MAX_ROWS = 2_000;

function find<Found extends Element>(selector: string, kind: new () => Found): Found {
  const found = document.querySelector(selector);
  if (!(found instanceof kind)) throw new Error(`The page has no ${selector}.`);
  return found;
}

const rows = find('#frames', HTMLTableSectionElement);
const empty = find('#empty', HTMLParagraphElement);
const count = find('#frame-count', HTMLOutputElement);
const filter = find('#filter', HTMLInputElement);
const status = find('#fault-status', HTMLParagraphElement);
const scroller = find('.scroller', HTMLDivElement);

let total = 0;

const ways: Readonly<Record<FrameTrace['direction'], string>> = {
  in: '← in',
  out: '→ out',
  local: '· local',
};

function describeFrame(text: string): {
  readonly type: string;
  readonly sequence: string;
  readonly body: string;
} {
  let frame: unknown;
  try {
    frame = JSON.parse(text);
  } catch {
    // Local notes such as "socket closed" are plain text and shown as they are.
    return { type: '', sequence: '', body: text };
  }
  if (typeof frame !== 'object' || frame === null) return { type: '', sequence: '', body: text };
  const type = 'type' in frame && typeof frame.type === 'string' ? frame.type.replace('EVENT_TYPE_', '') : '';
  const sequence = 'sequence' in frame && typeof frame.sequence === 'number' ? String(frame.sequence) : '';
  const payload = 'payload' in frame ? frame.payload : frame;
  const metadata = 'metadata' in frame ? ` ${JSON.stringify(frame.metadata)}` : '';
  return { type, sequence, body: `${JSON.stringify(payload)}${metadata}` };
}

const isShown = (row: HTMLTableRowElement): boolean =>
  (row.textContent ?? '').toLowerCase().includes(filter.value.trim().toLowerCase());

function addFrame(trace: FrameTrace): void {
  const { type, sequence, body } = describeFrame(trace.text);
  const time = new Date(trace.atMs).toISOString().slice(11, 23);
  const isAtEnd = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < 40;
  const row = document.createElement('tr');
  row.dataset['way'] = trace.direction;
  for (const [text, className] of [
    [time, 'time'],
    [ways[trace.direction], 'way'],
    [sequence, 'sequence'],
    [type, 'type'],
    [body, 'frame'],
  ] as const) {
    const cell = row.insertCell();
    cell.className = className;
    cell.textContent = text;
  }
  row.hidden = !isShown(row);
  rows.append(row);
  if (rows.rows.length > MAX_ROWS) rows.deleteRow(0);
  total += 1;
  count.value = String(total);
  empty.hidden = true;
  if (isAtEnd) scroller.scrollTop = scroller.scrollHeight;
}

async function setFault(button: HTMLButtonElement, fault: FaultName): Promise<void> {
  const isOn = button.getAttribute('aria-pressed') === 'true' ? false : button.hasAttribute('aria-pressed');
  const response = await fetch(`/qa/faults/${fault}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ on: isOn }),
  });
  const answer: unknown = await response.json();
  if (button.hasAttribute('aria-pressed') && response.ok) button.setAttribute('aria-pressed', String(isOn));
  status.textContent =
    typeof answer === 'object' && answer !== null && 'message' in answer
      ? String(answer.message)
      : response.statusText;
}

for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-fault]')) {
  button.addEventListener('click', () => {
    setFault(button, button.dataset['fault'] as FaultName).catch((error: unknown) => {
      status.textContent = `The demo server did not answer: ${String(error)}`;
    });
  });
}

for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-widget]')) {
  button.addEventListener('click', () => {
    const command = button.dataset['widget'] as WidgetCommand;
    if (!window.Natter) status.textContent = 'There is no widget on the page. Reload to have it back.';
    window.Natter?.[command]().catch((error: unknown) => {
      status.textContent = `${command} failed: ${String(error)}`;
    });
  });
}

find('#examine', HTMLButtonElement).addEventListener('click', () => {
  const report = find('#report', HTMLPreElement);
  report.hidden = false;
  report.textContent = 'Looking …';
  if (!window.Natter) {
    report.textContent = 'There is no widget on the page. Reload to have it back.';
    return;
  }
  window.Natter.doctor().then(
    ({ text }) => {
      report.textContent = text;
    },
    (error: unknown) => {
      report.textContent = `The widget could not be examined: ${String(error)}`;
    },
  );
});

const policy = find('#policy', HTMLFormElement);
policy.addEventListener('submit', (event) => {
  event.preventDefault();
  const header = find('#policy-header', HTMLPreElement);
  const query = new URLSearchParams();
  // An empty field means this page's own.
  for (const [name, value] of new FormData(policy)) if (value !== '') query.set(name, String(value));
  fetch(`/qa/policy?${query}`)
    .then((response) => response.text())
    .then(
      (text) => {
        header.textContent = text;
        header.hidden = false;
      },
      (error: unknown) => {
        status.textContent = `The demo server did not answer: ${String(error)}`;
      },
    );
});

filter.addEventListener('input', () => {
  for (const row of rows.rows) row.hidden = !isShown(row);
});

find('#clear', HTMLButtonElement).addEventListener('click', () => {
  rows.replaceChildren();
  total = 0;
  count.value = '0';
  empty.hidden = false;
});

// Module scripts run in document order after the classic deferred one only when it stands before them; the
// page's load event comes after both.
window.addEventListener('load', () => {
  if (window.Natter) window.Natter.on('frame', addFrame);
  else status.textContent = 'The widget did not load. Is the token proxy running?';
});
