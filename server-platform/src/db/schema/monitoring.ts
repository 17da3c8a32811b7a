/** Tables of alert rules and of webhooks. */
import type { AlertMetric, AlertOperator, AlertState, AlertWindow, WebhookEventType } from '@natter/sdk';
import { sql } from 'drizzle-orm';
import { bigint, boolean, index, integer, json, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';

const ms = (name: string) => bigint(name, { mode: 'number' });

// Without foreign keys to accounts and projects: nothing removes those.
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
    /** An `alerts.triggered` without its `alerts.resolved`. */
    isIncidentOpen: boolean('incident_open').notNull(),
    /** Since when it is in this state. */
    since: ms('since').notNull(),
    lastEvaluatedAt: ms('last_evaluated_at'),
    currentValue: ms('current_value'),
    /** No node evaluates it before. */
    dueAt: ms('due_at').notNull(),
    createdAt: ms('created_at').notNull(),
    updatedAt: ms('updated_at').notNull(),
  },
  (table) => [
    index('alert_rules_account_idx').on(table.accountId, table.createdAt),
    index('alert_rules_due_idx').on(table.dueAt).where(sql`${table.isEnabled}`),
  ],
);

/** The states of rules over time: one row for each change. */
export const alertRuleStates = pgTable(
  'alert_rule_states',
  {
    id: ms('id').primaryKey().generatedByDefaultAsIdentity(),
    ruleId: text('rule_id')
      .notNull()
      .references(() => alertRules.id, { onDelete: 'cascade' }),
    /** `changed`: the rule was changed, and not evaluated since. */
    state: text('state').$type<AlertState | 'changed'>().notNull(),
    /** What decided; null: nothing was measured. */
    value: ms('value'),
    at: ms('at').notNull(),
  },
  (table) => [index('alert_rule_states_rule_idx').on(table.ruleId, table.at)],
);

/** Incidents that were closed without `alerts.resolved`, because their rule was changed, disabled or deleted (AL-10). */
export const unresolvedAlerts = pgTable(
  'unresolved_alerts',
  {
    /** Of a rule that may be gone. */
    ruleId: text('rule_id').primaryKey(),
    accountId: text('account_id').notNull(),
    /** What the rule said. */
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
    /** Sealed (WE-2). */
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
    /** The bytes of every attempt (WD-1). */
    body: text('body').notNull(),
    /** pending, delivered, dead, dropped. */
    state: text('state').$type<'pending' | 'delivered' | 'dead' | 'dropped'>().notNull(),
    /** Attempts that came to an end. */
    attempts: integer('attempts').notNull(),
    dueAt: ms('due_at').notNull(),
    /** The node making the current attempt, and until when other nodes may not. */
    claimedBy: text('claimed_by'),
    claimedUntil: ms('claimed_until'),
    /** How the last attempt ended. */
    lastOutcome: text('last_outcome'),
    /** The attempts, the oldest first: the latest ones when a delivery was sent again and again. */
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

/** What arrived at the built-in receiver of the console. */
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
    /** valid, or why the signature does not hold: timestamp, stale, signature. */
    verdict: text('verdict').$type<'valid' | 'timestamp' | 'stale' | 'signature'>().notNull(),
    /** What the receiver has answered. */
    status: integer('status').notNull(),
  },
  (table) => [index('webhook_receipts_endpoint_idx').on(table.endpointId, table.id)],
);
