import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type ContractAnswer,
  type ContractPlatform,
  type ContractRequest,
  startContractPlatform,
} from './contract-platform.ts';
import { asObject, findMisfits, resolve } from './json-schema.ts';
import { operationsOf, type ReferenceOperation, readReferenceOperations } from './reference-operations.ts';
import { almostFitting, fitting } from './schema-arbitraries.ts';

/** Operations of the reference that are not part of the contract. */
const OUT_OF_SCOPE: ReadonlySet<string> = new Set([
  // Section 4.4, and the groups that section 6 excludes.
  'GET /v1/agents/{agentId}/conversations/{conversationId}',
  'GET /v1/agents/{agentId}/conversations/{conversationId}/audio',
  'POST /v1/agents/{agentId}/debug-chat',
  'POST /v1/agents/{agentId}/debug-chat/{conversationId}',
  'POST /internal/v1/agentic-dial/bridge-ended',
]);

/**
 * Intended differences between answers and the reference's schema, with reasons. Source: section 15 and the named
 * sections.
 */
const DIFFERENCES: readonly (readonly [RegExp, string])[] = [
  [
    /^GET \/v1\/\S*\/conversations 200 \S+: is null, not string$/,
    'v1 writes null for an empty text (section 4.3)',
  ],
  [/ 200 \S+_datetime: "" is no date-time$/, 'the time of a turn without a value is empty (CV-15)'],
  [/ 200 \S+\.metrics\.CALL_TURN: fits none of oneOf$/, 'CALL_TURN is a list also of one time (CV-12)'],
  [/ 200 \S+\.entities: is \{.*\}, not array$/, 'entities are a mapping (section 15, row 3)'],
];

/** Statuses of the contract that the reference does not list. */
const MORE_STATUSES: Readonly<Record<string, readonly number[]>> = {
  // Section 15, row 10.
  'POST /{version}/{account_id}/{project_id}/chat/respond': [410],
  // Section 15, row 16.
  'GET /v1/{account_id}/{project_id}/conversations/concurrency': [501],
  // Section 10: an invalid filter.
  'GET /v1/alerts': [400],
};

/** Operations that may answer 400 to a valid request, because of its meaning. */
const MAY_BE_REFUSED: ReadonlySet<string> = new Set([
  // Ids that were never issued (EE-4).
  'POST /v1/external-events/webhook',
  // Providers that the deployment lacks (section 8).
  'POST /v1/agents/{agentId}/generate-audio',
]);

// The same requests in every run, so that a failure comes from the code; another seed tests others.
const RUN = { seed: Number(process.env['CONTRACT_SEED'] ?? 20_260_302), numRuns: 20 };

const operations = readReferenceOperations().filter(({ id }) => !OUT_OF_SCOPE.has(id));
const withBody = operations.filter(({ body, id }) => body !== null && !id.includes('external-events'));
const withEnums = operations.filter((operation) => faultsOf(operation).length > 0);

