import {
  type AlertRuleCreateBody,
  type AlertRulesQuery,
  type AlertRuleUpdateBody,
  type AlertsQuery,
  alertRuleCreateBodySchema,
  alertRuleCreateOperation,
  alertRuleDeleteOperation,
  alertRuleGetOperation,
  alertRuleIdSchema,
  alertRulesListOperation,
  alertRulesQuerySchema,
  alertRuleUpdateBodySchema,
  alertRuleUpdateOperation,
  alertsListOperation,
  alertsQuerySchema,
  type Operation,
  parseBody,
} from '@natter/sdk';
import { type Account, findProject } from '../../accounts/index.ts';
import type { Database, Sql } from '../../db/index.ts';
import type { Clock } from '../../kit/clock.ts';
import {
  type AccountCall,
  accountRoute,
  jsonAnswer,
  REST_ERRORS,
  type RestAnswer,
  RestError,
  type RestRoute,
  refuseNulCharacters,
} from '../rest/index.ts';
import type { EvaluationBackend } from './alert-evaluator.ts';
import type { AlertEvent } from './alert-event.ts';
import {
  type AlertRuleFields,
  type StoredAlertRule,
  writeActiveAlert,
  writeAlertRule,
  writeTime,
} from './alert-rule.ts';
import {
  type AlertRuleFilter,
  addAlertRule,
  changeAlertRule,
  findAlertRule,
  listAlertRules,
  removeAlertRule,
} from './alert-rules.ts';
import { resolveAlert, storeUnresolvedAlert } from './unresolved-alerts.ts';

/** Dependencies of the routes. */
export interface AlertRoutesOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly backend: EvaluationBackend;
  /** Stores the deliveries of an event, in the transaction that stores the change it reports. */
  readonly emit: (sql: Sql, accountId: string, event: AlertEvent) => Promise<void>;
  /** Called when deliveries were stored outside of an evaluation. */
  readonly onEmitted: () => void;
}

/**
 * Closes an alert manually. Our extension, not in the contract's OpenAPI document: for the console, and for programs
 * that close pagers after a rule was changed or deleted (AL-10).
 */
const alertResolveOperation: Operation = {
  id: 'alertResolve',
  family: 'alertRules',
  service: 'monitoring',
  method: 'POST',
  path: '/internal/v1/alert-rules/{rule_id}/resolve',
  summary: 'Send `alerts.resolved` for a rule.',
  keyHeader: 'x-api-key',
  needsConnectorToken: false,
  repeatability: 'when-refused',
  pathParameters: { rule_id: alertRuleIdSchema },
  success: { status: 200, description: 'The event is on its way.' },
  errors: [401, 403, 404, 422, 500],
  errorShape: 'M',
};

/**
 * Sent with the response to a change that closed an incident without an event: where to request `alerts.resolved`. A
 * header, because the contract defines the bodies.
 */
const UNRESOLVED_HEADER = 'X-Natter-Unresolved-Alert';

/** Alert rules and alerts. Source: sections 9 and 10. */
export function createAlertRoutes(options: AlertRoutesOptions): readonly RestRoute[] {
  const permissions = ['monitoring'] as const;
  return [
    accountRoute({ operation: alertRulesListOperation, permissions, query: alertRulesQuerySchema }, (call) =>
      handleRulesList(options, call),
    ),
    accountRoute(
      { operation: alertRuleCreateOperation, permissions, body: alertRuleCreateBodySchema },
      (call) => handleRuleCreate(options, call),
    ),
    accountRoute({ operation: alertRuleGetOperation, permissions }, (call) => handleRuleGet(options, call)),
    accountRoute(
      { operation: alertRuleUpdateOperation, permissions, body: alertRuleUpdateBodySchema },
      (call) => handleRuleUpdate(options, call),
    ),
    accountRoute({ operation: alertRuleDeleteOperation, permissions }, (call) =>
      handleRuleDelete(options, call),
    ),
    accountRoute({ operation: alertResolveOperation, permissions }, (call) =>
      handleAlertResolve(options, call),
    ),
    accountRoute({ operation: alertsListOperation, permissions, query: alertsQuerySchema }, (call) =>
      handleAlertsList(options, call),
    ),
  ];
}

async function handleRulesList(
  { database }: AlertRoutesOptions,
  { account, query }: AccountCall<undefined, AlertRulesQuery>,
): Promise<RestAnswer> {
  const { metric, enabled: isEnabled, state } = query;
  const found = await findRules(database, account, query.project_id, { metric, isEnabled, state });
  return { data: found.map(writeAlertRule) };
}

async function handleRuleCreate(
  { database, clock, backend }: AlertRoutesOptions,
  { account, body }: AccountCall<AlertRuleCreateBody>,
): Promise<RestAnswer> {
  refuseNulCharacters(body, ['name']);
  const projectId = await readProjectId(database, account, body.project_id ?? null);
  const fields: AlertRuleFields = {
    name: body.name,
    projectId,
    metric: body.metric,
    operator: body.operator,
    threshold: body.threshold_value,
    window: body.window_duration,
    isEnabled: body.enabled ?? true,
  };
  return await database.tx(async (sql) => {
    const rule = await addAlertRule(sql, account.id, fields, clock.now());
    if (rule === null) throw tooManyRules();
    await sync(backend, sql, rule);
    return writeAlertRule(rule);
  });
}

