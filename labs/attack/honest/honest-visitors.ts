import { randomUUID } from 'node:crypto';
import { type ChatClient, createChatClient } from 'natter/client';
import { PATIENCE } from '../../../e2e/patience.ts';
import { FakeDevice, FakeStorage } from '../../../test/chat-harness.ts';
import type { StackInfo } from '../attack.ts';

/** Results of a period of conversation. */
export interface Talk {
  /** From the time at which a message was due to its answer, for every message that was answered. */
  readonly answeredMs: readonly number[];
  /** Messages that were not answered in time. */
  readonly unanswered: number;
  /** Connections that were lost, and visitors whose session was replaced or ended, since the last talk. */
  readonly disconnects: number;
  readonly lostSessions: number;
  /** Answers of the REST interface to a valid key, other than 200. */
  readonly restFailures: readonly string[];
}

/** Visitors with the headless client, behind the token proxy, in the process of the test. */
export interface HonestVisitors {
  /** All of them write at a steady pace and await each answer, until `isOver`. */
  talk(isOver: () => boolean): Promise<Talk>;
  stop(): void;
}

// As fast as a person types short lines. Together they take a part of one core, which leaves room for what an attack costs.
const MESSAGE_EVERY_MS = 1_000;
const REST_EVERY_MS = 500;
const ANSWER_PATIENCE_MS = 15_000 * PATIENCE;
const OPEN_PATIENCE_MS = 20_000 * PATIENCE;

const machineClock = {
  now: () => Date.now(),
  setTimer(callback: () => void, delayMs: number) {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
};
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

class Visitor {
  disconnects = 0;
  lostSessions = 0;
  readonly #chat: ChatClient;
  readonly #watchers = new Set<() => void>();
  #sessionId = '';
  #isOpen = false;
  #sent = 0;

  constructor({ proxyPort }: StackInfo) {
    this.#chat = createChatClient({
      endpoint: `http://127.0.0.1:${proxyPort}`,
      allowInsecure: true,
      ports: {
        clock: machineClock,
        createId: () => randomUUID(),
        storage: new FakeStorage(),
        environment: new FakeDevice(),
        tabs: null,
      },
    });
    this.#chat.subscribe(({ connection, session }) => {
      const isOpen = connection.status === 'open';
      if (this.#isOpen && !isOpen) this.disconnects += 1;
      this.#isOpen = isOpen;
      const { sessionId } = this.#chat.currentSession();
      const isAnother = this.#sessionId !== '' && sessionId !== this.#sessionId;
      if (isAnother || session.status === 'ended' || session.status === 'expired') this.lostSessions += 1;
      this.#sessionId = sessionId;
      for (const watch of this.#watchers) watch();
    });
    void this.#chat.start();
  }

  /** Resolves with whether the agent has greeted. */
  ready(): Promise<boolean> {
    return this.#wait(() => this.#isOpen && this.#hasText('Hello'), OPEN_PATIENCE_MS);
  }

  /** Sends a message and resolves with whether its answer came in time. */
  async ask(): Promise<boolean> {
    this.#sent += 1;
    const text = `message ${this.#sent}`;
    this.#chat.send(text);
    return await this.#wait(() => this.#hasText(text), ANSWER_PATIENCE_MS);
  }

  stop(): void {
    this.#chat.destroy();
  }

  #hasText(text: string): boolean {
    const item = this.#chat.messages.value.at(-1)?.value;
    return item?.kind === 'agent' && !item.isStreaming && item.text === text;
  }

  #wait(isThere: () => boolean, patienceMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const finish = (isFound: boolean): void => {
        clearTimeout(timer);
        this.#watchers.delete(look);
        resolve(isFound);
      };
      const look = (): void => {
        if (isThere()) finish(true);
      };
      const timer = setTimeout(() => finish(false), patienceMs);
      this.#watchers.add(look);
      look();
    });
  }
}

/** Lets `count` visitors into the chat. Rejects when one of them does not get in. */
export async function startHonestVisitors(info: StackInfo, count: number): Promise<HonestVisitors> {
  await leaveShortConversation(info);
  const visitors = Array.from({ length: count }, () => new Visitor(info));
  const stop = (): void => {
    for (const visitor of visitors) visitor.stop();
  };
  const ready = await Promise.all(visitors.map((visitor) => visitor.ready()));
  if (ready.includes(false)) {
    stop();
    throw new Error('An honest visitor did not get in before the attacks.');
  }
  return { talk: (isOver) => talk(info, visitors, isOver), stop };
}

// The calls of `callRest` read the oldest conversation. A visitor's grows by four messages a second.
async function leaveShortConversation(info: StackInfo): Promise<void> {
  const visitor = new Visitor(info);
  const isShort = (await visitor.ready()) && (await visitor.ask());
  visitor.stop();
  if (!isShort) throw new Error('The first honest visitor did not get an answer.');
}

async function talk(info: StackInfo, visitors: readonly Visitor[], isOver: () => boolean): Promise<Talk> {
  const answeredMs: number[] = [];
  const restFailures: string[] = [];
  let unanswered = 0;
  await Promise.all([
    ...visitors.map(async (visitor, index) => {
      let dueAtMs = performance.now() + (index * MESSAGE_EVERY_MS) / visitors.length;
      while (!isOver()) {
        await pause(Math.max(0, dueAtMs - performance.now()));
        if (await visitor.ask()) answeredMs.push(performance.now() - dueAtMs);
        else unanswered += 1;
        // A message that had to wait for the answer to the last one is late already when it is sent.
        dueAtMs += MESSAGE_EVERY_MS;
      }
    }),
    (async () => {
      while (!isOver()) {
        const failure = await callRest(info);
        if (failure !== null) restFailures.push(failure);
        await pause(REST_EVERY_MS);
      }
    })(),
  ]);
  const faults = visitors.map((visitor) => {
    const { disconnects, lostSessions } = visitor;
    visitor.disconnects = 0;
    visitor.lostSessions = 0;
    return { disconnects, lostSessions };
  });
  return {
    answeredMs,
    unanswered,
    restFailures,
    disconnects: faults.reduce((sum, { disconnects }) => sum + disconnects, 0),
    lostSessions: faults.reduce((sum, { lostSessions }) => sum + lostSessions, 0),
  };
}

/** Null: the call was answered as its key deserves. */
async function callRest({
  platformPort,
  account,
  honestProject,
  honestKey,
}: StackInfo): Promise<string | null> {
  try {
    const answer = await fetch(
      `http://127.0.0.1:${platformPort}/v3/${account}/${honestProject}/conversations?limit=1`,
      {
        headers: { 'X-Api-Key': honestKey, Connection: 'close' },
        signal: AbortSignal.timeout(ANSWER_PATIENCE_MS),
      },
    );
    await answer.arrayBuffer();
    return answer.status === 200 ? null : `HTTP ${answer.status}`;
  } catch (error) {
    return String(error);
  }
}
