import { WebSocket as PlainWebSocket } from 'ws';
import type { ClockPort } from '../../src/client/index.ts';
import type { SentMessage } from '../soak/invariants.ts';
import { NodeTab } from '../soak/node-tab.ts';
import { createDice } from '../soak/random.ts';
import type { TabView } from '../soak/soak-tab.ts';

const machineClock: ClockPort = {
  now: () => Date.now(),
  setTimer(callback, delayMs) {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
};

/** Costs a fraction of Node's own: a small machine has to carry all visitors beside the nodes. */
class CheapWebSocket extends PlainWebSocket {
  constructor(address: string | URL) {
    super(address, { perMessageDeflate: false });
  }
}

// Has all of the standard's that the client uses.
const webSocket = CheapWebSocket as unknown as typeof WebSocket;

const OPEN_AT_ONCE = 25;
const LOOK_EVERY_MS = 100;
const LONGEST_ANSWER_MS = 40_000;

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Waits until something holds; fails with `what` after `patienceMs`. */
export async function until(
  isTrue: () => boolean | Promise<boolean>,
  what: string,
  patienceMs = 120_000,
): Promise<void> {
  const givenUpAt = performance.now() + patienceMs;
  while (!(await isTrue())) {
    if (performance.now() > givenUpAt) throw new Error(`This never became true: ${what}.`);
    await pause(LOOK_EVERY_MS);
  }
}

const isAnswering = ({ items }: TabView): boolean =>
  items.some(({ author, isStreaming }) => author === 'agent' && isStreaming);

/** People with the headless client, each with a conversation of their own. */
export class Visitors {
  readonly tabs: NodeTab[] = [];
  readonly sent: SentMessage[] = [];
  /** The longest time that one of them was without a connection, in milliseconds. */
  longestGapMs = 0;
  /** Visitors whose client has given up at any time, until they press its button. */
  readonly gaveUp = new Set<number>();
  readonly #gapSince = new Map<number, number>();
  readonly #askedAt = new Map<number, number>();
  #questions = 0;
  #watch: NodeJS.Timeout | undefined;

  /** Opens chats; resolves when all are greeted. */
  static async open(endpoint: string, count: number): Promise<Visitors> {
    const visitors = new Visitors();
    while (visitors.tabs.length < count) {
      for (let index = 0; index < OPEN_AT_ONCE && visitors.tabs.length < count; index += 1) {
        const dice = createDice(visitors.tabs.length + 1);
        visitors.tabs.push(new NodeTab({ endpoint, clock: machineClock, dice, webSocket }));
      }
      await visitors.every(({ items }) => items.length > 0, 'everybody is greeted');
    }
    return visitors;
  }

  /** Asks one question each, or of those named. */
  async ask(tabs: readonly number[] = [...this.tabs.keys()]): Promise<void> {
    for (const tab of tabs) {
      this.#questions += 1;
      this.#askedAt.set(tab, performance.now());
      const text = `question ${this.#questions} of visitor ${tab}`;
      const localId = await this.tabs[tab]?.send(text);
      if (localId) this.sent.push({ tab, localId, text });
    }
  }

  /** Asks for everybody who has an answer, or has waited for one so long that it must have failed. */
  async askOnceAnswered(): Promise<void> {
    const views = await this.#views();
    const isFree = (tab: number): boolean => {
      const last = views[tab]?.items.at(-1);
      const isAnswered = last?.author === 'agent' && !last.isStreaming;
      return isAnswered || performance.now() - (this.#askedAt.get(tab) ?? 0) > LONGEST_ANSWER_MS;
    };
    await this.ask([...this.tabs.keys()].filter(isFree));
  }

  /** How many see an answer that is being written. */
  async countAnswering(): Promise<number> {
    return (await this.#views()).filter(isAnswering).length;
  }

  async every(holds: (view: TabView) => boolean, what: string): Promise<void> {
    await until(async () => (await this.#views()).every(holds), what);
  }

  /** Notes from now on who is without a connection, and for how long. */
  watch(): void {
    const look = async (): Promise<void> => {
      for (const [index, { connection }] of (await this.#views()).entries()) {
        if (connection === 'failed') this.gaveUp.add(index);
        const since = this.#gapSince.get(index) ?? performance.now();
        if (connection === 'open') this.#gapSince.delete(index);
        else this.#gapSince.set(index, since);
        if (connection !== 'open') this.longestGapMs = Math.max(this.longestGapMs, performance.now() - since);
      }
    };
    this.#watch = setInterval(() => void look(), LOOK_EVERY_MS);
  }

  async close(): Promise<void> {
    clearInterval(this.#watch);
    for (const tab of this.tabs) await tab.close();
  }

  async #views(): Promise<readonly TabView[]> {
    return await Promise.all(this.tabs.map((tab) => tab.view()));
  }
}