describe('the reference’s descriptions', () => {
  let platform: ContractPlatform;
  let own: ReadonlyMap<string, ReferenceOperation>;
  /** Existing values for parts of paths and bodies. */
  const known: Record<string, string> = {};
  beforeAll(async () => {
    platform = await startContractPlatform();
    own = new Map(operationsOf(platform.description).map((each) => [each.id, each]));
    const make = async (path: string, body: object, field: string): Promise<string> => {
      const { json } = await platform.send({ method: 'POST', path }, { body });
      return String(asObject(json)[field]);
    };
    const chat = '/v1/{account_id}/{project_id}/chat';
    known['conversation_id'] = await make(`${chat}/create`, {}, 'conversation_id');
    const asked = { conversation_id: known['conversation_id'], message: 'When does the ferry leave?' };
    await make(`${chat}/respond`, asked, 'response');
    const rule = {
      name: 'r',
      metric: 'call_volume',
      operator: '>=',
      threshold_value: 0,
      window_duration: '5m',
    };
    known['rule_id'] = await make('/v1/alert-rules', rule, 'id');
    const endpoint = { name: 'e', url: 'https://example.com/', event_types: ['alerts.resolved'] };
    known['endpoint_id'] = await make('/v1/webhook-endpoints', endpoint, 'id');
  });
  afterAll(() => platform.close());

  const seen = new Set<string>();
  const isExpected = (difference: string): boolean => {
    const [, reason] = DIFFERENCES.find(([pattern]) => pattern.test(difference)) ?? [];
    if (reason !== undefined) seen.add(reason);
    return reason !== undefined;
  };

  /** Sends a request, and checks the answer against the reference's schema of its status and the platform's own. */
  const check = async (operation: ReferenceOperation, request: ContractRequest): Promise<ContractAnswer> => {
    const answer = await platform.send(operation, request);
    const { status, json, text } = answer;
    const said = `${operation.id} ${JSON.stringify(request)} → ${status} ${text.slice(0, 300)}`;
    const documented = [
      ...Object.keys(operation.answers).map(Number),
      ...(MORE_STATUSES[operation.id] ?? []),
    ];
    expect(documented, said).toContain(status);
    const ours = own.get(operation.id) ?? own.get(operation.id.replace('{version}', 'v1'));
    expect(Object.keys(ours?.answers ?? {}), said).toContain(String(status));
    for (const described of [operation, ours]) {
      const schema = described?.answers[status] ?? null;
      if (described === undefined || schema === null) continue;
      const misfits = findMisfits(described.file, schema, json).filter(
        (line) => described !== operation || !isExpected(`${operation.id} ${status} ${line}`),
      );
      expect(misfits, said).toEqual([]);
    }
    return answer;
  };
  /** Deletes what a request created, because an account may have only ten of these. */
  const undo = async (
    { method, path }: ReferenceOperation,
    { status, json }: ContractAnswer,
  ): Promise<void> => {
    if (method !== 'POST' || status !== 201 || json === undefined) return;
    await platform.send({ method: 'DELETE', path: `${path}/${asObject(json)['id']}` });
  };

  describe.each(operations)('$id', (operation) => {
    const query = queryOf(operation);
    const body =
      operation.body === null ? fc.constant(undefined) : fitting(operation.file, operation.body, '');

    it('answers a valid request of the reference as described', async () => {
      await fc.assert(
        fc.asyncProperty(query, body, fc.boolean(), async (given, content, isKnown) => {
          const request = complete(operation, { query: given, body: content }, isKnown ? known : {});
          const answer = await check(operation, request);
          const unfit = MAY_BE_REFUSED.has(operation.id) ? [500] : [400, 500];
          expect(unfit, JSON.stringify(request)).not.toContain(answer.status);
          await undo(operation, answer);
        }),
        RUN,
      );
    });
  });

  describe.each(withEnums)('$id', (operation) => {
    it('refuses a reference request with a faulty parameter', async () => {
      await fc.assert(
        fc.asyncProperty(queryOf(operation), faultyParameter(operation), async (given, fault) => {
          const { status } = await check(
            operation,
            complete(operation, { query: { ...given, ...fault } }, known),
          );
          expect([400, 422], JSON.stringify(fault)).toContain(status);
        }),
        RUN,
      );
    });
  });

  describe.each(withBody)('$id', (operation) => {
    it('refuses a reference request with a faulty body', async () => {
      await fc.assert(
        fc.asyncProperty(almostFitting(operation.file, operation.body), async (content) => {
          const { status } = await check(operation, complete(operation, { body: content }, known));
          expect([400, 422], JSON.stringify(content)).toContain(status);
        }),
        RUN,
      );
    });
  });

  it('the reference differs from the contract only in the listed ways', () => {
    expect([...seen].sort()).toEqual(DIFFERENCES.map(([, reason]) => reason).sort());
  });
});

