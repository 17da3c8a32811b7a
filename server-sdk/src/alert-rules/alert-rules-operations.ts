import type { Operation } from '../http/operation.ts';
import { dataListOf } from '../schema/data-list.ts';
import {
  alertRuleCreateBodySchema,
  alertRuleIdSchema,
  alertRuleSchema,
  alertRulesQuerySchema,
  alertRuleUpdateBodySchema,
} from './alert-rule-schemas.ts';

const shared = {
  family: 'alertRules',
  service: 'monitoring',
  keyHeader: 'x-api-key',
  needsConnectorToken: false,
  repeatability: 'always',
  errorShape: 'M',
} as const;
const one = { path: '/v1/alert-rules/{rule_id}', pathParameters: { rule_id: alertRuleIdSchema } };
const all = { path: '/v1/alert-rules', pathParameters: {} };

/** `GET /v1/alert-rules`. Source: section 9. */
export const alertRulesListOperation: Operation = {
  ...shared,
  ...all,
  id: 'alertRulesList',
  method: 'GET',
  summary: 'All rules.',
  query: alertRulesQuerySchema,
  success: { status: 200, description: 'The rules.', schema: dataListOf('AlertRuleList', alertRuleSchema) },
  errors: [400, 401, 403, 500],
};

/** `POST /v1/alert-rules`. Source: section 9. */
export const alertRuleCreateOperation: Operation = {
  ...shared,
  ...all,
  id: 'alertRuleCreate',
  method: 'POST',
  summary: 'Create a rule; at most 10 per account.',
  repeatability: 'when-refused',
  body: { isRequired: true, schema: alertRuleCreateBodySchema },
  success: { status: 201, description: 'The rule.', schema: alertRuleSchema },
  errors: [400, 401, 403, 409, 422, 500, 502],
};

/** `GET /v1/alert-rules/{rule_id}`. Source: section 9. */
export const alertRuleGetOperation: Operation = {
  ...shared,
  ...one,
  id: 'alertRuleGet',
  method: 'GET',
  summary: 'One rule.',
  success: { status: 200, description: 'The rule.', schema: alertRuleSchema },
  errors: [401, 403, 404, 422, 500],
};

/** `PATCH /v1/alert-rules/{rule_id}`: fields get fixed values, so twice is as once. Source: section 9. */
export const alertRuleUpdateOperation: Operation = {
  ...shared,
  ...one,
  id: 'alertRuleUpdate',
  method: 'PATCH',
  summary: 'Change a rule.',
  body: { isRequired: true, schema: alertRuleUpdateBodySchema },
  success: { status: 200, description: 'The rule.', schema: alertRuleSchema },
  errors: [400, 401, 403, 404, 422, 500, 502],
};

/** `DELETE /v1/alert-rules/{rule_id}`. Source: section 9. */
export const alertRuleDeleteOperation: Operation = {
  ...shared,
  ...one,
  id: 'alertRuleDelete',
  method: 'DELETE',
  summary: 'Delete a rule.',
  success: { status: 204, description: 'The rule is gone.' },
  errors: [401, 403, 404, 422, 500],
};
