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

/** What a deliverer works with. */
export interface WebhookDelivererOptions {
  readonly database: Database;
  readonly vault: SecretVault;
  readonly clock: Clock;
  /** Makes one attempt; never rejects. */
  readonly send: SendWebhook;
  /** Name of this node. A name that only one process at a time can have frees its claims at the start. */
  readonly node: string;
  readonly headerStyle: WebhookHeaderStyle;
  readonly userAgent: string;
  /** An attempt came to its end. Default: not counted. */
  readonly onAttempt?: (outcome: 'delivered' | 'retried' | 'given_up', durationMs: number) => void;
  /** A delivery was given up. Source: WD-8. */
  readonly onDead: (delivery: ClaimedDelivery, outcome: string) => void;
  readonly onFailure: (what: string, error: unknown) => void;
}

// Few enough to leave the event loop alone.
const MAX_ATTEMPTS_AT_ONCE = 32;
// An account whose receivers never answer holds these for as long as its time-outs; the others have the rest.
const MAX_ATTEMPTS_OF_ACCOUNT = 4;
// Another node may have queued something, or died in the middle of an attempt.
const LOOK_EVERY_MS = 10_000;
// A due delivery that cannot be claimed is being claimed by another node.
const SHORTEST_WAIT_MS = 50;
// Long enough to look into what became of an event.
const KEEP_FINISHED_MS = 7 * 24 * 60 * 60_000;
const CLEAN_EVERY_MS = 60 * 60_000;
// Rows that one statement removes; the next run removes the rest.
const CLEANED_AT_ONCE = 1_000;

const ATTEMPT_OUTCOMES = { delivered: 'delivered', pending: 'retried', dead: 'given_up' } as const;

/** Makes the attempts of queued deliveries when they are due, on any number of nodes. Source: rest.md 12. */
export class WebhookDeliverer {
  readonly #options: WebhookDelivererOptions;
  readonly #stop = new AbortController();
  readonly #attempts = new Set<Promise<void>>();
  /** Attempts under way, by account. */
  readonly #underWay = new Map<string, number>();
  #cancelTimer: () => void = () => {};
  #looking: Promise<void> | null = null;
  #mustLookAgain = false;
  #closing: Promise<void> | null = null;
  #cleanAtMs = 0;

  constructor(options: WebhookDelivererOptions) {
    this.#options = options;
  }

  /** Takes up what an earlier process of this name left behind, and begins. */
  async start(): Promise<void> {
    const { database, node } = this.#options;
    await releaseClaims(database, node);
    this.wake();
  }

  /** Something was queued. */
  wake(): void {
    if (this.#stop.signal.aborted) return;
    if (this.#looking !== null) {
      this.#mustLookAgain = true;
      return;
    }
    this.#cancelTimer();
    this.#looking = this.#look().finally(() => {
      this.#looking = null;
      if (!this.#mustLookAgain) return;
      this.#mustLookAgain = false;
      this.wake();
    });
  }

  /** Resolves when nothing is under way and nothing is due. */
  async idle(): Promise<void> {
    while (this.#looking !== null || this.#attempts.size > 0) {
      await this.#looking;
      await Promise.all(this.#attempts);
    }
  }

  /**
   * Stops attempts that are under way; they are made again after the next start, under the same event ids. May be called
   * twice.
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

  async #look(): Promise<void> {
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
      // Without a free place, the end of an attempt is what wakes.
      if (nextMs !== null && this.#attempts.size < MAX_ATTEMPTS_AT_ONCE)
        waitMs = Math.min(waitMs, Math.max(nextMs - clock.now(), SHORTEST_WAIT_MS));
    } catch (error) {
      onFailure('look for webhooks to deliver', error);
    }
    if (!this.#stop.signal.aborted) this.#cancelTimer = clock.setTimer(() => this.wake(), waitMs);
  }

  /** Claims what every account that is below its share may begin; the claims of one round stay within every share. */
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

  /** Forgets what came to its end long ago. */
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
      .catch((error: unknown) => this.#options.onFailure('settle a webhook delivery', error))
      .finally(() => {
        this.#attempts.delete(attempt);
        this.#count(accountId, -1);
        this.wake();
      });
    this.#attempts.add(attempt);
  }

  async #attempt(delivery: ClaimedDelivery): Promise<void> {
    const { database, clock, onAttempt, onDead, onFailure } = this.#options;
    const startedAtMs = clock.now();
    const sent = await this.#send(delivery, startedAtMs).catch((error: unknown): SentWebhook => {
      // Counts as an attempt: a delivery that cannot be prepared must come to its end too.
      onFailure('prepare a webhook delivery', error);
      return { answer: { error: 'network' }, outcome: 'could not be prepared' };
    });
    // Broken off by us: it says nothing about the endpoint.
    if (this.#stop.signal.aborted && 'error' in sent.answer) return;
    const result = judge(delivery.attempt, startedAtMs, sent);
    onAttempt?.(ATTEMPT_OUTCOMES[result.state], clock.now() - startedAtMs);
    await settleDelivery(database, delivery, result, { startedAtMs, nowMs: clock.now() });
    if (result.state === 'dead') onDead(delivery, result.outcome);
  }

  /** Signs with the secret of now and sends. Source: WD-3, WD-4, WE-3. */
  async #send({ id, body, endpoint }: ClaimedDelivery, nowMs: number): Promise<SentWebhook> {
    const { vault, send, headerStyle: style, userAgent, onFailure } = this.#options;
    let secret: string;
    try {
      secret = vault.open(endpoint.secret, endpoint.id);
    } catch (error) {
      onFailure('open the secret of a webhook endpoint', error);
      return { answer: { error: 'network' }, outcome: 'the secret does not open: rotate it' };
    }
    const signed = await writeWebhookHeaders({ secret, body, eventId: id, nowMs, style });
    const headers = { ...signed, 'User-Agent': userAgent, ...endpoint.headers };
    const { id: endpointId, url, timeoutMs } = endpoint;
    return await send({ endpointId, url, headers, body, timeoutMs, signal: this.#stop.signal });
  }
}

/** What follows from an attempt. Delays count from the attempt before. Source: WD-7, WD-8. */
function judge(attempt: number, startedAtMs: number, { answer, outcome }: SentWebhook): DeliveryOutcome {
  const verdict = judgeWebhookAnswer(answer);
  if (verdict === 'delivered') return { state: 'delivered', outcome };
  const delayMs = verdict === 'retry' ? nextWebhookDelayMs(attempt) : null;
  return delayMs === null
    ? { state: 'dead', outcome }
    : { state: 'pending', outcome, dueAtMs: startedAtMs + delayMs };
}
