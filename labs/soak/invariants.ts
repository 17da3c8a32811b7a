import type { SessionLog } from './platform/platform-messages.ts';
import { expectedTranscript, findLogFaults } from './read-log.ts';
import type { ShownItem, TabTrace, TabView } from './tabs/soak-tab.ts';

/** Invariants that hold once the faults have stopped and everything has settled. */
export const INVARIANTS = {
  lost: 'Every acknowledged message is in the log and on every tab of its session.',
  repeated: 'No message is in the log or on a tab more than once.',
  order: 'Every tab shows what the log holds, in the order of the log.',
  writingOrder: 'The log holds the messages of one tab in the order in which they were written.',
  accounted:
    'Every message that was accepted is either delivered or shown as failed, with a way to try again.',
  failedIsNotDelivered:
    'No message that is shown as failed is in the log of a session that its tab has or could come back to.',
  text: "Streamed text is the platform's, character for character.",
  typing: 'No typing indicator and no streaming mark is left.',
  open: 'The connection is open again without the visitor, unless its budget was spent during the faults.',
  session: 'No session was given up for a fault of the network or the platform.',
  quiet: 'A page that is gone asks for nothing more.',
  log: 'Sequences have no gap, ids are used once, chunks are in order and never interleaved.',
  turns: 'Every turn was answered or ended with an error.',
  secrets: 'No access token and no resume ticket is in a frame trace, a log line or the output of a process.',
} as const;
export type InvariantName = keyof typeof INVARIANTS;

/** A broken invariant. */
export interface Violation {
  readonly invariant: InvariantName;
  readonly detail: string;
}

/** A message as the schedule sent it. */
export interface SentMessage {
  readonly tab: number;
  readonly localId: string;
  readonly text: string;
}

/** Everything the checks look at. */
export interface Evidence {
  readonly sent: readonly SentMessage[];
  readonly tabs: readonly { readonly view: TabView; readonly trace: TabTrace }[];
  readonly logs: readonly SessionLog[];
  /** Output of proxy and platform, one entry each. */
  readonly output: readonly string[];
}

const isDelivered = ({ status }: ShownItem): boolean => status === 'sent' || status === 'said';
const lineOf = ({ author, text }: { readonly author: string; readonly text: string }): string =>
  `${author}: ${text}`;

function countOf(lines: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
  return counts;
}

/** Compares the transcript of one tab with its session's log. */
function compareTab(name: string, items: readonly ShownItem[], log: SessionLog): readonly Violation[] {
  const expected = expectedTranscript(log);
  const shown = items.filter(isDelivered);
  const expectedLines = expected.map(lineOf);
  const shownLines = shown.map(lineOf);
  if (expectedLines.join('\n') === shownLines.join('\n')) return [];
  const violations: Violation[] = [];
  const wanted = countOf(expectedLines);
  const found = countOf(shownLines);
  for (const [line, count] of wanted) {
    const missing = count - (found.get(line) ?? 0);
    // An agent's line that differs is a wrong text when the tab shows as many lines as the log has.
    const isText = line.startsWith('agent: ') && shownLines.length === expectedLines.length;
    if (missing > 0) {
      violations.push({
        invariant: isText ? 'text' : 'lost',
        detail: `${name} lacks "${line.slice(0, 80)}"`,
      });
    }
  }
  for (const [line, count] of found) {
    const extra = count - (wanted.get(line) ?? 0);
    if (extra > 0 && wanted.has(line)) {
      violations.push({
        invariant: 'repeated',
        detail: `${name} shows "${line.slice(0, 80)}" ${count} times`,
      });
    } else if (extra > 0) {
      violations.push({
        invariant: 'text',
        detail: `${name} shows "${line.slice(0, 80)}", which is not in the log`,
      });
    }
  }
  if (violations.length > 0) return violations;
  const at = expectedLines.findIndex((line, index) => line !== shownLines[index]);
  return [{ invariant: 'order', detail: `${name} differs from the log at line ${at + 1}` }];
}

