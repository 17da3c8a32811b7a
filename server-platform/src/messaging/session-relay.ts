import { randomUUID } from 'node:crypto';
import { CLOSE_CODES, type ClientEvent, type OutgoingEvent } from 'natter/protocol';
import { isPeerError } from '../bus/index.ts';
import { pause } from './clock.ts';
import type { SessionHold } from './session-hold.ts';
import type { SessionIntake, TakeOptions } from './session-intake.ts';
import type { SessionServices } from './session-services.ts';
import { isSessionLoss } from './session-writer.ts';
import type { FrameSender } from './socket-connection.ts';

/** An event of a client on its way to the node that owns the session. */
export interface ForwardedInput {
  readonly sessionId: string;
  readonly event: ClientEvent;
  /** Stands for the client's draft id where it gave none: what is forwarded twice is stored once. */
  readonly draftId: string;
  /** Whether it came within the rate limit where it arrived: on its way it must not earn a place. */
  readonly isAdmitted: boolean;
}

/** An event that the owner has dealt with. */
interface TakenInput {
  readonly status: 'taken';
  /** For the sender alone, in order. */
  readonly delivered: readonly OutgoingEvent[];
  /** The answer to an event that was refused for a fault of the client's. A node of an earlier release leaves it out. */
  readonly refusal?: OutgoingEvent | null;
  readonly close: { readonly code: number; readonly reason: string } | null;
}

/** What became of it: `not_owner` means that nothing was done. */
export type InputResult = TakenInput | { readonly status: 'not_owner' };

/** What a relay needs from its session. */
export interface RelayHost {
  readonly services: SessionServices;
  readonly session: {
    readonly isOver: boolean;
    readonly isReleased: boolean;
    noteActivity(): void;
  };
  readonly hold: SessionHold;
  readonly intake: SessionIntake;
  inOrder<T>(work: () => Promise<T>): Promise<T>;
  /** Handles the event on this node. Rejects with a `SessionLossError` when that turns out not to be the owner. */
  take(event: ClientEvent, sender: FrameSender, how: TakeOptions): Promise<void>;
}

// An owner that works answers in milliseconds. After this the session is asked for again, under the same draft id.
const ANSWER_MS = 5_000;
const TYPING_ANSWER_MS = 1_000;
const RETRY_MS = 100;
// Beyond the lease of an owner that died.
const PATIENCE_MS = 2_000;

/**
 * Brings what clients send to whoever owns their session:
 *
 * | the owner is              | then                                                                              |
 * |---------------------------|-----------------------------------------------------------------------------------|
 * | this node, or nobody      | it is handled here                                                                |
 * | another one, reachable    | it goes there, and what that node has to say to the sender comes back             |
 * | another one, out of reach | the session is taken over: at once when no turn is open there, else with its lease |
 *
 * What cannot be placed in time closes the socket with 1013: the client comes back and sends it again.
 */
export class SessionRelay {
  readonly #host: RelayHost;

  constructor(host: RelayHost) {
    this.#host = host;
  }

  /**
   * Handles or forwards one event of a socket of this node, after those before it. What comes after a release is not
   * acknowledged, and sent again to whoever has the session next. Never rejects.
   */
  async accept(event: ClientEvent, sender: FrameSender): Promise<void> {
    const { intake } = this.#host;
    const { clock, lease } = this.#host.services;
    // Counted from its arrival: a client that has given a message up must not find it stored later (DEL-4).
    const giveUpAtMs = clock.now() + lease.durationMs + PATIENCE_MS;
    try {
      await this.#host.inOrder(() => this.#place(event, sender, giveUpAtMs));
    } catch (error) {
      intake.answerFailure(error, event, sender);
    }
  }