/** Valid queries: required parameters always, others sometimes, in combinations that the contract allows. */
function queryOf({ id, file, parameters }: ReferenceOperation): fc.Arbitrary<Record<string, unknown>> {
  const inQuery = parameters.filter((each) => each.in === 'query');
  const entries = inQuery.map(({ name, schema }) => [name, fitting(file, schema, name)] as const);
  const requiredKeys = inQuery.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  const needed = entries.filter(([name]) => requiredKeys.includes(name));
  return fc
    .oneof(
      // Every filter narrows the result, and sometimes a query matches existing data.
      fc.record(Object.fromEntries(needed)),
      fc.record(Object.fromEntries(entries), { requiredKeys }),
    )
    .map((query) => harmonise(id, { ...query }));
}

const HOUR_MS = 3_600_000;

/** Removes parameters that exclude each other (CV-1, CV-2, CV-8, sections 5 and 14). */
function harmonise(id: string, query: Record<string, unknown>): Record<string, unknown> {
  if (typeof query['start_time'] === 'string' && 'end_time' in query) {
    query['end_time'] = new Date(Date.parse(query['start_time']) + HOUR_MS).toISOString();
  }
  if ('variant_id' in query) delete query['variant_name'];
  // A cursor must come from an earlier answer.
  delete query['cursor'];
  if (id.startsWith('GET /v3')) harmoniseRetrieval(query);
  if (id.endsWith('/handoff_state') && !('id' in query)) query['shared_id'] ??= 'ours';
  return query;
}

/** Sets one retrieval mode or none, with all its parameters. */
function harmoniseRetrieval(query: Record<string, unknown>): void {
  const { query_type: type, sample } = query;
  const mode = type ?? sample;
  if (type === undefined) delete query['query'];
  else {
    query['query'] ??= 'ferry';
    delete query['sample'];
  }
  if (type !== 'transcript') delete query['turn_type'];
  if (mode === undefined) return;
  if (mode !== 'transcript') delete query['offset'];
  query['start_time'] = '2026-03-01T00:00:00Z';
  query['end_time'] = '2026-03-08T00:00:00Z';
}

/** Returns single parameters with an invalid value: outside an enumeration or a range, or given twice. */
function faultsOf({ parameters, file }: ReferenceOperation): readonly Readonly<Record<string, unknown>>[] {
  return parameters
    .filter((each) => each.in === 'query')
    .flatMap(({ name, schema }) => {
      const { enum: allowed, type, minimum, maximum, format } = resolve(file, schema);
      const bad: unknown[] = [];
      if (Array.isArray(allowed)) bad.push('none of these', [allowed[0], allowed[0]]);
      if (type === 'integer') bad.push('many', 1.5, '');
      if (typeof minimum === 'number') bad.push(minimum - 1);
      // Section 15, row 1: the range of `limit` is wider here.
      if (typeof maximum === 'number') bad.push(5001);
      if (type === 'boolean') bad.push('perhaps');
      if (format === 'date-time') bad.push('yesterday', '2026-02-30');
      return bad.map((value) => ({ [name]: value }));
    });
}

const faultyParameter = (operation: ReferenceOperation): fc.Arbitrary<Readonly<Record<string, unknown>>> =>
  fc.constantFrom(...faultsOf(operation));

/** Inserts existing ids into paths and bodies. */
function complete(
  operation: ReferenceOperation,
  { query = {}, body }: ContractRequest,
  known: Readonly<Record<string, string>>,
): ContractRequest {
  const ids = operation.parameters.filter((each) => each.in === 'path' && each.name.endsWith('_id'));
  const unknown = Object.fromEntries(
    ids
      .filter(({ name }) => /^(?:rule|endpoint)_id$/.test(name))
      .map(({ name }) => [name, `${PREFIXES[name]}_0`]),
  );
  const path = { ...unknown, ...known };
  const hasId = typeof asObject(body)['conversation_id'] === 'string' && 'conversation_id' in known;
  const content = hasId ? { ...asObject(body), conversation_id: known['conversation_id'] } : body;
  return { path, query, ...(content === undefined ? {} : { body: content }) };
}

const PREFIXES: Readonly<Record<string, string>> = { rule_id: 'ar', endpoint_id: 'whe' };
