import { verifyWebhook } from '@natter/sdk';
import { and, desc, eq, sql as fragment, lt, notInArray } from 'drizzle-orm';
import type { SecretVault } from '../../accounts/tokens/index.ts';
import { queryBuilder, type Sql, webhookEndpoints, webhookReceipts } from '../../db/index.ts';
import type { Clock } from '../../kit/clock.ts';
import type { SendWebhook } from './send-webhook.ts';

/**
 * The host of the built-in receiver. Reserved by RFC 2606, so deliveries never leave this process, and address rules do
 * not apply.
 */
const RECEIVER_ORIGIN = 'https://receiver.natter.invalid';

/** Lifetime of a receiver, in milliseconds. */
export const RECEIVER_MS = 24 * 60 * 60_000;

/** Statuses that a receiver can respond with: success, a failure that is retried, and one that is not. */
export const RECEIVER_ANSWERS = [200, 500, 410] as const;

// Enough to watch attempts arrive. Bodies are events, which are small.
const RECEIPTS_KEPT = 50;
const GONE = 410;

/** A request received by a receiver. */
export interface WebhookReceipt {
  readonly id: number;
  readonly atMs: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly verdict: 'valid' | 'timestamp' | 'stale' | 'signature';
  readonly status: number;
}

/** The address of a receiver that responds with a status. */
export function receiverUrl(status: (typeof RECEIVER_ANSWERS)[number]): string {
  return `${RECEIVER_ORIGIN}/${status}`;
}

/** Whether an address belongs to the built-in receiver. */
export function isReceiverUrl(url: string): boolean {
  return URL.canParse(url) && new URL(url).origin === RECEIVER_ORIGIN;
}

/**
 * Handles deliveries to the built-in receiver in this process, as a customer's server would: it verifies the signature
 * with the SDK. Everything else is sent by `send`.
 */
export function withReceiver(
  send: SendWebhook,
  { database, vault, clock }: { readonly database: Sql; readonly vault: SecretVault; readonly clock: Clock },
): SendWebhook {
  return async (request) => {
    if (!isReceiverUrl(request.url)) return await send(request);
    const { endpointId, headers, body } = request;
    const nowMs = clock.now();
    const [endpoint] = await queryBuilder(database)
      .select({ secret: webhookEndpoints.secret, createdAt: webhookEndpoints.createdAt })
      .from(webhookEndpoints)
      .where(eq(webhookEndpoints.id, endpointId));
    if (endpoint === undefined || endpoint.createdAt + RECEIVER_MS <= nowMs)
      return { answer: { status: GONE }, outcome: 'the receiver was removed' };
    const secret = vault.open(endpoint.secret, endpointId);
    const verified = await verifyWebhook({ body, headers, secret, nowMs });
    const asked = Number(new URL(request.url).pathname.slice(1));
    const status = RECEIVER_ANSWERS.find((answer) => answer === asked) ?? RECEIVER_ANSWERS[0];
    await keepReceipt(database, endpointId, {
      ...{ atMs: nowMs, headers, body, status },
      verdict: verified.isValid ? 'valid' : verified.reason,
    });
    return { answer: { status }, outcome: `HTTP ${status}` };
  };
}

async function keepReceipt(
  sql: Sql,
  endpointId: string,
  { atMs, ...receipt }: Omit<WebhookReceipt, 'id'>,
): Promise<void> {
  const build = queryBuilder(sql);
  await build.insert(webhookReceipts).values({ endpointId, at: atMs, ...receipt });
  const newest = build
    .select({ id: webhookReceipts.id })
    .from(webhookReceipts)
    .where(eq(webhookReceipts.endpointId, endpointId))
    .orderBy(desc(webhookReceipts.id))
    .limit(RECEIPTS_KEPT);
  await build
    .delete(webhookReceipts)
    .where(and(eq(webhookReceipts.endpointId, endpointId), notInArray(webhookReceipts.id, newest)));
}

/** Requests received by a receiver endpoint, latest first. */
export async function listReceipts(sql: Sql, endpointId: string): Promise<readonly WebhookReceipt[]> {
  const rows = await queryBuilder(sql)
    .select()
    .from(webhookReceipts)
    .where(eq(webhookReceipts.endpointId, endpointId))
    .orderBy(desc(webhookReceipts.id));
  return rows.map(({ at, endpointId: _, ...receipt }) => ({ ...receipt, atMs: at }));
}

/** Removes expired receivers with their received requests. */
export async function removeOldReceivers(sql: Sql, nowMs: number): Promise<void> {
  const isReceiver = fragment`${webhookEndpoints.url} LIKE ${`${RECEIVER_ORIGIN}/%`}`;
  await queryBuilder(sql)
    .delete(webhookEndpoints)
    .where(and(isReceiver, lt(webhookEndpoints.createdAt, nowMs - RECEIVER_MS)));
}
