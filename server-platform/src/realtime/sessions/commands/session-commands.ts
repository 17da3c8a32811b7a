import type { ClientEvent, CustomMap } from 'natter/protocol';
import { isStaleOwner } from '../../session-loss.ts';
import type { ReplyTarget } from '../reply-target.ts';
import type { Session } from '../session.ts';
import { CommandRateLimiter } from './command-rate-limiter.ts';
import { createBufferedReply, type ForwardedCommand, type ForwardResult } from './forward-command.ts';
import { answerFailure, handleCommand, storeBeside } from './handle-command.ts';
import { ROUTE_GRACE_MS, routeCommand } from './route-command.ts';

/** Accepts a session's commands from local connections and from other nodes. */
export class SessionCommands {
  readonly #session: Session;
  readonly #rateLimiter: CommandRateLimiter;

  constructor(session: Session) {
    this.#session = session;
    this.#rateLimiter = new CommandRateLimiter(session.context);
  }

  /** Counts a frame on arrival. Returns false when it exceeds the rate limit: it is dropped and its sender warned. */
  admit(custom: CustomMap | null, reply: Pick<ReplyTarget, 'deliver'>): boolean {
    if (this.#rateLimiter.take()) return true;
    this.#rateLimiter.warn(custom, reply);
    return false;
  }

  /** Warns the sender of a frame that is dropped because its address or project exceeded its byte limit. */
  warn(custom: CustomMap | null, reply: Pick<ReplyTarget, 'deliver'>): void {
    this.#rateLimiter.warn(custom, reply);
  }

  /**
   * Handles or forwards one command of a local connection, after all earlier ones. A command that arrives after a
   * release is not acknowledged, so the client resends it to the next owner. Never rejects.
   */
  async dispatch(command: ClientEvent, reply: ReplyTarget): Promise<void> {
    const { clock, lease } = this.#session.context;
    // Counted from arrival: a message that the client has given up must not be stored later (DEL-4).
    const giveUpAtMs = clock.now() + lease.durationMs + ROUTE_GRACE_MS;
    try {
      await this.#session.queue.runBeside(
        () => storeBeside(this.#session, command, reply),
        () => routeCommand(this.#session, command, reply, giveUpAtMs),
      );
    } catch (error) {
      answerFailure(this.#session, error, command, reply);
    }
  }

  /** Handles a command that another node forwarded, if this node owns the session. */
  async receive({ event, draftId, isAdmitted }: ForwardedCommand): Promise<ForwardResult> {
    const isWithinRateLimit = this.#rateLimiter.take() && isAdmitted;
    const reply = createBufferedReply();
    return await this.#session.queue.run(async () => {
      if (this.#session.isOver) return reply.result();
      if (this.#session.isReleased || !this.#session.isOwned) return { status: 'not_owner' };
      this.#session.noteActivity();
      try {
        if (isWithinRateLimit) await handleCommand(this.#session, event, reply, draftId);
        else this.#rateLimiter.warn(event.custom, reply);
      } catch (error) {
        if (isStaleOwner(error)) return { status: 'not_owner' };
        answerFailure(this.#session, error, event, reply);
      }
      return reply.result();
    });
  }
}
