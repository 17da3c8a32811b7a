import type { CallOptions } from '../http/call-options.ts';
import { type ClientCore, checkQuery, writeBody } from '../http/client-core.ts';
import { encodeQuery } from '../http/encode-query.ts';
import { expectDone, readJson } from '../http/read-answer.ts';
import { dataListOf } from '../schema/data-list.ts';
import {
  type AlertRule,
  type AlertRuleCreateBody,
  type AlertRulesQuery,
  type AlertRuleUpdateBody,
  alertRuleCreateBodySchema,
  alertRuleReader,
  alertRulesQuerySchema,
  alertRuleUpdateBodySchema,
} from './alert-rule-schemas.ts';
import {
  alertRuleCreateOperation,
  alertRuleDeleteOperation,
  alertRuleGetOperation,
  alertRulesListOperation,
  alertRuleUpdateOperation,
} from './alert-rules-operations.ts';

/** Rules that raise alerts. Needs `monitorApiKey`; the account comes from the key. Source: section 9. */
export interface AlertRulesClient {
  /** All rules, by creation time. */
  readonly list: (query?: AlertRulesQuery, options?: CallOptions) => Promise<readonly AlertRule[]>;
  /** Creates a rule; the eleventh of an account is refused with 409 `RESOURCE_LIMIT_EXCEEDED` (AL-2). */
  readonly create: (body: AlertRuleCreateBody, options?: CallOptions) => Promise<AlertRule>;
  readonly get: (ruleId: string, options?: CallOptions) => Promise<AlertRule>;
  /** Changes the fields given. Anything but `name` puts the rule back to `ok` (AL-10). */
  readonly update: (ruleId: string, body: AlertRuleUpdateBody, options?: CallOptions) => Promise<AlertRule>;
  readonly delete: (ruleId: string, options?: CallOptions) => Promise<void>;
}

const listReader = dataListOf('AlertRuleList', alertRuleReader);

/** The alert rules family's part of the client. */
export function createAlertRulesClient(core: ClientCore): AlertRulesClient {
  const { transport } = core;
  const byId = (ruleId: string): { readonly pathValues: Readonly<Record<string, string>> } => ({
    pathValues: { rule_id: ruleId },
  });
  return {
    list: async (query = {}, options = {}) => {
      const pairs = checkQuery(alertRulesQuerySchema, encodeQuery({ ...query }));
      const call = { operation: alertRulesListOperation, pathValues: {}, query: pairs, options };
      return (await readJson(transport, call, listReader)).data;
    },
    create: async (body, options = {}) => {
      const written = writeBody(alertRuleCreateBodySchema, body);
      const call = { operation: alertRuleCreateOperation, pathValues: {}, ...written, options };
      return readJson(transport, call, alertRuleReader);
    },
    get: async (ruleId, options = {}) =>
      readJson(transport, { operation: alertRuleGetOperation, ...byId(ruleId), options }, alertRuleReader),
    update: async (ruleId, body, options = {}) => {
      const written = writeBody(alertRuleUpdateBodySchema, body);
      const call = { operation: alertRuleUpdateOperation, ...byId(ruleId), ...written, options };
      return readJson(transport, call, alertRuleReader);
    },
    delete: async (ruleId, options = {}) =>
      expectDone(transport, { operation: alertRuleDeleteOperation, ...byId(ruleId), options }),
  };
}
