import {
  judgeWebhookAnswer,
  nextWebhookDelayMs,
  type WebhookHeaderStyle,
  writeWebhookHeaders,
} from '@natter/sdk';
import { TraceContext } from '@natter/server-kit/trace-context';
import type { SecretVault } from '../../accounts/tokens/index.ts';
import type { Database } from '../../db/index.ts';
import type { Clock } from '../../kit/clock.ts';
import {
  type ClaimedDelivery,
  claimDeliveries,
  type DeliveryOutcome,
  nextDeliveryAtMs,
  releaseClaims,
  removeDeliveriesFinishedBefore,
  settleDelivery,
} from './deliveries.ts';
import type { SendWebhook, SentWebhook } from './send-webhook.ts';

/** Options of {@link WebhookDeliverer}. */
export interface WebhookDelivererOptions {
  readonly database: Database;
  readonly vault: SecretVault;
  readonly clock: Clock;
  /** Makes one attempt; never rejects. */
  readonly send: SendWebhook;
  /** Name of this node. If only one process can have it at a time, its old claims are released at the start. */
  readonly node: string;
  readonly headerStyle: WebhookHeaderStyle;
  readonly userAgent: string;
  /** Called after an attempt. Default: not counted. */
  readonly onAttempt?: (outcome: 'delivered' | 'retried' | 'given_up', durationMs: number) => void;
  /** Called when a delivery is given up. Source: WD-8. */
  readonly onDead: (delivery: ClaimedDelivery, outcome: string) => void;
  readonly onFailure: (what: string, error: unknown) => void;
}

// Low enough not to load the event loop.
const MAX_ATTEMPTS_AT_ONCE = 32;
// Limits an account whose receivers always time out; the rest is left for other accounts.
const MAX_ATTEMPTS_OF_ACCOUNT = 4;
// Another node may have queued a delivery, or died during an attempt.
const LOOK_EVERY_MS = 10_000;
// Another node is claiming a due delivery that cannot be claimed.
const SHORTEST_WAIT_MS = 50;
// Long enough to investigate an event.
const KEEP_FINISHED_MS = 7 * 24 * 60 * 60_000;
const CLEAN_EVERY_MS = 60 * 60_000;
// Rows removed per statement; the next run removes the rest.
const CLEANED_AT_ONCE = 1_000;

const ATTEMPT_OUTCOMES = { delivered: 'delivered', pending: 'retried', dead: 'given_up' } as const;

/** Makes the attempts of due deliveries, on any number of nodes. Source: rest.md 12. */
export class WebhookDeliverer {
  readonly #options: WebhookDelivererOptions;
  readonly #stop = new AbortController();
  readonly #attempts = new Set<Promise<void>>();
  /** Running attempts by account. */
  readonly #underWay = new Map<string, number>();
  #cancelTimer: () => void = () => {};
  #polling: Promise<void> | null = null;
  #mustPollAgain = false;
  #closing: Promise<void> | null = null;
  #cleanAtMs = 0;

  constructor(options: WebhookDelivererOptions) {
    this.#options = options;
  }

  /** Resumes an earlier process's work under this name, and starts. */
  async start(): Promise<void> {
    const { database, node } = this.#options;
    await releaseClaims(database, node);
    this.poll();
  }

  /** Called after a delivery was queued. */
  poll(): void {
    if (this.#stop.signal.aborted) return;
    if (this.#polling !== null) {
      this.#mustPollAgain = true;
      return;
    }
    this.#cancelTimer();
    this.#polling = this.#pollOnce().finally(() => {
      this.#polling = null;
      if (!this.#mustPollAgain) return;
      this.#mustPollAgain = false;
      this.poll();
    });
  }

  /** Resolves when no attempt is running and none is due. */
  async idle(): Promise<void> {
    while (this.#polling !== null || this.#attempts.size > 0) {
      await this.#polling;
      await Promise.all(this.#attempts);
    }
  }

  /**
   * Aborts running attempts; they are repeated after the next start, under the same event ids. Safe to call repeatedly.
   */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#stop.abort();
    this.#cancelTimer();
    await this.idle();
    const { database, node, onFailure } = this.#options;
    await releaseClaims(database, node).catch((error: unknown) => onFailure('release deliveries', error));
  }

