import { find } from './find.ts';
import { clearRecording, takeFrame } from './qa-recording.ts';

/** One frame as the widget reports it: text without tokens. */
interface FrameTrace {
  readonly direction: 'in' | 'out' | 'local';
  readonly atMs: number;
  readonly text: string;
}

interface NatterGlobal {
  on(event: 'frame', handler: (frame: FrameTrace) => void): () => void;
  on(event: (typeof EVENTS)[number], handler: (detail: unknown) => void): () => void;
  open(): Promise<void>;
  close(): Promise<void>;
  newChat(): Promise<void>;
  endChat(): Promise<void>;
  logout(): Promise<void>;
  showBubble(text: string): Promise<void>;
  animateLauncher(): Promise<void>;
  hideLauncher(): Promise<void>;
  showLauncher(): Promise<void>;
  destroy(): Promise<void>;
  identify(user: { readonly id: string } | null): Promise<void>;
  setLanguage(tag: string): Promise<void>;
  setTheme(theme: string): Promise<void>;
  update(options: object): Promise<void>;
  doctor(): Promise<{ readonly text: string }>;
}

declare global {
  interface Window {
    readonly Natter?: NatterGlobal;
  }
}

type WidgetCommand =
  | 'open'
  | 'close'
  | 'newChat'
  | 'endChat'
  | 'logout'
  | 'animateLauncher'
  | 'hideLauncher'
  | 'showLauncher'
  | 'destroy';

/** What a page can listen to beside frames. */
const EVENTS = [
  'ready',
  'open',
  'close',
  'send',
  'message',
  'unread',
  'end',
  'error',
  'connection',
  'session',
  'context',
] as const;

const MAX_ROWS = 2_000;

const rows = find('#frames', HTMLTableSectionElement);
const empty = find('#empty', HTMLParagraphElement);
const count = find('#frame-count', HTMLOutputElement);
const filter = find('#filter', HTMLInputElement);
const status = find('#fault-status', HTMLParagraphElement);
const scroller = find('.scroller', HTMLDivElement);

let total = 0;

/** One line of the list: a frame, or an event of the widget. */
interface Line {
  readonly way: keyof typeof WAYS;
  readonly atMs: number;
  readonly type: string;
  readonly sequence: string;
  readonly body: string;
  /** Lines with the same key stand in one row; null stands alone. */
  readonly key: string | null;
}

/** Longer payloads are folded. */
const MAX_OPEN_CHARACTERS = 160;

const WAYS = {
  in: '← in',
  out: '→ out',
  local: '· local',
  event: '! event',
} as const;

function describeFrame(text: string): Omit<Line, 'way' | 'atMs'> {
  let frame: unknown;
  try {
    frame = JSON.parse(text);
  } catch {
    // Local notes such as "socket closed" are plain text and shown as they are.
    return { type: '', sequence: '', body: text, key: null };
  }
  if (typeof frame !== 'object' || frame === null) return { type: '', sequence: '', body: text, key: null };
  const type = 'type' in frame && typeof frame.type === 'string' ? frame.type.replace('EVENT_TYPE_', '') : '';
  const sequence = 'sequence' in frame && typeof frame.sequence === 'number' ? String(frame.sequence) : '';
  const payload = 'payload' in frame ? frame.payload : frame;
  const metadata = 'metadata' in frame ? ` ${JSON.stringify(frame.metadata)}` : '';
  return { type, sequence, body: `${JSON.stringify(payload)}${metadata}`, key: keyOf(type, payload) };
}

/** Chunks of one message share a key. */
function keyOf(type: string, payload: unknown): string | null {
  if (type !== 'AGENT_MESSAGE_CHUNK' || typeof payload !== 'object' || payload === null) return null;
  return `${type} ${String(Reflect.get(payload, 'message_id'))}`;
}

/** The row of a message whose chunks still come: how many there are, and the cell that holds them. */
interface ChunkRow {
  readonly key: string;
  readonly cell: HTMLTableCellElement;
  readonly bodies: string[];
}

let chunkRow: ChunkRow | null = null;

