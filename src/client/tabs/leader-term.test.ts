import { expect, it } from 'vitest';
import { FakeClock } from '../../../test/fake-clock.ts';
import { createTabs, type Tabs } from './create-tabs.ts';
import type { FollowerMessage, LeaderMessage } from './tab-messages.ts';

/** What a message carries, where only its order matters. */
type Said = { readonly text: string };

type Message = LeaderMessage<Said, Said> | FollowerMessage<Said>;

/** One tab whose channel and lock the test holds in its hands. */
interface HeldTab {
  readonly tabs: Tabs<Said, Said>;
  readonly clock: FakeClock;
  /** What the tab adopted, mirrored, began and ended, in order. */
  readonly happened: readonly string[];
  readonly posted: readonly Message[];
  receive(message: Message): void;
  /** Gives the lock to the tab. */
  grantLock(): Promise<void>;
}

function openTab(): HeldTab {
  const happened: string[] = [];
  const posted: Message[] = [];
  const clock = new FakeClock();
  let receive = (_: unknown): void => {};
  let grant = (): unknown => undefined;
  const tabs = createTabs<Said, Said, Said>({
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
    onDeposed: () => happened.push('was deposed'),
    state: () => ({ text: 'state' }),
    adopt: ({ text }) => happened.push(`adopts ${text}`),
    mirror: ({ text }) => happened.push(`mirrors ${text}`),
    carryOut: ({ text }) => happened.push(`carries out ${text}`),
  });
  tabs.join();
  return {
    tabs,
    clock,
    happened,
    posted,
    receive: (message) => receive(message),
    async grantLock() {
      void grant();
      await Promise.resolve();
    },
  };
}

/** The term of the leader in its last message. */
const termIn = ({ posted }: HeldTab): number =>
  posted.flatMap((message) => ('leader' in message ? [message.leader] : [])).at(-1) ?? Number.NaN;

it('a follower believes the latest leader only: steps and states of an earlier one change nothing', () => {
  const tab = openTab();
  tab.receive({ leader: 2_000, number: 0, state: { text: 'of the later' } });
  tab.receive({ leader: 1_000, number: 1, step: { text: 'of the earlier' } });
  tab.receive({ leader: 1_000, number: 5, state: { text: 'of the earlier' } });
  tab.receive({ leader: 2_000, number: 1, step: { text: 'of the later' } });
  expect(tab.happened).toEqual(['adopts of the later', 'mirrors of the later']);
});

it('a tab leads in a later term than every leader it has heard, also one whose clock is ahead', async () => {
  const tab = openTab();
  const ahead = tab.clock.now() + 60_000;
  tab.receive({ leader: ahead, number: 0, state: { text: 'ahead' } });
  await tab.grantLock();
  expect(tab.tabs.isLeading).toBe(true);
  expect(termIn(tab)).toBe(ahead + 1);
});

it('a tab that has heard no leader leads in a later term than one that froze before', async () => {
  const tab = openTab();
  await tab.grantLock();
  expect(termIn(tab)).toBe(tab.clock.now());
});

it('a leader gives way to a later one, and not to an earlier one or to itself', async () => {
  const tab = openTab();
  await tab.grantLock();
  const own = termIn(tab);
  tab.receive({ leader: own - 1, number: 9, state: { text: 'of the earlier' } });
  tab.receive({ leader: own, number: 9, state: { text: 'of its own term' } });
  expect(tab.tabs.isLeading).toBe(true);
  tab.receive({ leader: own + 1, number: 0, state: { text: 'of the later' } });
  expect(tab.tabs.isLeading).toBe(false);
  expect(tab.happened).toEqual(['leads', 'was deposed', 'adopts of the later']);
  // What it counted as the leader are not steps of the other one: it asks for everything.
  expect(tab.posted).toContainEqual({ follower: -1 });
});

it('a follower that missed a step asks for everything, and takes no step until it has it', () => {
  const tab = openTab();
  tab.receive({ leader: 1_000, number: 0, state: { text: 'first' } });
  tab.receive({ leader: 1_000, number: 2, step: { text: 'third' } });
  tab.receive({ leader: 1_000, number: 3, step: { text: 'fourth' } });
  expect(tab.posted.at(-1)).toEqual({ follower: -1 });
  tab.receive({ leader: 1_000, number: 3, state: { text: 'whole' } });
  tab.receive({ leader: 1_000, number: 4, step: { text: 'fifth' } });
  expect(tab.happened).toEqual(['adopts first', 'adopts whole', 'mirrors fifth']);
});

it('a tab joins once, whether it follows or leads', async () => {
  const tab = openTab();
  expect(tab.tabs.join()).toBe(false);
  await tab.grantLock();
  expect(tab.tabs.join()).toBe(false);
  expect(tab.happened).toEqual(['leads']);
});
