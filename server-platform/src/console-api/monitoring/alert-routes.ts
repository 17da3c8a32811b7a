import { alertRuleCreateBodySchema, alertRuleUpdateBodySchema } from '@natter/sdk';
import * as v from 'valibot';
import { listAlertStates, listUnresolvedAlerts } from '../../api/alerts/index.ts';
import { DeskError } from '../../staff/index.ts';
import { audit, type ConsoleRoute, consoleRoute } from '../console-call.ts';
import { alertRuleListView } from './alert-schemas.ts';

const HOUR_MS = 3_600_000;

const ofRule = (method: 'PUT' | 'DELETE') => ({ method, path: '/alert-rules/{id}', role: 'admin' }) as const;

/** The rules of the account, their states over time, and closing an incident by hand. */
export const ALERT_ROUTES: readonly ConsoleRoute[] = [
  consoleRoute(
    {
      ...{ id: 'consoleAlertRules', method: 'GET', path: '/alert-rules' },
      summary:
        'The alert rules of the account, the states that they entered in the last hours, and incidents whose rule has gone.',
      query: v.object({
        hours: v.optional(v.picklist(['1', '24', '168'], 'must be one of: 1, 24, 168'), '24'),
      }),
      answer: alertRuleListView,
    },
    async ({ server, person, query }) => {
      const toMs = server.clock.now();
      const fromMs = toMs - Number(query.hours) * HOUR_MS;
      const rules = await server.alerts.list(person.accountId, {});
      const ids = rules.map(({ id }) => id);
      const [states, unresolved] = await Promise.all([
        listAlertStates(server.database, ids, fromMs),
        listUnresolvedAlerts(server.database, person.accountId),
      ]);
      return {
        from_ms: fromMs,
        to_ms: toMs,
        rules,
        states: states.map(({ ruleId, state, value, atMs }) => ({
          rule_id: ruleId,
          state,
          value,
          at_ms: atMs,
        })),
        unresolved: unresolved.map(({ ruleId, name, closedAtMs }) => ({
          ...{ rule_id: ruleId, name },
          closed_at: new Date(closedAtMs).toISOString(),
        })),
      };
    },
  ),
  consoleRoute(
    {
      ...{ id: 'consoleAlertRuleAdd', method: 'POST', path: '/alert-rules', role: 'admin' },
      summary: 'Add an alert rule.',
      body: alertRuleCreateBodySchema,
    },
    async (call) => {
      const rule = await call.server.alerts.create(call.person.accountId, call.body);
      await audit(call, 'add_alert_rule', rule.name);
      return rule;
    },
  ),
  consoleRoute(
    {
      ...{ id: 'consoleAlertRuleChange', ...ofRule('PUT') },
      summary: 'Change the given fields of a rule. Anything but the name puts it back to ok.',
      body: alertRuleUpdateBodySchema,
    },
    async (call) => {
      const { server, person, params, body } = call;
      const { rule } = await server.alerts.update(person.accountId, params['id'] ?? '', body);
      await audit(call, 'change_alert_rule', rule.name);
      return rule;
    },
  ),
  consoleRoute(
    {
      ...{ id: 'consoleAlertRuleDelete', ...ofRule('DELETE') },
      summary: 'Delete a rule. An incident that is open stays to be resolved.',
    },
    async (call) => {
      const { rule } = await call.server.alerts.delete(call.person.accountId, call.params['id'] ?? '');
      await audit(call, 'delete_alert_rule', rule.name);
      return {};
    },
  ),
  consoleRoute(
    {
      ...{ id: 'consoleAlertResolve', method: 'POST', path: '/alert-rules/{id}/resolve', role: 'admin' },
      summary: 'Close the incident of a rule, and send alerts.resolved.',
    },
    async (call) => {
      const { server, person, params } = call;
      const id = params['id'] ?? '';
      if ((await server.alerts.resolve(person.accountId, id)) === null)
        throw new DeskError(404, 'NOT_FOUND', 'This rule has no open alert.');
      await audit(call, 'resolve_alert', id);
      return {};
    },
  ),
];
