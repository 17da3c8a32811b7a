/** Tables of alert rules and of webhooks. */
import type { AlertMetric, AlertOperator, AlertState, AlertWindow, WebhookEventType } from '@natter/sdk';
import { sql } from 'drizzle-orm';
import { bigint, boolean, index, integer, json, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';

const ms = (name: string) => bigint(name, { mode: 'number' });

// No foreign keys to accounts and projects, because those are never removed.
export const alertRules = pgTable(
  'alert_rules',
  {
    /** `ar_` and 22 base62 characters. */
    id: text('id').primaryKey(),
    accountId: text('account_id').notNull(),
    /** Null: the whole account. */
    projectId: text('project_id'),
    name: text('name').notNull(),
    metric: text('metric').$type<AlertMetric>().notNull(),
    operator: text('operator').$type<AlertOperator>().notNull(),
    threshold: ms('threshold').notNull(),
    window: text('window_duration').$type<AlertWindow>().notNull(),
    isEnabled: boolean('enabled').notNull(),
    /** ok, alert, no_data, unknown (9.1). */
    state: text('state').$type<AlertState>().notNull(),
    /** Whether there is an `alerts.triggered` without its `alerts.resolved`. */
    isIncidentOpen: boolean('incident_open').notNull(),
    /** Since when it is in this state. */
    since: ms('since').notNull(),
    lastEvaluatedAt: ms('last_evaluated_at'),
    currentValue: ms('current_value'),
    /** No node evaluates the rule before this time. */
    dueAt: ms('due_at').notNull(),
    createdAt: ms('created_at').notNull(),
    updatedAt: ms('updated_at').notNull(),
  },
  (table) => [
    index('alert_rules_account_idx').on(table.accountId, table.createdAt),
    index('alert_rules_due_idx').on(table.dueAt).where(sql`${table.isEnabled}`),
  ],
);

/** Past states of rules: one row per change. */
export const alertRuleStates = pgTable(
  'alert_rule_states',
  {
    id: ms('id').primaryKey().generatedByDefaultAsIdentity(),
    ruleId: text('rule_id')
      .notNull()
      .references(() => alertRules.id, { onDelete: 'cascade' }),
    /** `changed`: the rule was changed and has not been evaluated since. */
    state: text('state').$type<AlertState | 'changed'>().notNull(),
    /** The measured value; null: no measurement. */
    value: ms('value'),
    at: ms('at').notNull(),
  },
  (table) => [index('alert_rule_states_rule_idx').on(table.ruleId, table.at)],
);

/** Incidents closed without `alerts.resolved`, because their rule was changed, disabled or deleted (AL-10). */
export const unresolvedAlerts = pgTable(
  'unresolved_alerts',
  {
    /** Id of the rule, which may be deleted. */
    ruleId: text('rule_id').primaryKey(),
    accountId: text('account_id').notNull(),
    /** The rule's content at that time. */
    alert: json('alert').notNull(),
    closedAt: ms('closed_at').notNull(),
  },
  (table) => [index('unresolved_alerts_account_idx').on(table.accountId, table.closedAt)],
);

export const webhookEndpoints = pgTable(
  'webhook_endpoints',
  {
    /** `whe_` and 22 base62 characters. */
    id: text('id').primaryKey(),
    accountId: text('account_id').notNull(),
    name: text('name').notNull(),
    url: text('url').notNull(),
    isEnabled: boolean('enabled').notNull(),
    eventTypes: text('event_types').array().$type<WebhookEventType[]>().notNull(),
    headers: json('headers').$type<Readonly<Record<string, string>>>().notNull(),
    timeoutMs: integer('timeout_ms').notNull(),
    /** Encrypted (WE-2). */
    secret: text('secret').notNull(),
    createdAt: ms('created_at').notNull(),
    updatedAt: ms('updated_at').notNull(),
  },
  (table) => [index('webhook_endpoints_account_idx').on(table.accountId, table.createdAt)],
);

/** One event for one endpoint: both the record of its outcome and the queue of pending attempts. */
export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    /** Event id of WD-3: the same in all attempts. */
    id: uuid('id').primaryKey(),
    endpointId: text('endpoint_id')
      .notNull()
      .references(() => webhookEndpoints.id, { onDelete: 'cascade' }),
    eventType: text('event_type').$type<WebhookEventType>().notNull(),
    /** The bytes sent with every attempt (WD-1). */
    body: text('body').notNull(),
    /** pending, delivered, dead, dropped. */
    state: text('state').$type<'pending' | 'delivered' | 'dead' | 'dropped'>().notNull(),
    /** Number of completed attempts. */
    attempts: integer('attempts').notNull(),
    dueAt: ms('due_at').notNull(),
    /** The node making the current attempt, and until when no other node may. */
    claimedBy: text('claimed_by'),
    claimedUntil: ms('claimed_until'),
    /** How the last attempt ended. */
    lastOutcome: text('last_outcome'),
    /** The attempts, oldest first; only the latest when there were many. */
    history: jsonb('history')
      .$type<readonly { readonly at: number; readonly ms: number; readonly outcome: string }[]>()
      .notNull()
      .default([]),
    createdAt: ms('created_at').notNull(),
    finishedAt: ms('finished_at'),
  },
  (table) => [
    index('webhook_deliveries_due_idx').on(table.dueAt).where(sql`${table.state} = 'pending'`),
    index('webhook_deliveries_endpoint_idx').on(table.endpointId),
  ],
);

/** Requests received by the console's built-in receiver. */
export const webhookReceipts = pgTable(
  'webhook_receipts',
  {
    id: ms('id').primaryKey().generatedByDefaultAsIdentity(),
    endpointId: text('endpoint_id')
      .notNull()
      .references(() => webhookEndpoints.id, { onDelete: 'cascade' }),
    at: ms('at').notNull(),
    headers: json('headers').$type<Readonly<Record<string, string>>>().notNull(),
    body: text('body').notNull(),
    /** valid, or why the signature is invalid: timestamp, stale, signature. */
    verdict: text('verdict').$type<'valid' | 'timestamp' | 'stale' | 'signature'>().notNull(),
    /** The receiver's response status. */
    status: integer('status').notNull(),
  },
  (table) => [index('webhook_receipts_endpoint_idx').on(table.endpointId, table.id)],
);
