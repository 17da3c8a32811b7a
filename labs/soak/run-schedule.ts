import { gatherEvidence, markOutput, type OutputMark } from './gather-evidence.ts';
import {
  checkInvariants,
  checkQuiet,
  type Evidence,
  type SentMessage,
  type Violation,
} from './invariants.ts';
import type { Lane } from './lane.ts';
import type { FaultKind, Schedule, Step } from './schedule.ts';
import type { SoakTab } from './tabs/soak-tab.ts';

/** Outcome of one schedule. Times are the client's. */
export interface ScheduleResult {
  readonly seed: number;
  readonly kind: FaultKind;
  readonly violations: readonly Violation[];
  readonly sent: number;
  readonly acknowledged: number;
  readonly delivered: number;
  /** Accepted, not delivered, and shown as failed. */
  readonly failed: number;
  /** From the end of the faults until every connection was open. */
  readonly reopenedMs: number;
  /** From the end of the faults until everything had settled. */
  readonly settledMs: number;
  /** Clients that had given up by the end of the faults and needed the visitor's button. */
  readonly buttons: number;
  /** The frames of all tabs, for the analysis of a failure. */
  readonly traces: readonly (readonly string[])[];
}

/** Opens the tabs of a schedule. */
export type OpenTab = (index: number, first: SoakTab | null) => Promise<SoakTab>;

/** Longest time from the end of the faults until everything has settled, in the client's time. */
const SETTLE_WITHIN_MS = 240_000;
/** Until then a client may still give up calls from the time of the faults: three retries of a call, 15 s each. */
const LATE_FAILURE_MS = 70_000;
/** Time without requests after all tabs have closed. Longer than the first pause before a reconnect. */
const SILENCE_MS = 5_000;
/** A check of everything, the platform's log included, at most this often in the machine's time. */
const CHECK_EVERY_MS = 60;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

class Run {
  readonly #lane: Lane;
  readonly #schedule: Schedule;
  readonly #openTab: OpenTab;
  readonly #tabs: SoakTab[] = [];
  /** Restarts and reloads that were begun and are not over yet. */
  readonly #underWay = new Set<Promise<void>>();
  readonly sent: SentMessage[] = [];
  readonly #mark: OutputMark;

  constructor(lane: Lane, schedule: Schedule, openTab: OpenTab) {
    this.#lane = lane;
    this.#schedule = schedule;
    this.#openTab = openTab;
    this.#mark = markOutput(lane);
  }

