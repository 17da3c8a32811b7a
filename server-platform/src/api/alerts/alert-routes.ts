import {
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
} from '@natter/sdk';
import { type AccountCall, accountRoute, jsonAnswer, RestError, type RestRoute } from '../rest/index.ts';
import type { AlertService, ChangedRule } from './alert-service.ts';

/**
 * Closes an alert manually. Our extension, not in the contract's OpenAPI document: for programs that close pagers after
 * a rule was changed or deleted (AL-10).
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

const ruleIdOf = ({ params }: Pick<AccountCall, 'params'>): string => params['rule_id'] ?? '';

/** Alert rules and alerts. Source: sections 9 and 10. */
export function createAlertRoutes(alerts: AlertService): readonly RestRoute[] {
  const permissions = ['monitoring'] as const;
  return [
    accountRoute(
      { operation: alertRulesListOperation, permissions, query: alertRulesQuerySchema },
      async ({ account, query }) => ({ data: await alerts.list(account.id, query) }),
    ),
    accountRoute(
      { operation: alertRuleCreateOperation, permissions, body: alertRuleCreateBodySchema },
      ({ account, body }) => alerts.create(account.id, body),
    ),
    accountRoute({ operation: alertRuleGetOperation, permissions }, (call) =>
      alerts.get(call.account.id, ruleIdOf(call)),
    ),
    accountRoute(
      { operation: alertRuleUpdateOperation, permissions, body: alertRuleUpdateBodySchema },
      async (call) => {
        const changed = await alerts.update(call.account.id, ruleIdOf(call), call.body);
        return withUnresolved(jsonAnswer(changed.rule, 200), changed);
      },
    ),
    accountRoute({ operation: alertRuleDeleteOperation, permissions }, async (call) =>
      withUnresolved(
        new Response(null, { status: 204 }),
        await alerts.delete(call.account.id, ruleIdOf(call)),
      ),
    ),
    accountRoute({ operation: alertResolveOperation, permissions }, async (call) => {
      const id = ruleIdOf(call);
      const resolvedAt = await alerts.resolve(call.account.id, id);
      if (resolvedAt === null)
        throw new RestError(404, 'NOT_FOUND', 'Nothing of this rule waits to be resolved');
      return { alert_rule_id: id, resolved_at: resolvedAt };
    }),
    accountRoute(
      { operation: alertsListOperation, permissions, query: alertsQuerySchema },
      async ({ account, query }) => ({ data: await alerts.listActive(account.id, query) }),
    ),
  ];
}

function withUnresolved(answer: Response, { rule, isUnresolved }: ChangedRule): Response {
  if (isUnresolved)
    answer.headers.set(UNRESOLVED_HEADER, alertResolveOperation.path.replace('{rule_id}', rule.id));
  return answer;
}