  async #pollOnce(): Promise<void> {
    const { database, clock, onFailure } = this.#options;
    let waitMs = LOOK_EVERY_MS;
    try {
      for (;;) {
        const claimed = await this.#claim();
        for (const delivery of claimed) this.#begin(delivery);
        if (claimed.length === 0) break;
      }
      const nextMs = await nextDeliveryAtMs(database, this.#accountsAtTheirShare());
      await this.#clean(clock.now());
      // If all slots are used, the end of an attempt continues.
      if (nextMs !== null && this.#attempts.size < MAX_ATTEMPTS_AT_ONCE)
        waitMs = Math.min(waitMs, Math.max(nextMs - clock.now(), SHORTEST_WAIT_MS));
    } catch (error) {
      onFailure('find due webhook deliveries', error);
    }
    if (!this.#stop.signal.aborted) this.#cancelTimer = clock.setTimer(() => this.poll(), waitMs);
  }

  /** Claims deliveries for every account below its limit; the claims of one round respect all limits. */
  async #claim(): Promise<readonly ClaimedDelivery[]> {
    const { database, node, clock } = this.#options;
    const total = MAX_ATTEMPTS_AT_ONCE - this.#attempts.size;
    if (total <= 0) return [];
    const without = this.#accountsAtTheirShare();
    const below = [...this.#underWay.values()].filter((count) => count < MAX_ATTEMPTS_OF_ACCOUNT);
    const perAccount = MAX_ATTEMPTS_OF_ACCOUNT - Math.max(0, ...below);
    return await claimDeliveries(database, node, clock.now(), { total, perAccount, without });
  }

  #accountsAtTheirShare(): readonly string[] {
    return [...this.#underWay]
      .filter(([, count]) => count >= MAX_ATTEMPTS_OF_ACCOUNT)
      .map(([accountId]) => accountId);
  }

  #count(accountId: string, change: 1 | -1): void {
    const count = (this.#underWay.get(accountId) ?? 0) + change;
    if (count > 0) this.#underWay.set(accountId, count);
    else this.#underWay.delete(accountId);
  }

  /** Removes deliveries that finished long ago. */
  async #clean(nowMs: number): Promise<void> {
    if (nowMs < this.#cleanAtMs) return;
    const { database } = this.#options;
    const count = await removeDeliveriesFinishedBefore(database, nowMs - KEEP_FINISHED_MS, CLEANED_AT_ONCE);
    if (count < CLEANED_AT_ONCE) this.#cleanAtMs = nowMs + CLEAN_EVERY_MS;
  }

  #begin(delivery: ClaimedDelivery): void {
    const { accountId } = delivery.endpoint;
    this.#count(accountId, 1);
    // The trace of the event that woke this node does not belong to the delivery.
    const attempt = TraceContext.root
      .span('webhook', { 'natter.webhook.attempt': delivery.attempt }, () => this.#attempt(delivery))
      .catch((error: unknown) => this.#options.onFailure('store the outcome of a webhook delivery', error))
      .finally(() => {
        this.#attempts.delete(attempt);
        this.#count(accountId, -1);
        this.poll();
      });
    this.#attempts.add(attempt);
  }

  async #attempt(delivery: ClaimedDelivery): Promise<void> {
    const { database, clock, onAttempt, onDead, onFailure } = this.#options;
    const startedAtMs = clock.now();
    const sent = await this.#send(delivery, startedAtMs).catch((error: unknown): SentWebhook => {
      // Counts as an attempt, so that a delivery that cannot be prepared also ends.
      onFailure('prepare a webhook delivery', error);
      return { answer: { error: 'network' }, outcome: 'could not be prepared' };
    });
    // Aborted by this node, which says nothing about the endpoint.
    if (this.#stop.signal.aborted && 'error' in sent.answer) return;
    const result = judge(delivery.attempt, startedAtMs, sent);
    onAttempt?.(ATTEMPT_OUTCOMES[result.state], clock.now() - startedAtMs);
    await settleDelivery(database, delivery, result, { startedAtMs, nowMs: clock.now() });
    if (result.state === 'dead') onDead(delivery, result.outcome);
  }

  /** Signs with the current secret and sends. Source: WD-3, WD-4, WE-3. */
  async #send({ id, body, endpoint }: ClaimedDelivery, nowMs: number): Promise<SentWebhook> {
    const { vault, send, headerStyle: style, userAgent, onFailure } = this.#options;
    let secret: string;
    try {
      secret = vault.open(endpoint.secret, endpoint.id);
    } catch (error) {
      onFailure('decrypt the secret of a webhook endpoint', error);
      return { answer: { error: 'network' }, outcome: 'cannot decrypt the secret: rotate it' };
    }
    const signed = await writeWebhookHeaders({ secret, body, eventId: id, nowMs, style });
    const headers = { ...signed, 'User-Agent': userAgent, ...endpoint.headers };
    const { id: endpointId, url, timeoutMs } = endpoint;
    return await send({ endpointId, url, headers, body, timeoutMs, signal: this.#stop.signal });
  }
}

/** Determines what follows from an attempt. Delays count from the previous attempt. Source: WD-7, WD-8. */
function judge(attempt: number, startedAtMs: number, { answer, outcome }: SentWebhook): DeliveryOutcome {
  const verdict = judgeWebhookAnswer(answer);
  if (verdict === 'delivered') return { state: 'delivered', outcome };
  const delayMs = verdict === 'retry' ? nextWebhookDelayMs(attempt) : null;
  return delayMs === null
    ? { state: 'dead', outcome }
    : { state: 'pending', outcome, dueAtMs: startedAtMs + delayMs };
}
