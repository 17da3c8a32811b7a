/*
 * One conversation, one socket, all tabs. The tab that holds the lock leads: it has the socket and the storage, and sends
 * its state to the others over a channel. They show it, and send the leader the commands of their visitors.
 *
 *                    out                follower                          leader
 * join               follower; leader where tabs cannot be shared         .
 * lock granted       .                  leader                            .
 * leader silent (1)  .                  leader: takes the lock away       .
 * lock taken away    .                  .                                 follower
 * later leader seen  .                  follows that one                  follower
 * leave, suspended   .                  out                               out
 * resumed            follower           .                                 .
 *
 * (1) Three questions long, while the page is visible. A tab that is closed or crashes releases its lock automatically; this is
 *     for one that is frozen or hangs.
 *
 * state         a follower that has come or has found a gap asks for a snapshot; then it gets a patch for every change
 * command       every message of a follower carries those that are not acknowledged, in the order in which they were given.
 *               The leader drops those that were executed; the state says which they are, and so does the storage for
 *               a new leader that has not got the last state
 * other version tabs of two releases have different names, so that each release has its own leader and its own socket
 *
 * No access token goes over the channel, and nothing that a script of this origin could not read in the storage anyway:
 * the transcript and the resume ticket. A new leader gets its credentials from the token proxy, as after a reload.
 */

import type { TabAction, TabCommand } from '../commands.ts';
import { STATE_VERSION } from '../conversation/conversation-state.ts';
import type { ClientPorts, TabChannel } from '../ports.ts';
import { createLeaderLock, type LeaderLock } from './leader-lock.ts';
import { createLeaderWatch, type LeaderWatch } from './leader-watch.ts';
import { applyPatch, createPatch } from './state-patch.ts';
import { type FollowerMessage, type LeaderMessage, readTabMessage } from './tab-messages.ts';

export interface TabsOptions<State> {
  readonly ports: Pick<ClientPorts, 'clock' | 'environment' | 'tabs'>;
  /** Of the conversation; the same in all tabs that share it. */
  readonly name: string;
  /** This tab has the socket from now on. */
  readonly onLead: () => void;
  /** It no longer has. */
  readonly onLeadershipLost: () => void;
  /** All state that a tab needs to continue from here. */
  readonly state: () => State;
  /** The leader's state, in a follower. */
  readonly onState: (state: State) => void;
  /** In the leader: an action of some tab, with the id of its command. */
  readonly execute: (action: TabAction, id?: string) => void;
  /** In a follower: its commands that no leader has acknowledged. */
  readonly pending: () => readonly TabCommand[];
}

/** One tab among those that share a conversation. */
export class Tabs<State extends object> {
  readonly #options: TabsOptions<State>;
  readonly #name: string;
  readonly #lock: LeaderLock;
  readonly #watch: LeaderWatch;
  readonly #stopListening: () => void;
  #channel: TabChannel | null = null;
  #isLeading = false;
  #hasJoined = false;
  #term = 0;
  /** Patches of this term that were sent, or applied; below 0 in a follower without a snapshot. */
  #sequence = -1;
  /** The state as the followers have it. */
  #replicated = {} as State;
  /** A follower has spoken since this tab leads: without any nothing is copied for the channel. */
  #hasFollowers = false;