/** Shows payloads in a cell, folded where they are long. */
function fillCell(cell: HTMLTableCellElement, bodies: readonly string[]): void {
  const text = bodies.join('\n');
  if (bodies.length === 1 && text.length <= MAX_OPEN_CHARACTERS) {
    cell.textContent = text;
    return;
  }
  const details = document.createElement('details');
  // A row that the reader has unfolded stays so while more chunks come.
  details.open = cell.querySelector('details')?.open ?? false;
  const summary = document.createElement('summary');
  const count = bodies.length === 1 ? '' : `${bodies.length} chunks · `;
  summary.textContent = `${count}${text.slice(0, MAX_OPEN_CHARACTERS / 2)} …`;
  const all = document.createElement('pre');
  all.textContent = text;
  details.append(summary, all);
  cell.replaceChildren(details);
}

const isShown = (row: HTMLTableRowElement): boolean =>
  (row.textContent ?? '').toLowerCase().includes(filter.value.trim().toLowerCase());

function addLine({ way, atMs, type, sequence, body, key }: Line): void {
  if (key !== null && chunkRow?.key === key && chunkRow.cell.isConnected) {
    chunkRow.bodies.push(body);
    fillCell(chunkRow.cell, chunkRow.bodies);
    countLine();
    return;
  }
  const time = new Date(atMs).toISOString().slice(11, 23);
  const isAtEnd = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < 40;
  const row = document.createElement('tr');
  row.dataset['way'] = way;
  for (const [text, className] of [
    [time, 'time'],
    [WAYS[way], 'way'],
    [sequence, 'sequence'],
    [type, 'type'],
  ] as const) {
    const cell = row.insertCell();
    cell.className = className;
    cell.textContent = text;
  }
  const content = row.insertCell();
  content.className = 'frame';
  fillCell(content, [body]);
  if (key !== null) chunkRow = { key, cell: content, bodies: [body] };
  row.hidden = !isShown(row);
  rows.append(row);
  if (rows.rows.length > MAX_ROWS) rows.deleteRow(0);
  countLine();
  empty.hidden = true;
  if (isAtEnd) scroller.scrollTop = scroller.scrollHeight;
}

function countLine(): void {
  total += 1;
  count.value = String(total);
}

/** Shows what the demo server says of the link, which outlives this page. */
async function showFaults(asked: Promise<Response>): Promise<void> {
  const response = await asked;
  const answer: unknown = await response.json();
  if (typeof answer !== 'object' || answer === null) return;
  for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-fault][aria-pressed]')) {
    const isOn: unknown = Reflect.get(answer, button.dataset['fault'] ?? '');
    if (typeof isOn === 'boolean') button.setAttribute('aria-pressed', String(isOn));
  }
  status.textContent = 'message' in answer ? String(answer.message) : response.statusText;
}

const tellNoServer = (error: unknown): void => {
  status.textContent = `The demo server did not answer: ${String(error)}`;
};

