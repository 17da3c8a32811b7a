/*
 * One conversation, one socket, all tabs. The tab that holds the lock leads: it has the socket and the storage, and sends
 * its state to the others over a channel. They show it, and send the leader the commands of their visitors.
 *
 *                    out                follower                          leader
 * join               follower; leader where tabs cannot be shared         .
 * lock granted       .                  leader                            .
 * leader silent (1)  .                  leader: takes the lock away       .
 * lock taken away    .                  .                                 follower
 * later leader heard .                  follows that one                  follower
 * leave, suspended   .                  out                               out
 * resumed            follower           .                                 .
 *
 * (1) Three questions long, while the page is visible. A tab that is closed or crashes releases its lock by itself; this is
 *     for one that is frozen or hangs.
 *
 * state         a follower that has come or has found a gap asks for a snapshot; then it gets a patch for every change
 * command       every message of a follower carries those that are not acknowledged, in the order in which they were given.
 *               The leader drops those that were executed; the state says which they are
 * other version tabs of two releases have different names, so that each release has its own leader and its own socket
 *
 * No access token goes over the channel, and nothing that a script of this origin could not read in the storage anyway:
 * the transcript and the resume ticket. A new leader gets its credentials from the token proxy, as after a reload.
 */
import { STATE_VERSION } from '../conversation/conversation-state.ts';
import type { ClientPorts, TabChannel } from '../ports.ts';
import { createLeaderLock } from './leader-lock.ts';
import { createLeaderWatch } from './leader-watch.ts';
import { applyPatch, createPatch } from './state-patch.ts';
import type { TabAction, TabCommand } from './tab-command.ts';
import { type FollowerMessage, type LeaderMessage, readTabMessage } from './tab-messages.ts';

export interface TabsOptions<State> {
  readonly ports: Pick<ClientPorts, 'clock' | 'environment' | 'tabs'>;
  /** Of the conversation; the same in all tabs that share it. */
  readonly name: string;
  /** This tab has the socket from now on. */
  readonly onLead: () => void;
  /** It no longer has. */
  readonly onLeadershipLost: () => void;
  /** Everything a tab needs to go on from here. */
  readonly state: () => State;
  /** The leader's state, in a follower. */
  readonly onState: (state: State) => void;
  /** In the leader: an action of some tab, with the id of its command. */
  readonly execute: (action: TabAction, id?: string) => void;
  /** In a follower: its commands that no leader has acknowledged. */
  readonly pending: () => readonly TabCommand[];
}

export interface Tabs {
  readonly isLeading: boolean;
  /** False when it had joined already. */
  join(): boolean;
  /** Sends what has changed to the followers; nothing in a tab that does not lead. */
  replicate(): void;
  /** Asks the leader to answer, and sends it the pending commands. */
  ask(): void;
  /** Executed here or by the leader; lost when there is none. */
  notify(action: TabAction): void;
  /** Leaves for good. */
  destroy(): void;
}

export function createTabs<State extends object>(options: TabsOptions<State>): Tabs {
  const { ports, execute } = options;
  const { clock, environment } = ports;
  const name = `${options.name}:${STATE_VERSION}`;
  let channel: TabChannel | null = null;
  let isLeading = false;
  let hasJoined = false;
  let term = 0;
  /** Patches of this term that were sent, or applied; below 0 in a follower without a snapshot. */
  let sequence = -1;
  /** The state as the followers have it. */
  let replicated = {} as State;
  /** A follower has spoken since this tab leads: without any nothing is copied for the channel. */
  let hasFollowers = false;

  const post = (more?: Pick<LeaderMessage, 'state' | 'patch'>): void =>
    channel?.postMessage({ version: STATE_VERSION, term, sequence, ...more } satisfies LeaderMessage);

  function ask(notice?: TabAction): void {
    const commands = options.pending();
    const message: FollowerMessage = { version: STATE_VERSION, applied: sequence, commands, notice };
    channel?.postMessage(message);
  }

  const lock = createLeaderLock({ port: ports.tabs, name, onAcquired: lead, onStolen: follow });
  const watch = createLeaderWatch({ ports, ask: () => ask(), onSilent: () => lock.request(true) });

  function lead(): void {
    isLeading = true;
    hasFollowers = false;
    // Later than any leader before it, known or not: a tab that has just come may find one that is frozen.
    term = Math.max(term + 1, clock.now());
    sequence = 0;
    watch.stop();
    replicated = options.state();
    post({ state: replicated });
    options.onLead();
  }

  function stopLeading(): void {
    if (!isLeading) return;
    isLeading = false;
    sequence = -1;
    options.onLeadershipLost();
  }

  function follow(): void {
    stopLeading();
    ask();
    lock.request();
    watch.start();
  }

  function replicate(): void {
    if (!isLeading || !hasFollowers) return;
    const state = options.state();
    const patch = createPatch(replicated, state);
    if (!patch) return;
    replicated = state;
    sequence += 1;
    post({ patch });
  }

  function onFollower({ applied, commands, notice }: FollowerMessage): void {
    if (!isLeading) return;
    if (!hasFollowers && applied < 0) {
      // It gets a snapshot, so that nothing has to be compared with the state in which this tab began to lead.
      sequence += 1;
      replicated = options.state();
    }
    hasFollowers = true;
    for (const { id, action } of commands) execute(action, id);
    if (notice) execute(notice);
    replicate();
    if (!notice) post(applied < 0 ? { state: replicated } : {});
  }

  function onLeader({ term: latest, sequence: sent, state, patch }: LeaderMessage): void {
    const isLater = latest > term;
    if (latest < term || (isLeading && !isLater)) return;
    term = latest;
    watch.noteAnswer();
    if (isLeading) follow();
    const isWaiting = sequence < 0;
    if (isLater) sequence = -1;
    if (sent === sequence) return;
    if (state) replicated = state as State;
    else if (patch && sequence >= 0 && sent === sequence + 1)
      replicated = applyPatch(replicated, patch) as State;
    else {
      sequence = -1;
      // Asked for once: without an answer it is asked for again with the next sign of life.
      if (!isWaiting) ask();
      return;
    }
    sequence = sent;
    options.onState(replicated);
    // The leader sends patches as soon as it has heard of a follower.
    if (isLater) ask();
  }

  function join(): boolean {
    if (channel || isLeading) return false;
    hasJoined = true;
    try {
      channel =
        ports.tabs?.openChannel(name, (given) => {
          const message = readTabMessage(given);
          if (message && 'term' in message) onLeader(message);
          else if (message) onFollower(message);
        }) ?? null;
    } catch {
      // A page without an origin of its own: it has no other tabs either.
    }
    if (channel) follow();
    else lead();
    return true;
  }

  function leave(): void {
    lock.release();
    watch.stop();
    stopLeading();
    channel?.close();
    channel = null;
  }

  const stopListening = environment.onChange((change) => {
    if (change === 'suspended') leave();
    else if (change === 'visible') ask();
    else if (change === 'resumed' && hasJoined) join();
  });

  return {
    get isLeading() {
      return isLeading;
    },
    join,
    replicate,
    ask,
    notify(action) {
      if (isLeading) execute(action);
      else ask(action);
    },
    destroy() {
      stopListening();
      leave();
    },
  };
}