  /** Handles an event that another node forwarded, if this one owns the session. */
  async receive({ event, draftId, ...input }: ForwardedInput): Promise<InputResult> {
    const { intake, hold, session } = this.#host;
    const isAdmitted = intake.takeFromBucket() && input.isAdmitted;
    const sender = createDistantSender();
    return await this.#host.inOrder(async () => {
      if (session.isOver) return sender.result();
      if (session.isReleased || !(hold.isOwned || hold.isClaiming)) return { status: 'not_owner' };
      session.noteActivity();
      try {
        await this.#host.take(event, sender, { isAdmitted, draftId });
      } catch (error) {
        if (isStaleOwner(error)) return { status: 'not_owner' };
        intake.answerFailure(error, event, sender);
      }
      return sender.result();
    });
  }

  async #place(event: ClientEvent, sender: FrameSender, giveUpAtMs: number): Promise<void> {
    const isAdmitted = true;
    const { hold, services } = this.#host;
    const { peers, clock } = services;
    if (this.#isClosed()) return;
    if (!peers.isShared) {
      // A claim reads the log, which may hold an open survey.
      if (!isPassing(event)) await hold.writer();
      await this.#host.take(event, sender, { isAdmitted, draftId: null });
      return;
    }
    if (isPassing(event)) {
      await this.#pass(event, sender);
      return;
    }
    const draftId = randomUUID();
    for (let isFirst = true; !this.#isClosed(); isFirst = false) {
      if (!hold.isOwned && clock.now() >= giveUpAtMs) {
        sender.close(CLOSE_CODES.overload, 'come back');
        return;
      }
      try {
        await hold.writer();
        await this.#host.take(event, sender, { isAdmitted, draftId: isFirst ? null : draftId });
        return;
      } catch (error) {
        if (!isStaleOwner(error)) throw error;
      }
      const input: ForwardedInput = { sessionId: hold.facts.id, event, draftId, isAdmitted };
      if (await this.#forward(input, sender)) return;
      await pause(clock, RETRY_MS);
    }
  }

  /** False when the owner did not take it, or did not say so. */
  async #forward(input: ForwardedInput, sender: FrameSender): Promise<boolean> {
    const { hold, services } = this.#host;
    const { owner } = hold;
    if (owner === null) return false;
    try {
      const result = readResult(await services.peers.call(owner, 'input', input, ANSWER_MS));
      if (result.status === 'not_owner') hold.noteResigned(owner);
      else deliver(result, sender);
      return result.status === 'taken';
    } catch (error) {
      // Whatever became of it: under its draft id it may go there again, or to the next owner.
      if (isPeerError(error)) return false;
      throw error;
    }
  }

  /** What leaves no trace in the log is worth no change of owners, and not missed when it is lost. */
  async #pass(event: ClientEvent, sender: FrameSender): Promise<void> {
    const isAdmitted = true;
    const { hold, services } = this.#host;
    const { owner } = hold;
    if (owner === null || !services.peers.canReach(owner)) {
      await this.#host.take(event, sender, { isAdmitted, draftId: null });
      return;
    }
    const input: ForwardedInput = { sessionId: hold.facts.id, event, draftId: '', isAdmitted };
    try {
      const result = readResult(await services.peers.call(owner, 'input', input, TYPING_ANSWER_MS));
      if (result.status === 'taken') deliver(result, sender);
    } catch (error) {
      if (!isPeerError(error)) throw error;
    }
  }

  #isClosed(): boolean {
    const { session } = this.#host;
    return session.isOver || session.isReleased;
  }
}

/** Collects what the owner's side says to a sender on another node. */
function createDistantSender(): FrameSender & { readonly result: () => TakenInput } {
  const delivered: OutgoingEvent[] = [];
  let refusal: OutgoingEvent | null = null;
  let close: { readonly code: number; readonly reason: string } | null = null;
  return {
    deliver: (event) => void delivered.push(event),
    refuse(answer) {
      refusal ??= answer;
    },
    close(code, reason) {
      close ??= { code, reason };
    },
    result: () => ({ status: 'taken', delivered, refusal, close }),
  };
}

/** An event that leaves no trace in the log. */
function isPassing({ type }: ClientEvent): boolean {
  return (
    type === 'EVENT_TYPE_USER_TYPING' ||
    type === 'EVENT_TYPE_USER_RECEIVED_MESSAGE' ||
    type === 'EVENT_TYPE_USER_READ_MESSAGE'
  );
}

function isStaleOwner(error: unknown): boolean {
  return isSessionLoss(error) && error.code === 'stale_owner';
}

/** The answer of a `receive` on another node. */
function readResult(answer: unknown): InputResult {
  return answer as InputResult;
}

function deliver({ delivered, refusal = null, close }: TakenInput, sender: FrameSender): void {
  for (const event of delivered) sender.deliver(event);
  if (refusal !== null) sender.refuse(refusal);
  if (close !== null) sender.close(close.code, close.reason);
}
