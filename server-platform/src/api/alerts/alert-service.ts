import {
  type ActiveAlert,
  type AlertRule,
  type AlertRuleCreateBody,
  type AlertRulesQuery,
  type AlertRuleUpdateBody,
  type AlertsQuery,
  alertRuleIdSchema,
  parseBody,
} from '@natter/sdk';
import { findProject } from '../../accounts/index.ts';
import type { Database, Sql } from '../../db/index.ts';
import type { Clock } from '../../kit/clock.ts';
import { REST_ERRORS, RestError, refuseNulCharacters } from '../rest/index.ts';
import type { EvaluationBackend } from './alert-evaluator.ts';
import type { AlertEvent } from './alert-event.ts';
import { type StoredAlertRule, writeActiveAlert, writeAlertRule, writeTime } from './alert-rule.ts';
import {
  type AlertRuleFilter,
  addAlertRule,
  changeAlertRule,
  findAlertRule,
  listAlertRules,
  removeAlertRule,
} from './alert-rules.ts';
import { resolveAlert, storeUnresolvedAlert } from './unresolved-alerts.ts';

/** Dependencies of the alert rules. */
export interface AlertServiceOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly backend: EvaluationBackend;
  /** Stores the deliveries of an event, in the transaction that stores the change it reports. */
  readonly emit: (sql: Sql, accountId: string, event: AlertEvent) => Promise<void>;
  /** Called when deliveries were stored outside of an evaluation. */
  readonly onEmitted: () => void;
}

/** A rule that was changed or removed. */
export interface ChangedRule {
  readonly rule: AlertRule;
  /** Whether that closed an incident without `alerts.resolved`, which can be requested later. Source: AL-10. */
  readonly isUnresolved: boolean;
}

/** The alert rules of an account and its alerts. Refuses with a `RestError`. Source: sections 9 and 10. */
export interface AlertService {
  /** Rules matching the filters; none for a project outside the account. */
  list(accountId: string, query: AlertRulesQuery): Promise<readonly AlertRule[]>;
  listActive(accountId: string, query: AlertsQuery): Promise<readonly ActiveAlert[]>;
  get(accountId: string, id: string): Promise<AlertRule>;
  create(accountId: string, body: AlertRuleCreateBody): Promise<AlertRule>;
  update(accountId: string, id: string, body: AlertRuleUpdateBody): Promise<ChangedRule>;
  delete(accountId: string, id: string): Promise<ChangedRule>;
  /** Closes the incident of a rule and sends `alerts.resolved`. Resolves with the time; null: no incident is open. */
  resolve(accountId: string, id: string): Promise<string | null>;
}

/** Creates the service that the REST routes and the console call. */
export function createAlertService(options: AlertServiceOptions): AlertService {
  const { database, clock, backend, emit, onEmitted } = options;
  const find = async (
    accountId: string,
    reference: string | undefined,
    filter: AlertRuleFilter,
  ): Promise<readonly StoredAlertRule[]> => {
    if (reference === undefined) return await listAlertRules(database, accountId, filter);
    const project = await findProject(database, { id: accountId }, reference);
    return project === null
      ? []
      : await listAlertRules(database, accountId, { ...filter, projectId: project.id });
  };
  return {
    async list(accountId, { project_id, metric, enabled: isEnabled, state }) {
      return (await find(accountId, project_id, { metric, isEnabled, state })).map(writeAlertRule);
    },
    async listActive(accountId, { project_id, metric, enabled: isEnabled }) {
      return (await find(accountId, project_id, { metric, isEnabled, state: 'alert' })).map(writeActiveAlert);
    },
    async get(accountId, id) {
      const rule = await findAlertRule(database, accountId, checkRuleId(id));
      if (rule === null) throw REST_ERRORS.notFound();
      return writeAlertRule(rule);
    },
    async create(accountId, body) {
      refuseNulCharacters(body, ['name']);
      const fields = {
        name: body.name,
        projectId: await readProjectId(database, accountId, body.project_id ?? null),
        metric: body.metric,
        operator: body.operator,
        threshold: body.threshold_value,
        window: body.window_duration,
        isEnabled: body.enabled ?? true,
      };
      return await database.tx(async (sql) => {
        const rule = await addAlertRule(sql, accountId, fields, clock.now());
        if (rule === null)
          throw new RestError(409, 'RESOURCE_LIMIT_EXCEEDED', 'Maximum number of alert rules reached');
        await sync(backend, sql, rule);
        return writeAlertRule(rule);
      });
    },
    async update(accountId, ruleId, body) {
      const id = checkRuleId(ruleId);
      refuseNulCharacters(body, ['name']);
      const { project_id: reference } = body;
      const changes = {
        name: body.name,
        projectId: reference === undefined ? undefined : await readProjectId(database, accountId, reference),
        metric: body.metric,
        operator: body.operator,
        threshold: body.threshold_value,
        window: body.window_duration,
        isEnabled: body.enabled,
      };
      return await database.tx(async (sql) => {
        const changed = await changeAlertRule(sql, accountId, id, changes, clock.now());
        if (changed === null) throw REST_ERRORS.notFound();
        const { before, after } = changed;
        await sync(backend, sql, after);
        const isUnresolved = before.status.isIncidentOpen && !after.status.isIncidentOpen;
        if (isUnresolved) await storeUnresolvedAlert(sql, before, clock.now());
        return { rule: writeAlertRule(after), isUnresolved };
      });
    },
    async delete(accountId, ruleId) {
      const id = checkRuleId(ruleId);
      return await database.tx(async (sql) => {
        const removed = await removeAlertRule(sql, accountId, id);
        if (removed === null) throw REST_ERRORS.notFound();
        const isUnresolved = removed.status.isIncidentOpen;
        if (isUnresolved) await storeUnresolvedAlert(sql, removed, clock.now());
        return { rule: writeAlertRule(removed), isUnresolved };
      });
    },
    async resolve(accountId, ruleId) {
      const id = checkRuleId(ruleId);
      const nowMs = clock.now();
      const event = await database.tx(async (sql) => {
        const resolved = await resolveAlert(sql, accountId, id, nowMs);
        if (resolved !== null) await emit(sql, accountId, resolved);
        return resolved;
      });
      if (event === null) return null;
      onEmitted();
      return writeTime(nowMs);
    },
  };
}

/**
 * Resolves a slug or id to `PROJECT-…`; null stays null. Fails with 422 for an unknown project or one of another
 * account.
 */
async function readProjectId(sql: Sql, accountId: string, reference: string | null): Promise<string | null> {
  if (reference === null) return null;
  const project = await findProject(sql, { id: accountId }, reference);
  if (project !== null) return project.id;
  const errors = [{ field: 'project_id', message: 'must be a project of this account' }];
  throw new RestError(422, 'SCHEMA_VALIDATION_FAILED', 'Validation failed', { errors });
}

function checkRuleId(id: string): string {
  const parsed = parseBody(alertRuleIdSchema, id);
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
