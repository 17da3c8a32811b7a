/*
 * All tabs share one conversation and one socket. The tab that holds the lock leads: it has the socket and the storage, and
 * sends its state to the followers over a channel. They show the state, and send their visitors' commands to the leader.
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
 * (1) For three requests, while the page is visible. A tab that is closed or crashes releases its lock automatically; this
 *     row is for one that is frozen or hangs.
 *
 * state         a follower that is new or has missed a patch requests a snapshot, and then gets a patch for every change
 * command       every message of a follower contains all unacknowledged commands, in their order. The leader drops those
 *               that were executed. The state names these, and so does the storage, for a new leader without the last
 *               state
 * other version the channels of two releases have different names, so that each release has its own leader and socket
 *
 * The channel carries the transcript and the resume ticket, which any script of this origin can read from the storage, but
 * no access token. A new leader gets its credentials from the token proxy, as after a reload.
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
  /** This tab no longer has the socket. */
  readonly onLeadershipLost: () => void;
  /** Complete state for another tab to continue from. */
  readonly state: () => State;
  /** Receives the leader's state in a follower. */
  readonly onState: (state: State) => void;
  /** Executes an action of any tab in the leader, with the id of its command. */
  readonly execute: (action: TabAction, id?: string) => void;
  /** Returns a follower's unacknowledged commands. */
  readonly pending: () => readonly TabCommand[];
}

/** One of the tabs that share a conversation. */
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
  /** Patches sent or applied in this term; below 0 in a follower without a snapshot. */
  #sequence = -1;
  /** The state as last sent to the followers. */
  #replicated = {} as State;
  /** True after the first follower message. Until then nothing is posted, which saves a structured clone. */
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

  /** Whether this tab has ever joined. */
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
        this.#options.ports.tabs?.openChannel(this.#name, (data) => {
          const message = readTabMessage(data);
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

  /** Sends changes to the followers; does nothing in a follower. */
  replicate(): void {
    if (!this.#isLeading || !this.#hasFollowers) return;
    const state = this.#options.state();
    const patch = createPatch(this.#replicated, state);
    if (!patch) return;
    this.#replicated = state;
    this.#sequence += 1;
    this.#post({ patch });
  }

  /** Requests a response from the leader, and sends it the pending commands. */
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

  /** Executed here or by the leader; lost if there is none. */
  notify(action: TabAction): void {
    if (this.#isLeading) this.#options.execute(action);
    else this.ask(action);
  }

  /** Leaves permanently. */
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
    // Higher than any earlier term, known or not, because a new tab may meet a frozen leader.
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
      // The first follower gets a snapshot, which spares comparing this tab's first state as leader with an earlier one.
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
      // Requested once; without a response it is repeated with the next request.
      if (!isWaiting) this.ask();
      return;
    }
    this.#replicated = next;
    this.#sequence = sequence;
    this.#options.onState(next);
    // The leader sends patches as soon as it knows of a follower.
    if (isLater) this.ask();
  }

  /** Returns the leader's state after a message; `null` when an earlier patch is missing. */
  #read({ sequence, state, patch }: LeaderMessage): State | null {
    if (state) return state as State;
    const isNext = this.#sequence >= 0 && sequence === this.#sequence + 1;
    return patch && isNext ? (applyPatch(this.#replicated, patch) as State) : null;
  }
}