function checkDelivery({ sent, tabs, logs }: Evidence): readonly Violation[] {
  const violations: Violation[] = [];
  const places = new Map<string, { readonly sessionId: string; readonly sequence: number }[]>();
  for (const { sessionId, events } of logs) {
    for (const { clientEventId, sequence, type } of events) {
      if (clientEventId === null || type !== 'EVENT_TYPE_USER_MESSAGE') continue;
      places.set(clientEventId, [...(places.get(clientEventId) ?? []), { sessionId, sequence }]);
    }
  }
  const acknowledged = new Set(tabs.flatMap(({ trace }) => trace.acknowledged));
  for (const { tab, localId, text } of sent) {
    const stored = places.get(localId) ?? [];
    const item = tabs[tab]?.view.items.find((each) => each.localId === localId);
    const name = `"${text.slice(0, 40)}" of tab ${tab}`;
    if (stored.length > 1)
      violations.push({ invariant: 'repeated', detail: `${name} is stored ${stored.length} times` });
    if (acknowledged.has(localId) && stored.length === 0) {
      violations.push({ invariant: 'lost', detail: `${name} was acknowledged and is not stored` });
    }
    const { sessionIds = [], renewals = 0 } = tabs[tab]?.trace ?? {};
    // A page that went before it had what leads back to its session cannot know what became of its last words.
    const isKnown = renewals > 0 || stored.some(({ sessionId }) => sessionId === sessionIds.at(-1));
    if (item?.status === 'failed' && isKnown && stored.length > 0) {
      violations.push({
        invariant: 'failedIsNotDelivered',
        detail: `${name} is shown as failed and is stored`,
      });
    }
    if (item?.status === 'queued' || item?.status === 'pending') {
      violations.push({ invariant: 'accounted', detail: `${name} is still ${item.status}` });
    }
    if (stored.length === 0 && item === undefined) {
      violations.push({ invariant: 'accounted', detail: `${name} has vanished` });
    }
  }
  for (const [tab] of tabs.entries()) {
    const order = sent
      .filter((message) => message.tab === tab)
      .flatMap(({ localId, text }) => (places.get(localId) ?? []).map((place) => ({ ...place, text })));
    for (const [index, next] of order.entries()) {
      const before = order[index - 1];
      if (before && before.sessionId === next.sessionId && before.sequence > next.sequence) {
        const detail = `tab ${tab} wrote "${before.text.slice(0, 40)}" before "${next.text.slice(0, 40)}"`;
        violations.push({ invariant: 'writingOrder', detail });
      }
    }
  }
  return violations;
}

// What tokens and tickets consist of.
const WORD = /[\w.~+/=-]+/g;

/**
 * A secret contains no spaces, so only texts as long as the shortest secret can hold it: they are few, whereas to
 * look for every secret in every frame takes minutes with hundreds of tabs.
 */
function findSecrets({ tabs, output }: Evidence): readonly Violation[] {
  const secrets = [...new Set(tabs.flatMap(({ trace }) => trace.secrets))];
  if (secrets.some((secret) => secret.match(WORD)?.[0] !== secret))
    throw new Error('A secret holds characters that the search for secrets takes for the end of a word.');
  const shortest = Math.min(...secrets.map(({ length }) => length));
  const places = [
    ...tabs.flatMap(({ trace }, tab) =>
      trace.frames.map((text) => ({ where: `the frames of tab ${tab}`, text })),
    ),
    ...output.map((text) => ({ where: 'the output of a server', text })),
  ];
  const words = new Map<string, string>();
  for (const { where, text } of places)
    for (const [word] of text.matchAll(WORD)) if (word.length >= shortest) words.set(word, where);
  return [...words].flatMap(([word, where]) =>
    secrets.some((secret) => word.includes(secret))
      ? [{ invariant: 'secrets' as const, detail: `a secret is in ${where}` }]
      : [],
  );
}

/** Whether pages that are gone have asked for anything. */
export function checkQuiet(traces: readonly Pick<TabTrace, 'lateCalls'>[]): readonly Violation[] {
  return traces.flatMap(({ lateCalls }, tab) =>
    lateCalls > 0
      ? [{ invariant: 'quiet', detail: `tab ${tab} made ${lateCalls} requests after its page was gone` }]
      : [],
  );
}

/** The broken invariants; empty when all hold. */
export function checkInvariants(evidence: Evidence): readonly Violation[] {
  const { tabs, logs } = evidence;
  const violations: Violation[] = [
    ...checkDelivery(evidence),
    ...findSecrets(evidence),
    ...checkQuiet(tabs.map(({ trace }) => trace)),
  ];
  for (const [index, { view, trace }] of tabs.entries()) {
    const name = `tab ${index}`;
    const log = logs.find(({ sessionId }) => sessionId === trace.sessionIds.at(-1));
    if (log) violations.push(...compareTab(name, view.items, log));
    if (view.connection !== 'open')
      violations.push({ invariant: 'open', detail: `${name} is ${view.connection}` });
    if (view.isTyping)
      violations.push({ invariant: 'typing', detail: `${name} still shows that somebody types` });
    if (view.items.some(({ isStreaming }) => isStreaming)) {
      violations.push({ invariant: 'typing', detail: `${name} still shows a message as streaming` });
    }
    if (trace.renewals > 0) {
      violations.push({
        invariant: 'session',
        detail: `${name} changed its session ${trace.renewals} times`,
      });
    }
  }
  for (const log of logs) {
    violations.push(...findLogFaults(log).map((detail) => ({ invariant: 'log' as const, detail })));
    if (log.unfinishedTurns > 0) {
      violations.push({
        invariant: 'turns',
        detail: `${log.unfinishedTurns} turns of ${log.sessionId} are unfinished`,
      });
    }
  }
  return violations;
}
