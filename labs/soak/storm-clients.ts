import type { ClockPort } from 'natter/client';
import { WebSocket as PlainWebSocket } from 'ws';
import { createDice } from './dice.ts';
import { NodeTab } from './tabs/node-tab.ts';

/** To a process of clients. Times are `Date.now()`. */
export type StormRequest =
  | { readonly ask: 'open'; readonly endpoint: string; readonly clients: number; readonly seed: number }
  | { readonly ask: 'watch'; readonly readyAtMs: number };

/** Reconnects of the clients of one process. Times are `Date.now()`. */
export interface StormReturns {
  /** Clients that were not open in the end. */
  readonly missing: number;
  /** Connections begun, and those that were accepted, since the platform was ready. */
  readonly begunAtMs: readonly number[];
  readonly acceptedAtMs: readonly number[];
  /** Clients that had used up their budget and needed the visitor's button. */
  readonly buttons: number;
  /** Clients that came back with another session. */
  readonly renewed: number;
  /** Processor time of this process since it was asked to watch, in milliseconds. */
  readonly cpuMs: number;
}

/** From a process of clients. */
export type StormReport =
  | { readonly kind: 'open' }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'returns'; readonly returns: StormReturns };

const AT_ONCE = 50;
const PATIENCE_MS = 600_000;
// Checking thousands of clients would use the platform's processor time, so their sockets report when they are back.
const LOOK_EVERY_MS = 1_000;

const machineClock: ClockPort = {
  now: () => Date.now(),
  setTimer(callback, delayMs) {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
};
const tabs: NodeTab[] = [];
const begunAtMs: number[] = [];
const acceptedAtMs: number[] = [];

/** Costs a fraction of Node's own: two cores have to carry all clients beside the measured system. */
class CountedWebSocket extends PlainWebSocket {
  constructor(address: string | URL) {
    super(address, { perMessageDeflate: false });
    begunAtMs.push(Date.now());
    this.addEventListener('open', () => acceptedAtMs.push(Date.now()));
  }
}
// Has all of the standard's that the client uses.
const webSocket = CountedWebSocket as unknown as typeof WebSocket;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const tell = (report: StormReport): void => {
  process.send?.(report);
};

async function open({ endpoint, clients, seed }: Extract<StormRequest, { ask: 'open' }>): Promise<void> {
  for (let opened = 0; opened < clients; opened += AT_ONCE) {
    const group = Array.from({ length: Math.min(AT_ONCE, clients - opened) }, (_, index) => {
      const dice = createDice(seed + opened + index);
      return new NodeTab({ endpoint, clock: machineClock, dice, webSocket });
    });
    tabs.push(...group);
    const givenUpAtMs = Date.now() + PATIENCE_MS;
    for (const tab of group) {
      for (;;) {
        const { connection, session } = await tab.view();
        if (connection === 'open') break;
        if (Date.now() > givenUpAtMs)
          throw new Error(`A client could not connect before the storm: ${connection}, ${session}.`);
        // Refusals by a machine that is too busy at first are not part of the measurement.
        if (connection === 'failed') await tab.reconnect();
        await pause(20);
      }
    }
  }
}

/** Resolves when all are open again, or time is up. */
async function watch(readyAtMs: number): Promise<StormReturns> {
  const cpuBefore = process.cpuUsage();
  const waiting = new Set(tabs);
  let buttons = 0;
  while (waiting.size > 0 && Date.now() - readyAtMs < PATIENCE_MS) {
    for (const tab of waiting) {
      const { connection } = await tab.view();
      if (connection === 'failed') {
        buttons += 1;
        await tab.reconnect();
      }
      if (connection === 'open') waiting.delete(tab);
    }
    await pause(LOOK_EVERY_MS);
  }
  const { user, system } = process.cpuUsage(cpuBefore);
  const traces = await Promise.all(tabs.map((tab) => tab.trace()));
  return {
    missing: waiting.size,
    begunAtMs: begunAtMs.filter((at) => at >= readyAtMs),
    acceptedAtMs: acceptedAtMs.filter((at) => at >= readyAtMs),
    buttons,
    cpuMs: (user + system) / 1_000,
    renewed: traces.filter(({ renewals }) => renewals > 0).length,
  };
}

process.on('message', (message) => {
  // Sent by `storm.ts` from the same type.
  const request = message as StormRequest;
  const work =
    request.ask === 'open'
      ? open(request).then((): StormReport => ({ kind: 'open' }))
      : watch(request.readyAtMs).then((returns): StormReport => ({ kind: 'returns', returns }));
  work.then(tell, (error: unknown) => tell({ kind: 'failed', reason: String(error) }));
});
// The parent process is done with this one.
process.on('disconnect', () => process.exit(0));