async function handleRuleGet(
  { database }: AlertRoutesOptions,
  { account, params }: AccountCall,
): Promise<RestAnswer> {
  const rule = await findAlertRule(database, account.id, readRuleId(params));
  if (rule === null) throw REST_ERRORS.notFound();
  return writeAlertRule(rule);
}

async function handleRuleUpdate(
  { database, clock, backend }: AlertRoutesOptions,
  { account, params, body }: AccountCall<AlertRuleUpdateBody>,
): Promise<RestAnswer> {
  const id = readRuleId(params);
  refuseNulCharacters(body, ['name']);
  const changes = await readChanges(database, account, body);
  return await database.tx(async (sql) => {
    const changed = await changeAlertRule(sql, account.id, id, changes, clock.now());
    if (changed === null) throw REST_ERRORS.notFound();
    const { before, after } = changed;
    await sync(backend, sql, after);
    const answer = jsonAnswer(writeAlertRule(after), 200);
    if (after.status.isIncidentOpen || !before.status.isIncidentOpen) return answer;
    await storeUnresolvedAlert(sql, before, clock.now());
    return withUnresolved(answer, id);
  });
}

async function handleRuleDelete(
  { database, clock }: AlertRoutesOptions,
  { account, params }: AccountCall,
): Promise<RestAnswer> {
  const id = readRuleId(params);
  return await database.tx(async (sql) => {
    const removed = await removeAlertRule(sql, account.id, id);
    if (removed === null) throw REST_ERRORS.notFound();
    if (!removed.status.isIncidentOpen) return null;
    await storeUnresolvedAlert(sql, removed, clock.now());
    return withUnresolved(new Response(null, { status: 204 }), id);
  });
}

async function handleAlertResolve(
  { database, clock, emit, onEmitted }: AlertRoutesOptions,
  { account, params }: AccountCall,
): Promise<RestAnswer> {
  const id = readRuleId(params);
  const nowMs = clock.now();
  await database.tx(async (sql) => {
    const event = await resolveAlert(sql, account.id, id, nowMs);
    if (event === null) throw new RestError(404, 'NOT_FOUND', 'Nothing of this rule waits to be resolved');
    await emit(sql, account.id, event);
  });
  onEmitted();
  return { alert_rule_id: id, resolved_at: writeTime(nowMs) };
}

async function handleAlertsList(
  { database }: AlertRoutesOptions,
  { account, query }: AccountCall<undefined, AlertsQuery>,
): Promise<RestAnswer> {
  const { metric, enabled: isEnabled } = query;
  const firing = await findRules(database, account, query.project_id, { metric, isEnabled, state: 'alert' });
  return { data: firing.map(writeActiveAlert) };
}

function withUnresolved(answer: Response, ruleId: string): Response {
  const path = alertResolveOperation.path.replace('{rule_id}', ruleId);
  answer.headers.set(UNRESOLVED_HEADER, path);
  return answer;
}

/** Rules matching the filters; none for a project outside the account. */
async function findRules(
  sql: Sql,
  account: Account,
  reference: string | undefined,
  filter: AlertRuleFilter,
): Promise<readonly StoredAlertRule[]> {
  if (reference === undefined) return await listAlertRules(sql, account.id, filter);
  const project = await findProject(sql, account, reference);
  return project === null ? [] : await listAlertRules(sql, account.id, { ...filter, projectId: project.id });
}

async function readChanges(
  sql: Sql,
  account: Account,
  body: AlertRuleUpdateBody,
): Promise<Parameters<typeof changeAlertRule>[3]> {
  const { project_id: reference } = body;
  return {
    name: body.name,
    projectId: reference === undefined ? undefined : await readProjectId(sql, account, reference),
    metric: body.metric,
    operator: body.operator,
    threshold: body.threshold_value,
    window: body.window_duration,
    isEnabled: body.enabled,
  };
}

/**
 * Resolves a slug or id to `PROJECT-…`; null stays null. Fails with 422 for an unknown project or one of another
 * account.
 */
async function readProjectId(sql: Sql, account: Account, reference: string | null): Promise<string | null> {
  if (reference === null) return null;
  const project = await findProject(sql, account, reference);
  if (project !== null) return project.id;
  const errors = [{ field: 'project_id', message: 'must be a project of this account' }];
  throw new RestError(422, 'SCHEMA_VALIDATION_FAILED', 'Validation failed', { errors });
}

function readRuleId(params: Readonly<Record<string, string>>): string {
  const parsed = parseBody(alertRuleIdSchema, params['rule_id']);
  if (parsed.isOk) return parsed.value;
  throw new RestError(422, 'SCHEMA_VALIDATION_FAILED', 'Malformed alert rule id');
}

/** Source: AL-3. */
async function sync(backend: EvaluationBackend, sql: Sql, rule: StoredAlertRule): Promise<void> {
  try {
    await backend.accept(sql, rule);
  } catch (cause) {
    throw new RestError(502, 'MONITORING_SYNC_FAILED', 'Monitoring backend sync failed', { cause });
  }
}

function tooManyRules(): RestError {
  return new RestError(409, 'RESOURCE_LIMIT_EXCEEDED', 'Maximum number of alert rules reached');
}
