/*
 * One conversation, one socket, all tabs. Whoever holds the lock leads: it has the socket and the storage, and
 * tells the others over a channel what happens. They mirror it, and ask it for what their visitor does.
 *
 *                    out                follower                          leader
 * join               follower; leader where tabs cannot be shared         .
 * lock granted       .                  leader                            .
 * leader silent (1)  .                  leader: takes the lock away       .
 * lock taken away    .                  .                                 follower
 * later leader heard .                  mirrors that one                  follower
 * leave, suspended   .                  out                               out
 * resumed            follower           .                                 .
 *
 * (1) Three questions long, while the page is looked at. A tab that is closed or crashes gives its lock back by
 *     itself; this is for one that is frozen or hangs.
 *
 * No access token goes over the channel. What goes, every script of this origin could read in the storage anyway:
 * the transcript and the resume ticket. A new leader gets its pair from the token proxy, as after a reload.
 */
import type { ClientPorts, TabChannel } from '../ports.ts';
import { createTimer } from '../timer.ts';
import { type FollowerMessage, type LeaderMessage, readTabMessage } from './tab-messages.ts';

export interface TabsOptions<State, Step, Ask> {
  readonly ports: Pick<ClientPorts, 'clock' | 'environment' | 'tabs'>;
  /** Of the conversation; the same in all tabs that share it. */
  readonly name: string;
  /** This tab has the socket from now on. */
  readonly onLead: () => void;
  /** It no longer has. */
  readonly onDeposed: () => void;
  /** Everything a tab needs to go on from here. */
  readonly state: () => State;
  readonly adopt: (state: State) => void;
  readonly mirror: (step: Step) => void;
  /** Does what the visitor of some tab asked for. */
  readonly carryOut: (ask: Ask) => void;
}

export interface Tabs<Step, Ask> {
  readonly isLeading: boolean;
  /** False when it had joined already. */
  join(): boolean;
  /** Tells the other tabs; nothing in a tab that does not lead. */
  postStep(step: Step): void;
  postState(): void;
  /** Carried out here or by the leader; lost when there is none. */
  ask(ask: Ask): void;
  /** Leaves for good. */
  destroy(): void;
}

/** How often a tab that is looked at asks for a sign of life: three of them and a resume fit into 2 s. */
const PING_EVERY_MS = 500;
const MAX_SILENCE = 2;

export function createTabs<State, Step, Ask>(options: TabsOptions<State, Step, Ask>): Tabs<Step, Ask> {
  const { ports, name } = options;
  const { environment } = ports;
  const watchTimer = createTimer(ports.clock);
  let channel: TabChannel | null = null;
  let isLeading = false;
  let hasJoined = false;
  let term = 0;
  let number = -1;
  /** Another tab has spoken since this one leads: what nobody hears is not copied for the channel. */
  let isHeard = false;
  /** Questions since the leader was last heard. */
  let silence = 0;
  /** Of the lock, or of the wait for it. */
  let life = new AbortController();

  /** As the one that leads. */
  const tell = (more?: Pick<LeaderMessage<State, Step>, 'state' | 'step'>): void =>
    channel?.postMessage({ leader: term, number, ...more } satisfies LeaderMessage<State, Step>);
  const tellAll = (): void => tell({ state: options.state() });
  /** To the one that leads. */
  const say = (more?: Pick<FollowerMessage<Ask>, 'ask'>): void =>
    channel?.postMessage({ follower: number, ...more } satisfies FollowerMessage<Ask>);

  function lead(): void {
    isLeading = true;
    // Later than any leader before it, known or not: a tab that has just come may find one that is frozen.
    term = Math.max(term + 1, ports.clock.now());
    number = 0;
    watchTimer.clear();
    tellAll();
    options.onLead();
  }

  function depose(): void {
    isLeading = false;
    isHeard = false;
    number = -1;
    options.onDeposed();
  }

  function follow(): void {
    if (isLeading) depose();
    say();
    void contend();
    watch();
  }

  async function contend(steal = false): Promise<void> {
    life.abort();
    life = new AbortController();
    const { signal } = life;
    const hold = (): Promise<void> =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve());
        if (signal.aborted) resolve();
        else lead();
      });
    try {
      await ports.tabs?.lock(name, steal ? { steal } : { signal }, hold);
    } catch {
      // Given up by this tab, taken away by another, or there are no locks in a page like this one.
      if (signal.aborted) return;
      if (isLeading) follow();
      else lead();
    }
  }

  function watch(): void {
    watchTimer.set(PING_EVERY_MS, () => {
      watch();
      silence = environment.isVisible() ? silence + 1 : 0;
      if (silence > MAX_SILENCE) {
        silence = 0;
        void contend(true);
      } else if (silence > 0) say();
    });
  }

  function hear(given: unknown): void {
    const message = readTabMessage<State, Step, Ask>(given);
    if (!message) return;
    if ('follower' in message) {
      if (!isLeading) return;
      isHeard = true;
      if (message.follower < 0) tellAll();
      else if (!message.ask) tell();
      if (message.ask) options.carryOut(message.ask);
      return;
    }
    const isLater = message.leader > term;
    if (message.leader < term || (isLeading && !isLater)) return;
    if (isLeading) follow();
    silence = 0;
    term = message.leader;
    const { state, step } = message;
    if (state) {
      number = message.number;
      options.adopt(state);
      if (isLater) say();
    } else if (isLater || (number >= 0 && message.number !== number + (step ? 1 : 0))) {
      number = -1;
      say();
    } else if (step && number >= 0) {
      number = message.number;
      options.mirror(step);
    }
  }

  function join(): boolean {
    if (channel || isLeading) return false;
    hasJoined = true;
    try {
      channel = ports.tabs?.openChannel(name, hear) ?? null;
    } catch {
      // A page without an origin of its own: it has no other tabs either.
    }
    if (channel) follow();
    else lead();
    return true;
  }

  function leave(): void {
    life.abort();
    watchTimer.clear();
    if (isLeading) depose();
    channel?.close();
    channel = null;
  }

  const stopListening = environment.onChange((change) => {
    if (change === 'suspended') leave();
    else if (change === 'visible') say();
    else if (change === 'resumed' && hasJoined) join();
  });

  return {
    get isLeading() {
      return isLeading;
    },
    join,
    postStep(step) {
      if (!isLeading) return;
      number += 1;
      if (isHeard) tell({ step });
    },
    postState() {
      if (isHeard) tellAll();
    },
    ask(ask) {
      if (isLeading) options.carryOut(ask);
      else say({ ask });
    },
    destroy() {
      stopListening();
      leave();
    },
  };
}
