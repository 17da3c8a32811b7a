import type { ClockPort } from 'natter/client';
import { WebSocket as PlainWebSocket } from 'ws';
import { createDice } from '../soak/dice.ts';
import type { SentMessage } from '../soak/invariants.ts';
import { NodeTab } from '../soak/tabs/node-tab.ts';
import type { TabView } from '../soak/tabs/soak-tab.ts';
import { ConnectionGaps } from './connection-gaps.ts';

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
// How long a visitor reads an answer and writes the next question: about a tenth of them are being answered at a time.
const READING_MS = { shortest: 10_000, longest: 40_000 } as const;

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

/** People with the headless client, each with a separate conversation. */
export class Visitors {
  readonly tabs: NodeTab[] = [];
  readonly sent: SentMessage[] = [];
  readonly gaps: ConnectionGaps = new ConnectionGaps();
  readonly #dice = createDice(0);
  readonly #askedAt = new Map<number, number>();
  /** When a visitor has read the answer and asks again. */
  readonly #asksAgainAt = new Map<number, number>();
  #questions = 0;

  /** Opens chats; resolves when all are greeted. */
  static async open(endpoint: string, count: number): Promise<Visitors> {
    const visitors = new Visitors();
    while (visitors.tabs.length < count) {
      for (let index = 0; index < OPEN_AT_ONCE && visitors.tabs.length < count; index += 1) {
        const tab = visitors.tabs.length;
        const onConnection = (status: string): void => visitors.gaps.note(tab, status);
        const dice = createDice(tab + 1);
        visitors.tabs.push(new NodeTab({ endpoint, clock: machineClock, dice, webSocket, onConnection }));
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

  /** Visitors begin to ask, spread over the time that they take to read an answer. */
  startReading(): void {
    const now = performance.now();
    for (const tab of this.tabs.keys())
      this.#asksAgainAt.set(tab, now + this.#dice.next() * READING_MS.longest);
  }

  /** Sends the next message for every visitor who has the answer, or has waited so long that it must have failed. */
  async askOnceRead(): Promise<void> {
    const now = performance.now();
    const views = await this.#views();
    const asking = [...this.tabs.keys()].filter((tab) => {
      const last = views[tab]?.items.at(-1);
      const isAnswered = last?.author === 'agent' && !last.isStreaming;
      if (!isAnswered && now - (this.#askedAt.get(tab) ?? now) < LONGEST_ANSWER_MS) return false;
      const asksAgainAt = this.#asksAgainAt.get(tab);
      if (asksAgainAt === undefined) {
        const readingMs = this.#dice.between(READING_MS.shortest, READING_MS.longest);
        this.#asksAgainAt.set(tab, now + readingMs);
        return false;
      }
      return now >= asksAgainAt;
    });
    for (const tab of asking) this.#asksAgainAt.delete(tab);
    await this.ask(asking);
  }

  /** Number of visitors who see an answer being written. */
  async countAnswering(): Promise<number> {
    return (await this.#views()).filter(isAnswering).length;
  }

  async every(holds: (view: TabView) => boolean, what: string): Promise<void> {
    await until(async () => (await this.#views()).every(holds), what);
  }

  async close(): Promise<void> {
    for (const tab of this.tabs) await tab.close();
  }

  async #views(): Promise<readonly TabView[]> {
    return await Promise.all(this.tabs.map((tab) => tab.view()));
  }
}
