import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compareOpenApi } from '../../../test/api/openapi/compare-openapi.ts';
import { buildOpenApi } from './build-openapi.ts';
import type { OpenApiDocument } from './openapi-document.ts';

const build = (vendorNames: boolean): OpenApiDocument =>
  buildOpenApi({
    version: '0.0.0',
    servers: { runtime: 'https://api.us-1.example.com', monitoring: 'https://api.us.example.com' },
    vendorNames,
  });
const load = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../../../test/openapi/${name}.json`, import.meta.url), 'utf8'));

const LIMIT = 'the documents disagree; 1 to 5000, default 5 is what the contract follows (section 15, row 1)';
const NEUTRAL = 'neutral name by default, the vendor’s where the deployment says so (section 15, row 2)';
const ENTITIES = 'a mapping; the array is read too (section 15, row 3)';
const WHITELIST = 'a whitelist of the project may leave any field out on v1 (section 4.3)';
const DESK_METRICS = 'two metrics of the desk besides the six (section 15, row 17)';
const OUT_OF_SCOPE = 'out of scope (sections 4.4 and 6)';

const METRICS = [
  ...['turn_latency_p50', 'turn_latency_p95', 'api_errors'],
  ...['function_errors', 'call_crashes', 'call_volume'],
];
const v1 = 'GET /v1/{account_id}/{project_id}/conversations: ';
const v3 = 'GET /v3/{account_id}/{project_id}/conversations: ';
const byId = 'GET /v1/agents/{agentId}/conversations/{conversationId}: ';
const whitelisted = ['id', 'account_id', 'project_id', 'environment', 'started_at', 'channel', 'in_progress'];

/** Intended differences from the reference, with reasons. */
const intended: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'conversations-v1': {
    [`${v1}200.conversations[].polyai_duration: is not there`]: NEUTRAL,
    [`${v1}200.conversations[].turns[].entities: type array is object,null here`]: ENTITIES,
    ...Object.fromEntries(
      whitelisted.map((field) => [`${v1}200.conversations[].${field}: is not required`, WHITELIST]),
    ),
  },
  'conversations-v3': {
    [`${v3}query parameter limit: default is 5 instead of 1000`]: LIMIT,
    [`${v3}query parameter limit: maximum is 5000 instead of 1000`]: LIMIT,
    [`${v3}200.conversations[].polyai_duration: is not there`]: NEUTRAL,
    [`${v3}200.conversations[].turns[].entities: type array is object here`]: ENTITIES,
    [`${byId}200.polyaiDuration: is not there`]: NEUTRAL,
    [`${byId}200.polyScore: is not there`]: NEUTRAL,
    [`${byId}200.turns[].entities: type array is object here`]: ENTITIES,
    'GET /v1/agents/{agentId}/conversations/{conversationId}/audio: is not there': OUT_OF_SCOPE,
    'POST /v1/agents/{agentId}/debug-chat: is not there': OUT_OF_SCOPE,
    'POST /v1/agents/{agentId}/debug-chat/{conversationId}: is not there': OUT_OF_SCOPE,
  },
  alerts: Object.fromEntries(
    [
      ...['GET /v1/alert-rules: query parameter', 'GET /v1/alert-rules: 200.data[].'],
      ...['POST /v1/alert-rules: body.', 'POST /v1/alert-rules: 201.'],
      ...['GET /v1/alert-rules/{rule_id}: 200.'],
      ...['PATCH /v1/alert-rules/{rule_id}: body.', 'PATCH /v1/alert-rules/{rule_id}: 200.'],
      ...['GET /v1/alerts: query parameter', 'GET /v1/alerts: 200.data[].'],
    ].map((place) => {
      const where = place.endsWith('.') ? `${place}metric` : `${place} metric`;
      const wider = JSON.stringify([...METRICS, 'desk_wait_time', 'desk_people_available']);
      return [`${where}: enum is ${wider} instead of ${JSON.stringify(METRICS)}`, DESK_METRICS];
    }),
  ),
  'external-events': {
    'POST /internal/v1/agentic-dial/bridge-ended: is not there': OUT_OF_SCOPE,
  },
};

const files = [
  ...['chat', 'conversations-v1', 'conversations-v3', 'concurrent-calls', 'external-events', 'dni'],
  ...['agents-generate-audio', 'alerts', 'webhooks', 'handoff'],
];

describe('our OpenAPI document', () => {
  it.each(files)('differs from the reference %s only where it is meant to', (name) => {
    expect(compareOpenApi(load(name), build(false))).toEqual(Object.keys(intended[name] ?? {}));
  });

  it.each(files)('has all names of the reference %s when vendor names are on', (name) => {
    const left = Object.entries(intended[name] ?? {}).filter(([, reason]) => reason !== NEUTRAL);
    expect(compareOpenApi(load(name), build(true))).toEqual(left.map(([difference]) => difference));
  });
});

describe('the comparison', () => {
  const reference = JSON.stringify(load('webhooks'));
  const differencesAfter = (pattern: RegExp, replacement: string): readonly string[] => {
    expect(reference).toMatch(pattern);
    return compareOpenApi(JSON.parse(reference.replace(pattern, replacement)), build(false));
  };

  it.each<[RegExp, string, string]>([
    [/"\/v1\/webhook-endpoints"/, '"/v1/webhooks"', 'POST /v1/webhooks: is not there'],
    [/"rotate-secret"|\/rotate-secret"/, '/turn-secret"', 'turn-secret: is not there'],
    [/"pattern":"\^https:\/\/"/, '"pattern":"^http://"', 'pattern is "^https://" instead of "^http://"'],
    [/"required":\["signing_secret"\]/, '"required":["signing_key"]', 'signing_key: is not required'],
    [
      /"name":"enabled","in":"query","required":false/,
      '"name":"enabled","in":"query","required":true',
      'required differs',
    ],
    [/"alerts.resolved"\]/, '"alerts.ended"]', 'enum is'],
    [/"409":/, '"418":', 'status 418 is not there'],
    [
      /"additionalProperties":false/,
      '"properties2":0,"additionalProperties":false,"required":["name"]',
      'is required only here',
    ],
  ])('detects the difference from the reference: %s', (pattern, replacement, expected) => {
    expect(differencesAfter(pattern, replacement).join('\n')).toContain(expected);
  });
});
