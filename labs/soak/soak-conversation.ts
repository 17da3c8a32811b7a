import { expect } from 'vitest';
import { PATIENCE } from '../../e2e/patience.ts';
import { createDice } from './dice.ts';
import { gatherEvidence, markOutput, type OutputMark } from './gather-evidence.ts';
import { checkInvariants, type Evidence, type SentMessage } from './invariants.ts';
import type { Lane } from './lane.ts';
import { NodeTab } from './tabs/node-tab.ts';

/** In the machine's time: a platform that was killed has to start in it, on a machine that does other things too. */
const PATIENCE_MS = 50_000 * PATIENCE;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Waits until something holds; fails after `PATIENCE_MS`. */
export async function until(isTrue: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const givenUpAt = performance.now() + PATIENCE_MS;
  while (!(await isTrue())) {
    if (performance.now() > givenUpAt) throw new Error(`This never became true: ${what}`);
    await pause(5);
  }
}

/** A conversation over a lane, with the operations of a test. */
export class SoakConversation {
  readonly tab: NodeTab;
  readonly sent: SentMessage[] = [];
  readonly #lane: Lane;
  readonly #mark: OutputMark;

  constructor(lane: Lane) {
    this.#lane = lane;
    this.#mark = markOutput(lane);
    this.tab = new NodeTab({ endpoint: lane.endpoint, clock: lane.clock, dice: createDice(1) });
  }

  /** Everything the agent has said. */
  async readAgentTexts(): Promise<string> {
    const { items } = await this.tab.view();
    return items
      .filter(({ author }) => author === 'agent')
      .map(({ text }) => text)
      .join('\n');
  }

  /** Resolves when the agent's greeting is there. */
  async greeted(): Promise<void> {
    await until(async () => (await this.readAgentTexts()).includes('help?'), 'the agent has greeted');
  }

  async send(text: string): Promise<void> {
    const localId = await this.tab.send(text);
    if (localId === null) throw new Error('The client refused the message.');
    this.sent.push({ tab: 0, localId, text });
  }

  /** How often the message went out over a socket. */
  async timesWritten(text: string): Promise<number> {
    const { frames } = await this.tab.trace();
    return frames.filter((frame) => / out /.test(frame) && frame.includes(`"text":"${text}"`)).length;
  }

  /** Resolves when all invariants hold; fails with those that do not. */
  async settled(): Promise<Evidence> {
    let evidence: Evidence | null = null;
    let broken: readonly object[] = [];
    const givenUpAt = performance.now() + PATIENCE_MS;
    do {
      await pause(30);
      evidence = await gatherEvidence(this.#lane, [this.tab], this.sent, this.#mark);
      broken = checkInvariants(evidence);
    } while (broken.length > 0 && performance.now() < givenUpAt);
    expect(broken).toEqual([]);
    return evidence;
  }
}
