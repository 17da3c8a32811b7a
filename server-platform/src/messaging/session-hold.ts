import { SYSTEM_TEXTS } from 'natter/protocol';
import { isDatabaseError, type Session, type SessionPatch, type Takeover } from '../db/index.ts';
import { settleWait } from '../external-events/index.ts';
import { pause } from './clock.ts';
import { ConversationHistory } from './conversation-history.ts';
import { type LoadedSession, readSessionBack } from './load-session.ts';
import { recordBrokenTurn } from './session-record.ts';
import type { SessionServices } from './session-services.ts';
import { isSessionLoss, SessionLossError, SessionWriter } from './session-writer.ts';
import { systemError } from './system-message.ts';

/** How a session is claimed. */
export interface ClaimOptions {
  /** Whether to wait for the lease of an owner that cannot be asked. Default true. */
  readonly isPatient?: boolean;
}

/** What a hold tells its session. */
export interface SessionHoldEvents {
  /** This node owns the session under this epoch; what was left unfinished is handed over. */
  readonly onClaimed: (loaded: LoadedSession, session: Session) => void;
  /** An append failed in a way that leaves doubt about the log, or another node took the session. */
  readonly onDoubt: (error: unknown) => void;
}

// A node that died keeps its lease for as long as it lasts; the claim waits that long and this much more.
const CLAIM_PATIENCE_MS = 1_000;
const CLAIM_RETRY_MS = 500;

/** This node's grip on one session: what is known of it, and the writer while this node owns it. */
export class SessionHold {
  readonly #services: SessionServices;
  readonly #events: SessionHoldEvents;
  #facts: Session;
  #history = new ConversationHistory();
  #writer: SessionWriter | null = null;
  #owner: string | null;
  /** An owner that said that it is none any more. */
  #resigned: string | null = null;
  #claiming: Promise<SessionWriter> | null = null;

  constructor(services: SessionServices, facts: Session, events: SessionHoldEvents) {
    this.#services = services;
    this.#facts = facts;
    this.#owner = facts.ownerNode;
    this.#events = events;
  }

  get facts(): Session {
    return this.#facts;
  }

  get history(): ConversationHistory {
    return this.#history;
  }

  get isClaiming(): boolean {
    return this.#claiming !== null;
  }

  get isOwned(): boolean {
    return this.#writer !== null;
  }

  /** The other node that owns the session, as far as this one knows. */
  get owner(): string | null {
    return this.isOwned || this.#owner === this.#services.lease.node ? null : this.#owner;
  }

  set owner(owner: string | null) {
    this.#owner = owner;
  }

  /** That node does not have the session any more, though its lease may last. */
  noteResigned(owner: string): void {
    this.#resigned = owner;
  }

  /** Keeps what is known in step with what was stored. */
  apply(patch: Partial<Session> | SessionPatch): void {
    const known = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
    this.#facts = { ...this.#facts, ...known };
  }

  /**
   * The session's writer; claims the session and reads it back when this node does not own it. Rejects with a
   * `SessionLossError` when it is over, or another node owns it: at once when that one can be asked or `isPatient` is
   * false, otherwise when its lease should have run out.
   */
  writer({ isPatient = true }: ClaimOptions = {}): Promise<SessionWriter> {
    if (this.#writer !== null) return Promise.resolve(this.#writer);
    this.#claiming ??= this.#claim(isPatient).finally(() => {
      this.#claiming = null;
    });
    return this.#claiming;
  }

  /** Forgets the writer: the next use claims the session again. */
  release(): void {
    this.#writer = null;
  }

  async #claim(isPatient: boolean): Promise<SessionWriter> {
    const { database, log, bus, clock, activity } = this.#services;
    const session = await this.#claimRow(isPatient);
    const loaded = await readSessionBack(database, log, session);
    const writer = new SessionWriter({
      sessionId: session.id,
      epoch: session.ownerEpoch,
      log,
      bus,
      clock,
      onCommitted: (event) => this.#history.apply(event),
      onActivityStored: (atMs) => activity.settle(session.id, atMs),
      onFailure: (error) => this.#onWriteFailure(error, writer),
    });
    this.#history = loaded.history;
    await endBrokenAnswers(writer, loaded, session.conversationId, clock.now());
    this.#facts = { ...session, vocabulary: this.#facts.vocabulary ?? session.vocabulary };
    this.#writer = writer;
    this.#events.onClaimed(loaded, session);
    return writer;
  }

  async #claimRow(isPatient: boolean): Promise<Session> {
    const { lease, clock, peers } = this.#services;
    const giveUpAtMs = clock.now() + (isPatient ? lease.durationMs + CLAIM_PATIENCE_MS : 0);
    for (;;) {
      const claim = await lease.claim(this.#facts.id, this.#whoFrom());
      this.#resigned = null;
      if (claim.status === 'claimed') {
        this.#owner = lease.node;
        return claim.session;
      }
      if (claim.status === 'closed' || claim.status === 'missing') {
        this.apply({ endedAtMs: this.#facts.endedAtMs ?? clock.now() });
        throw new SessionLossError(`session_${claim.status}`);
      }
      this.#owner = claim.node;
      if (peers.canReach(claim.node) || clock.now() >= giveUpAtMs)
        throw new SessionLossError('stale_owner', claim.node);
      await pause(clock, CLAIM_RETRY_MS);
    }
  }

  /** From whom the session may be taken before its lease runs out. */
  #whoFrom(): Takeover | null {
    const { owner } = this;
    const { peers } = this.#services;
    if (owner === null || !peers.isShared) return null;
    if (this.#resigned === owner) return { from: owner, isIdleOnly: false };
    return peers.canReach(owner) ? null : { from: owner, isIdleOnly: true };
  }

  #onWriteFailure(error: unknown, writer: SessionWriter): void {
    // After the end, and under overload, nothing was written and nothing is in doubt.
    if (isSessionLoss(error) && error.code !== 'stale_owner') return;
    if (isDatabaseError(error) && error.code === 'overloaded') return;
    if (this.#writer === writer) this.#events.onDoubt(error);
  }
}

/** Answers that broke off with their owner end with the contract's text, so that the conversation goes on (STR-3). */
async function endBrokenAnswers(
  writer: SessionWriter,
  loaded: LoadedSession,
  conversationId: string | null,
  finishedAtMs: number,
): Promise<void> {
  for (const broken of loaded.broken) {
    const turn = { id: broken.input.id, state: 'failed' as const, finishedAtMs };
    const record =
      conversationId === null
        ? undefined
        : { id: conversationId, turns: [recordBrokenTurn(broken, finishedAtMs)] };
    await writer.append([systemError(SYSTEM_TEXTS.streamBroken)], { turn, record });
  }
  if (loaded.hasOrphanStream) await writer.append([systemError(SYSTEM_TEXTS.streamBroken)]);
  for (const wait of loaded.brokenWaits)
    await writer.append([], { also: (sql) => settleWait(sql, wait, finishedAtMs) });
}