for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-fault]')) {
  button.addEventListener('click', () => {
    const asked = fetch(`/qa/faults/${button.dataset['fault']}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ on: button.getAttribute('aria-pressed') === 'false' }),
    });
    showFaults(asked).catch(tellNoServer);
  });
}
showFaults(fetch('/qa/faults')).catch(tellNoServer);

/** Tells the widget something, and says why where that cannot be done. */
function tell(name: string, command: (widget: NatterGlobal) => Promise<void>): void {
  if (!window.Natter) status.textContent = 'There is no widget on the page. Reload to have it back.';
  else
    command(window.Natter).catch((error: unknown) => {
      status.textContent = `${name} failed: ${String(error)}`;
    });
}

for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-widget]')) {
  const name = button.dataset['widget'] as WidgetCommand;
  button.addEventListener('click', () => tell(name, (widget) => widget[name]()));
}

find('#bubble', HTMLButtonElement).addEventListener('click', () =>
  tell('showBubble', (widget) => widget.showBubble('Can we help you to find a crossing?')),
);

const language = find('#language', HTMLSelectElement);
language.addEventListener('change', () =>
  tell('setLanguage', (widget) => widget.setLanguage(language.value || navigator.language)),
);

const theme = find('#theme', HTMLSelectElement);
theme.addEventListener('change', () => tell('setTheme', (widget) => widget.setTheme(theme.value)));

const look = find('#look', HTMLSelectElement);
look.addEventListener('change', () => {
  const sheet = find('#look-sheet', HTMLLinkElement);
  sheet.disabled = look.value === '';
  if (look.value !== '') sheet.href = `/qa/themes/${look.value}.css`;
});

const features = find('#features', HTMLFieldSetElement);
features.addEventListener('change', () => {
  const isOn = ({ checked }: HTMLInputElement): boolean => checked;
  const on = [...features.querySelectorAll('input')].filter(isOn).map(({ value }) => value);
  tell('update', (widget) => widget.update({ features: on }));
});

const visitor = find('#visitor', HTMLFormElement);
visitor.addEventListener('submit', (event) => {
  event.preventDefault();
  const id = String(new FormData(visitor).get('id')).trim();
  tell('identify', (widget) => widget.identify(id ? { id } : null));
});

/** Each condition of a proactive message, in a rule of its own, and what the tester has to do. */
const RULES: Readonly<Record<string, readonly [conditions: object, hint: string]>> = {
  page: [{ page: '/qa*' }, 'The message comes at once.'],
  afterSeconds: [{ afterSeconds: 3 }, 'The message comes in three seconds.'],
  scrollPercent: [
    { scrollPercent: 50 },
    'Scroll the page to its half; make the window low if it has no scroll bar.',
  ],
  exitIntent: [{ exitIntent: true }, 'Move the pointer out of the page at its top.'],
  visits: [{ visits: 2 }, 'This counts as the second visit: the message comes at once.'],
};

const proactive = find('#proactive', HTMLFormElement);
proactive.addEventListener('submit', (event) => {
  event.preventDefault();
  const name = String(new FormData(proactive).get('rule'));
  const [conditions, hint] = RULES[name] ?? [];
  // As in a new tab of a visitor who has dismissed nothing and was here once.
  sessionStorage.removeItem('natter-proactive');
  localStorage.removeItem('natter-proactive-dismissed');
  localStorage.setItem('natter-proactive-visits', '1');
  tell('update', async (widget) => {
    await widget.update({
      proactive: [{ id: name, text: 'Can we help you to find a crossing?', ...conditions }],
    });
    status.textContent = `${hint} There is none once a conversation has begun on this page: reload for that.`;
  });
});

const options = find('#options', HTMLFormElement);
options.addEventListener('submit', (event) => {
  event.preventDefault();
  const text = String(new FormData(options).get('options')).trim();
  // What is no JSON is shown in the log, like every other command that fails.
  tell('update', async (widget) => widget.update(JSON.parse(text || '{}')));
});

find('#examine', HTMLButtonElement).addEventListener('click', () => {
  const report = find('#report', HTMLPreElement);
  const show = (text: string): void => {
    report.hidden = false;
    report.textContent = text;
    // The button is often further down the page than the report.
    report.scrollIntoView({ block: 'nearest' });
  };
  if (!window.Natter) return show('There is no widget on the page. Reload to have it back.');
  show('Looking …');
  window.Natter.doctor().then(
    ({ text }) => show(text),
    (error: unknown) => show(`The widget could not be examined: ${String(error)}`),
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
    .then((text) => {
      header.textContent = text;
      header.hidden = false;
    }, tellNoServer);
});

filter.addEventListener('input', () => {
  for (const row of rows.rows) row.hidden = !isShown(row);
});

find('#clear', HTMLButtonElement).addEventListener('click', () => {
  rows.replaceChildren();
  clearRecording();
  total = 0;
  count.value = '0';
  empty.hidden = false;
});

// Module scripts run in document order after the classic deferred one only when it stands before them; the
// page's load event comes after both.
window.addEventListener('load', () => {
  const { Natter: widget } = window;
  if (!widget) {
    status.textContent = 'The widget did not load. Is the token proxy running?';
    return;
  }
  widget.on('frame', (frame) => {
    const { direction: way, atMs, text } = frame;
    takeFrame(frame);
    addLine({ way, atMs, ...describeFrame(text) });
  });
  const setOpen = (isOpen: boolean): void => {
    document.body.classList.toggle('chat-open', isOpen);
  };
  widget.on('open', () => setOpen(true));
  widget.on('close', () => setOpen(false));
  for (const type of EVENTS)
    widget.on(type, (detail) =>
      addLine({
        way: 'event',
        atMs: Date.now(),
        type,
        sequence: '',
        body: JSON.stringify(detail) ?? '',
        key: null,
      }),
    );
});
