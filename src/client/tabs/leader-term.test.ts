import { expect, it } from 'vitest';
import { FakeClock } from '../../../test/fake-clock.ts';
import { STATE_VERSION } from '../conversation/conversation-state.ts';
import type { FollowerMessage, LeaderMessage } from './tab-messages.ts';
import { Tabs } from './tabs.ts';

/** A state that only needs to be ordered. */
type State = { readonly text: string };

type Message = LeaderMessage | FollowerMessage;

/** One tab whose channel and lock are controlled by the test. */
interface HeldTab {
  readonly tabs: Tabs<State>;
  readonly clock: FakeClock;
  /** Received states, and starts and ends of leadership, in order. */
  readonly happened: readonly string[];
  readonly posted: readonly Message[];
  receive(message: Omit<LeaderMessage, 'version'> & Partial<Pick<LeaderMessage, 'version'>>): void;
  /** Grants the lock to the tab. */
  grantLock(): Promise<void>;
}

function openTab(): HeldTab {
  const happened: string[] = [];
  const posted: Message[] = [];
  const clock = new FakeClock();
  let receive = (_: unknown): void => {};
  let grant = (): unknown => undefined;
  const tabs = new Tabs<State>({
    name: 'conversation',
    ports: {
      clock,
      environment: { isVisible: () => true, isOnline: () => true, onChange: () => () => {} },
      tabs: {
        lock: (_name, _options, hold) =>
          new Promise((resolve, reject) => {
            grant = () => hold().then(() => resolve(undefined), reject);
          }),
        openChannel: (_name, listener) => {
          receive = listener;
          return { postMessage: (message) => posted.push(message as Message), close: () => {} };
        },
      },
    },
    onLead: () => happened.push('leads'),
    onLeadershipLost: () => happened.push('leads no more'),
    state: () => ({ text: 'own' }),
    onState: ({ text }) => happened.push(text),
    execute: () => expect.unreachable(),
    pending: () => [],
  });
  tabs.join();
  return {
    tabs,
    clock,
    happened,
    posted,
    receive: (message) => receive({ version: STATE_VERSION, ...message }),
    async grantLock() {
      void grant();
      await Promise.resolve();
    },
  };
}

const setText = (text: string) => ({ fields: { text: { set: text } } });

/** How often the tab has requested a snapshot. */
const questions = ({ posted }: HeldTab): number =>
  posted.filter((message) => 'applied' in message && message.applied < 0).length;

/** The term of the leader in its last message. */
const termIn = ({ posted }: HeldTab): number =>
  posted.flatMap((message) => ('term' in message ? [message.term] : [])).at(-1) ?? Number.NaN;

it('a follower accepts only the latest leader and ignores patches and snapshots of earlier ones', () => {
  const tab = openTab();
  tab.receive({ term: 2_000, sequence: 0, state: { text: 'of the later' } });
  tab.receive({ term: 1_000, sequence: 1, patch: setText('of the earlier') });
  tab.receive({ term: 1_000, sequence: 5, state: { text: 'of the earlier' } });
  tab.receive({ term: 2_000, sequence: 1, patch: setText('patch of the later') });
  expect(tab.happened).toEqual(['of the later', 'patch of the later']);
});

it('a tab leads in a later term than every leader it knows, even one with a fast clock', async () => {
  const tab = openTab();
  const ahead = tab.clock.now() + 60_000;
  tab.receive({ term: ahead, sequence: 0, state: { text: 'ahead' } });
  await tab.grantLock();
  expect(tab.tabs.isLeading).toBe(true);
  expect(termIn(tab)).toBe(ahead + 1);
});

it('a tab without a known leader leads in a later term than one that froze before', async () => {
  const tab = openTab();
  await tab.grantLock();
  expect(termIn(tab)).toBe(tab.clock.now());
});

it('a leader yields to a later one, but not to an earlier one or to itself', async () => {
  const tab = openTab();
  await tab.grantLock();
  const own = termIn(tab);
  tab.receive({ term: own - 1, sequence: 9, state: { text: 'of the earlier' } });
  tab.receive({ term: own, sequence: 9, state: { text: 'of its own term' } });
  expect(tab.tabs.isLeading).toBe(true);
  expect(questions(tab)).toBe(1);
  tab.receive({ term: own + 1, sequence: 0, patch: setText('of the later') });
  expect(tab.tabs.isLeading).toBe(false);
  // A patch of the other leader does not apply to this one's state.
  expect(questions(tab)).toBeGreaterThan(1);
  tab.receive({ term: own + 1, sequence: 0, state: { text: 'of the later' } });
  expect(tab.happened).toEqual(['leads', 'leads no more', 'of the later']);
});

it('a follower that missed a patch requests one snapshot, and applies no patch before it', () => {
  const tab = openTab();
  tab.receive({ term: 1_000, sequence: 0, state: { text: 'first' } });
  const before = questions(tab);
  tab.receive({ term: 1_000, sequence: 2, patch: setText('third') });
  tab.receive({ term: 1_000, sequence: 3, patch: setText('fourth') });
  expect(questions(tab)).toBe(before + 1);
  tab.receive({ term: 1_000, sequence: 3, state: { text: 'snapshot' } });
  tab.receive({ term: 1_000, sequence: 4, patch: setText('fifth') });
  expect(tab.happened).toEqual(['first', 'snapshot', 'fifth']);
});

it('a follower detects a missed last patch by the next message of the leader', () => {
  const tab = openTab();
  tab.receive({ term: 1_000, sequence: 0, state: { text: 'first' } });
  tab.receive({ term: 1_000, sequence: 0 });
  const before = questions(tab);
  tab.receive({ term: 1_000, sequence: 1 });
  expect(questions(tab)).toBe(before + 1);
});

it('a snapshot for another tab does not change an up-to-date tab', () => {
  const tab = openTab();
  tab.receive({ term: 1_000, sequence: 0, state: { text: 'first' } });
  tab.receive({ term: 1_000, sequence: 0, state: { text: 'for another tab' } });
  expect(tab.happened).toEqual(['first']);
});

it('a message of another version is ignored', () => {
  const tab = openTab();
  const version = STATE_VERSION + 1;
  tab.receive({ version, term: 9_000, sequence: 0, state: { text: 'of another release' } });
  tab.receive({ term: 1_000, sequence: 0, state: { text: 'first' } });
  tab.receive({ version, term: 1_000, sequence: 1, patch: setText('of another release') });
  expect(tab.happened).toEqual(['first']);
});

it('a tab joins once, whether as follower or leader', async () => {
  const tab = openTab();
  expect(tab.tabs.join()).toBe(false);
  await tab.grantLock();
  expect(tab.tabs.join()).toBe(false);
  expect(tab.happened).toEqual(['leads']);
});