  async play(): Promise<void> {
    const { clock } = this.#lane;
    this.#tabs.push(await this.#openTab(0, null));
    const startedAtMs = clock.now();
    for (const step of this.#schedule.steps) {
      await clock.pause(step.atMs - (clock.now() - startedAtMs));
      await this.#take(step);
    }
    await clock.pause(this.#schedule.durationMs - (clock.now() - startedAtMs));
  }

  /** Everything works again from here on. */
  async endFaults(): Promise<void> {
    await Promise.all(this.#underWay);
    await this.#lane.platform.ready();
    for (const link of this.#lane.visitorLinks) link.heal();
    for (const tab of this.#tabs) {
      await tab.setFrozen(false);
      await tab.setOnline(true);
    }
  }

  /** Acts as a visitor whose client has given up. Returns the number of clients that needed it. */
  async pressButtons(): Promise<number> {
    let buttons = 0;
    for (const tab of this.#tabs) {
      if ((await tab.view()).connection !== 'failed') continue;
      buttons += 1;
      await tab.reconnect();
    }
    return buttons;
  }

  async isOpen(): Promise<boolean> {
    const views = await Promise.all(this.#tabs.map((tab) => tab.view()));
    return views.every(({ connection }) => connection === 'open');
  }

  /** Whether no tab expects more events. Only then is it worth reading the platform's log. */
  async isQuiet(): Promise<boolean> {
    const views = await Promise.all(this.#tabs.map((tab) => tab.view()));
    return views.every(
      ({ connection, isTyping, items }) =>
        connection === 'open' &&
        !isTyping &&
        items.every(({ status, isStreaming }) => !isStreaming && status !== 'queued' && status !== 'pending'),
    );
  }

  gather(): Promise<Evidence> {
    return gatherEvidence(this.#lane, this.#tabs, this.sent, this.#mark);
  }

  /** All clients are taken off their pages, and the network goes down and comes back: that no longer concerns any client. */
  async leave(): Promise<readonly Violation[]> {
    for (const tab of this.#tabs) await tab.leave();
    for (const link of this.#lane.visitorLinks) link.drop();
    await this.#lane.clock.pause(SILENCE_MS);
    return checkQuiet(await Promise.all(this.#tabs.map((tab) => tab.trace())));
  }

  async close(): Promise<void> {
    await Promise.all(this.#tabs.map((tab) => tab.close()));
  }

  async #take(step: Step): Promise<void> {
    const { platform, visitorLinks } = this.#lane;
    const [socketLink] = visitorLinks;
    switch (step.do) {
      case 'send': {
        const tab = this.#tabOf(step.tab);
        const localId = await tab.tab.send(step.text);
        if (localId !== null) this.sent.push({ tab: tab.index, localId, text: step.text });
        return;
      }
      case 'type':
        await this.#tabOf(step.tab).tab.type();
        return;
      case 'link':
        for (const link of visitorLinks) link.setConditions(step.change);
        return;
      case 'drop':
        for (const link of visitorLinks) link.drop();
        return;
      case 'deafen':
        socketLink?.deafen(step.directions);
        return;
      case 'cut':
        socketLink?.cutInsideFrame(step.direction);
        return;
      case 'duplicate':
        socketLink?.duplicate(step.count);
        return;
      case 'swap':
        socketLink?.swap(step.count);
        return;
      case 'offline':
        for (const link of visitorLinks) {
          link.setConditions({ isRefusing: true });
          link.drop();
        }
        for (const tab of this.#tabs) await tab.setOnline(false);
        return;
      case 'online':
        for (const link of visitorLinks) link.setConditions({ isRefusing: false });
        for (const tab of this.#tabs) await tab.setOnline(true);
        return;
      case 'reload':
        await this.#tabOf(step.tab).tab.reload();
        return;
      case 'freeze':
      case 'thaw':
        await this.#tabOf(step.tab).tab.setFrozen(step.do === 'freeze');
        return;
      case 'open tab':
        this.#tabs.push(await this.#openTab(this.#tabs.length, this.#tabs[0] ?? null));
        return;
      case 'kill':
        platform.kill();
        return;
      case 'crash':
        this.#begin(platform.crashAt(step.at, step.at === 'mid-stream' ? 3 : 0));
        return;
      case 'shutdown':
        this.#begin(platform.restart());
    }
  }

  #begin(work: Promise<void>): void {
    const tracked = work.finally(() => this.#underWay.delete(tracked));
    this.#underWay.add(tracked);
  }

  /** A tab that is not open yet stands for the first one. */
  #tabOf(index: number): { readonly tab: SoakTab; readonly index: number } {
    const found = this.#tabs[index];
    const first = this.#tabs[0];
    if (found) return { tab: found, index };
    if (!first) throw new Error('No tab is open.');
    return { tab: first, index: 0 };
  }
}

/** Plays a schedule, stops all faults, lets everything settle and checks the invariants. */
export async function runSchedule(lane: Lane, schedule: Schedule, openTab: OpenTab): Promise<ScheduleResult> {
  const run = new Run(lane, schedule, openTab);
  try {
    await run.play();
    await run.endFaults();
    let buttons = await run.pressButtons();
    const healedAtMs = lane.clock.now();
    const elapsedMs = (): number => lane.clock.now() - healedAtMs;
    let reopenedMs: number | null = null;
    let evidence: Evidence | null = null;
    let violations: readonly Violation[] = [];
    let settledMs = 0;
    const isSettled = (): boolean => evidence !== null && violations.length === 0;
    do {
      await pause(reopenedMs === null ? 2 : CHECK_EVERY_MS);
      settledMs = elapsedMs();
      // A try that began during the faults may fail after them.
      if (settledMs < LATE_FAILURE_MS) buttons += await run.pressButtons();
      if (reopenedMs === null && (await run.isOpen())) reopenedMs = elapsedMs();
      if (reopenedMs === null || !(await run.isQuiet())) continue;
      evidence = await run.gather();
      violations = checkInvariants(evidence);
    } while (!isSettled() && elapsedMs() < SETTLE_WITHIN_MS);
    if (!isSettled() || evidence === null) {
      // The state after the time limit, whether or not it has settled.
      evidence = await run.gather();
      violations = checkInvariants(evidence);
    }
    if (violations.length === 0) violations = await run.leave();
    return summarize(schedule, evidence, violations, {
      buttons,
      reopenedMs: reopenedMs ?? settledMs,
      settledMs,
    });
  } finally {
    for (const link of lane.visitorLinks) link.heal();
    await run.close();
  }
}

function summarize(
  { seed, kind }: Schedule,
  { sent, tabs, logs }: Evidence,
  violations: readonly Violation[],
  times: Pick<ScheduleResult, 'buttons' | 'reopenedMs' | 'settledMs'>,
): ScheduleResult {
  const stored = new Set(logs.flatMap(({ events }) => events.map(({ clientEventId }) => clientEventId)));
  const failedIds = new Set(
    tabs.flatMap(({ view }) =>
      view.items.filter(({ status }) => status === 'failed').map(({ localId }) => localId),
    ),
  );
  return {
    seed,
    kind,
    violations,
    sent: sent.length,
    acknowledged: new Set(tabs.flatMap(({ trace }) => trace.acknowledged)).size,
    delivered: sent.filter(({ localId }) => stored.has(localId)).length,
    failed: sent.filter(({ localId }) => failedIds.has(localId)).length,
    traces: tabs.map(({ trace }) => trace.frames),
    ...times,
  };
}