  constructor(options: TabsOptions<State>) {
    const { ports } = options;
    this.#options = options;
    this.#name = `${options.name}:${STATE_VERSION}`;
    this.#lock = createLeaderLock({
      port: ports.tabs,
      name: this.#name,
      onAcquired: () => this.#lead(),
      onStolen: () => this.#follow(),
    });
    this.#watch = createLeaderWatch({
      ports,
      ask: () => this.ask(),
      onSilent: () => this.#lock.request(true),
    });
    this.#stopListening = ports.environment.onChange((change) => {
      if (change === 'suspended') this.#leave();
      else if (change === 'visible') this.ask();
      else if (change === 'resumed' && this.#hasJoined) this.join();
    });
  }

  /** Whether this tab ever took part. */
  get hasJoined(): boolean {
    return this.#hasJoined;
  }

  get isLeading(): boolean {
    return this.#isLeading;
  }

  /** False when it had joined already. */
  join(): boolean {
    if (this.#channel || this.#isLeading) return false;
    this.#hasJoined = true;
    try {
      this.#channel =
        this.#options.ports.tabs?.openChannel(this.#name, (given) => {
          const message = readTabMessage(given);
          if (message && 'term' in message) this.#onLeader(message);
          else if (message) this.#onFollower(message);
        }) ?? null;
    } catch {
      // A page with an opaque origin has no other tabs.
    }
    if (this.#channel) this.#follow();
    else this.#lead();
    return true;
  }

  /** Sends the changes to the followers; nothing in a tab that does not lead. */
  replicate(): void {
    if (!this.#isLeading || !this.#hasFollowers) return;
    const state = this.#options.state();
    const patch = createPatch(this.#replicated, state);
    if (!patch) return;
    this.#replicated = state;
    this.#sequence += 1;
    this.#post({ patch });
  }

  /** Asks the leader to answer, and sends it the pending commands. */
  ask(notice?: TabAction): void {
    const commands = this.#options.pending();
    const message: FollowerMessage = {
      version: STATE_VERSION,
      applied: this.#sequence,
      commands,
      notice,
    };
    this.#channel?.postMessage(message);
  }

  /** Executed here or by the leader; lost when there is none. */
  notify(action: TabAction): void {
    if (this.#isLeading) this.#options.execute(action);
    else this.ask(action);
  }

  /** Leaves for good. */
  destroy(): void {
    this.#stopListening();
    this.#leave();
  }

  #post(more?: Pick<LeaderMessage, 'state' | 'patch'>): void {
    this.#channel?.postMessage({
      version: STATE_VERSION,
      term: this.#term,
      sequence: this.#sequence,
      ...more,
    } satisfies LeaderMessage);
  }

  #lead(): void {
    this.#isLeading = true;
    this.#hasFollowers = false;
    // Later than any leader before it, known or not: a tab that has just come may find one that is frozen.
    this.#term = Math.max(this.#term + 1, this.#options.ports.clock.now());
    this.#sequence = 0;
    this.#watch.stop();
    this.#replicated = this.#options.state();
    this.#post({ state: this.#replicated });
    this.#options.onLead();
  }

  #follow(): void {
    this.#stopLeading();
    this.ask();
    this.#lock.request();
    this.#watch.start();
  }

  #stopLeading(): void {
    if (!this.#isLeading) return;
    this.#isLeading = false;
    this.#sequence = -1;
    this.#options.onLeadershipLost();
  }

  #leave(): void {
    this.#lock.release();
    this.#watch.stop();
    this.#stopLeading();
    this.#channel?.close();
    this.#channel = null;
  }

  #onFollower({ applied, commands, notice }: FollowerMessage): void {
    if (!this.#isLeading) return;
    const { execute, state } = this.#options;
    if (!this.#hasFollowers && applied < 0) {
      // It gets a snapshot, so that nothing has to be compared with the state in which this tab began to lead.
      this.#sequence += 1;
      this.#replicated = state();
    }
    this.#hasFollowers = true;
    for (const { id, action } of commands) execute(action, id);
    if (notice) execute(notice);
    this.replicate();
    if (!notice) this.#post(applied < 0 ? { state: this.#replicated } : {});
  }

  #onLeader(message: LeaderMessage): void {
    const { term, sequence } = message;
    const isLater = term > this.#term;
    if (term < this.#term || (this.#isLeading && !isLater)) return;
    this.#term = term;
    this.#watch.noteAnswer();
    if (this.#isLeading) this.#follow();
    const isWaiting = this.#sequence < 0;
    if (isLater) this.#sequence = -1;
    if (sequence === this.#sequence) return;
    const next = this.#read(message);
    if (!next) {
      this.#sequence = -1;
      // Asked for once: without an answer it is asked for again with the next sign of life.
      if (!isWaiting) this.ask();
      return;
    }
    this.#replicated = next;
    this.#sequence = sequence;
    this.#options.onState(next);
    // The leader sends patches as soon as it knows a follower.
    if (isLater) this.ask();
  }

  /** The leader's state after a message; `null` when a patch before it is missing. */
  #read({ sequence, state, patch }: LeaderMessage): State | null {
    if (state) return state as State;
    const isNext = this.#sequence >= 0 && sequence === this.#sequence + 1;
    return patch && isNext ? (applyPatch(this.#replicated, patch) as State) : null;
  }
}
