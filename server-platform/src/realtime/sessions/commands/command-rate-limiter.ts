import { type CustomMap, SYSTEM_TEXTS } from 'natter/protocol';
import { transientSystemMessage } from '../../conversation/index.ts';
import type { MessagingContext } from '../../messaging-context.ts';
import { createTokenBucket, type TokenBucket } from '../../token-bucket.ts';
import type { ReplyTarget } from '../reply-target.ts';

/** The rate limit of one session's commands, and the warning that goes with it. Source: section 16; 5.6 row 9. */
export class CommandRateLimiter {
  readonly #context: MessagingContext;
  readonly #bucket: TokenBucket;
  #warnedAtMs = Number.NEGATIVE_INFINITY;

  constructor(context: MessagingContext) {
    const { frameBurst, framesPerSecond } = context.limits;
    this.#context = context;
    this.#bucket = createTokenBucket({ capacity: frameBurst, refillPerSecond: framesPerSecond });
  }

  /** Counts one command when it arrives, so that its wait earns it nothing. False when it exceeds the limit. */
  take(): boolean {
    return this.#bucket.take(this.#context.clock.now());
  }

  /** Warns the sender, unless one was warned within the last interval. */
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
