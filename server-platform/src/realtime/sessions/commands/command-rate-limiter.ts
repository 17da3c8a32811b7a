import { type CustomMap, SYSTEM_TEXTS } from 'natter/protocol';
import { transientSystemMessage } from '../../conversation/index.ts';
import type { MessagingContext } from '../../messaging-context.ts';
import { createTokenBucket, type TokenBucket } from '../../token-bucket.ts';
import type { ReplyTarget } from '../reply-target.ts';

/** Rate limit of one session's commands, with its warning. Source: section 16; 5.6 row 9. */
export class CommandRateLimiter {
  readonly #context: MessagingContext;
  readonly #bucket: TokenBucket;
  #warnedAtMs = Number.NEGATIVE_INFINITY;

  constructor(context: MessagingContext) {
    const { frameBurst, framesPerSecond } = context.limits;
    this.#context = context;
    this.#bucket = createTokenBucket({ capacity: frameBurst, refillPerSecond: framesPerSecond });
  }

  /** Counts a command on arrival, so that queueing does not refill its allowance. False when it exceeds the limit. */
  take(): boolean {
    return this.#bucket.take(this.#context.clock.now());
  }

  /** Warns the sender, at most once per interval. */
  warn(custom: CustomMap | null, reply: Pick<ReplyTarget, 'deliver'>): void {
    const { clock, limits, observer } = this.#context;
    const nowMs = clock.now();
    observer.frameReceived('rate_limited');
    if (nowMs - this.#warnedAtMs < limits.rateWarningIntervalMs) return;
    this.#warnedAtMs = nowMs;
    reply.deliver(
      transientSystemMessage(nowMs, 'SYSTEM_MESSAGE_LEVEL_WARNING', SYSTEM_TEXTS.rateLimited, custom),
    );
  }
}
