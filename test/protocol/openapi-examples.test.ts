import type { Platform } from '@natter/platform';
import { createNatter } from '@natter/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CREDENTIALS, startExamplePlatform } from './example-platform.ts';
import { findDifferences } from './find-differences.ts';
import { type HttpAnswer, sendRequest } from './send-request.ts';
import { signContext } from './sign-context.ts';

interface Content {
  readonly example?: unknown;
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly example?: unknown }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Content>> }>>;
}

interface Call {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** The calls in an order that provides the data for each. */
const ORDER: readonly string[] = [
  'accessTokenCreate',
  'sessionCreate',
  'sessionContextSubmit',
  'chatCreate',
  'chatRespond',
  'chatClose',
  'conversationsListV1',
  'conversationsListV2',
  'conversationsListV3',
  'conversationGet',
  'concurrencyGet',
  'externalEventSend',
  'numberReserve',
  'voiceGenerateAudio',
  'alertRuleCreate',
  'alertRulesList',
  'alertRuleGet',
  'alertRuleUpdate',
  'alertRuleDelete',
  'webhookEndpointCreate',
  'webhookEndpointsList',
  'webhookEndpointGet',
  'webhookEndpointUpdate',
  'webhookSecretRotate',
  'webhookEndpointDelete',
  'handoffGet',
  'erase',
];

/** Needs a firing rule, which takes an evaluation. */
const ALERTS = 'alertsList';

/** Needs a desk over HTTP; the test of that desk (`http-desk.test.ts`) sends its example. */
const DESK_EVENT = 'handoffEventSend';

const HTTP_METHODS: ReadonlySet<string> = new Set(['get', 'post', 'put', 'patch', 'delete']);

async function readCalls(platform: Platform): Promise<ReadonlyMap<string, Call>> {
  const { paths }: Document = await (await fetch(`${platform.url}/openapi.json`)).json();
  const calls = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => HTTP_METHODS.has(method))
      .map(([method, operation]): Call => ({ method: method.toUpperCase(), path, operation })),
  );
  return new Map(calls.map((call) => [call.operation.operationId, call]));
}

function keyFor(id: string): string {
  if (id === 'externalEventSend') return CREDENTIALS.events_key;
  if (id === 'numberReserve') return CREDENTIALS.numbers_key;
  if (id === 'erase') return CREDENTIALS.erasure_key;
  if (/^conversationsListV[12]$/.test(id)) return CREDENTIALS.legacy_key;
  return /^(?:alert|webhook|voice|conversationGet)/.test(id)
    ? CREDENTIALS.monitoring_key
    : CREDENTIALS.runtime_key;
}

/** Sends the examples of one platform's description. Received values replace the placeholders of later examples. */
class ExampleCalls {
  readonly #url: string;
  /** Received ids and tokens, by the value in the example. */
  readonly #came = new Map<string, string>();

  constructor(url: string) {
    this.#url = url;
  }

  /**
   * Sends the example of a call once per media type, and returns the differences of each answer from its description.
   */
  async send({ method, path, operation }: Call): Promise<readonly string[]> {
    const { operationId: id, parameters = [], requestBody, responses } = operation;
    const examplesIn = (place: string) =>
      Object.fromEntries(
        parameters
          .filter((each) => each.in === place && each.example !== undefined)
          .map((each) => [each.name, String(each.example)]),
      );
    const inPath = examplesIn('path');
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => this.#replace(inPath[name] ?? ''));
    const target = `${filled}?${this.#replace(new URLSearchParams(examplesIn('query')).toString())}`;
    const token = [...this.#came.values()].find((each) => each.startsWith('eyJ')) ?? '';
    const headers = {
      ...examplesIn('header'),
      'X-API-KEY': keyFor(id),
      'X-TOKEN': CREDENTIALS.connector_token,
      Authorization: `Bearer ${token}`,
    };
    const [success] = Object.entries(responses).filter(([status]) => status.startsWith('2'));
    const example = success?.[1].content?.['application/json']?.example;
    const bodies = requestBody === undefined ? { '': {} } : requestBody.content;
    const differences: string[] = [];
    for (const [type, content] of Object.entries(bodies)) {
      const body = this.#replace(await this.#write(id, type, content.example, token));
      const withType = type === '' ? headers : { ...headers, 'Content-Type': type };
      const answer = await sendRequest(this.#url, { method, path: target, headers: withType, body });
      differences.push(
        ...this.#compare(`${id} ${type}`, { status: Number(success?.[0]), json: example }, answer),
      );
    }
    return differences;
  }

  async #write(id: string, type: string, example: unknown, token: string): Promise<string> {
    if (example === undefined) return '';
    if (id === 'sessionContextSubmit') {
      const session = [...this.#came.values()].find((each) => /^[0-9a-f-]{36}$/.test(each)) ?? '';
      return JSON.stringify({
        token: await signContext(this.#url, { session_id: session, access_token: token }),
      });
    }
    if (type === 'application/x-www-form-urlencoded')
      return new URLSearchParams(Object.entries(Object(example))).toString();
    return typeof example === 'string' ? example : JSON.stringify(example);
  }

  #compare(place: string, example: HttpAnswer, answer: HttpAnswer): readonly string[] {
    for (const [key, value] of Object.entries(Object(example.json))) {
      const came: unknown = Reflect.get(Object(answer.json), key);
      if (typeof value === 'string' && typeof came === 'string' && value !== came)
        this.#came.set(value, came);
    }
    return (
      findDifferences(example, answer)
        // The example shows one of the lines that explain fields.
        .filter((line) => !/^\.json\.descriptions\.conversations\.\w+: .*, not undefined$/.test(line))
        .map((line) => `${place}${line}`)
    );
  }

  #replace(text: string): string {
    return [...this.#came].reduce((done, [example, came]) => done.replaceAll(example, came), text);
  }
}

let platform: Platform;
let calls: ReadonlyMap<string, Call>;
beforeAll(async () => {
  platform = await startExamplePlatform();
  calls = await readCalls(platform);
});
afterAll(() => platform.close());

/** Has a conversation as the customer's server, for examples that need one. */
async function talk(url: string, message: string, shared_id: string): Promise<void> {
  const { chat } = createNatter({
    baseUrl: url,
    apiKey: CREDENTIALS.runtime_key,
    connectorToken: CREDENTIALS.connector_token,
    accountId: 'kittiwake',
    projectId: 'web',
  });
  const { conversation_id } = await chat.create({ integration_attributes: { shared_id } });
  await chat.respond({ conversation_id, message });
}

describe('the examples of /openapi.json', () => {
  it('these tests send all examples of /openapi.json except that of a desk', () => {
    expect([...calls.keys()].sort()).toEqual([...ORDER, ALERTS, DESK_EVENT].sort());
  });

  it('the platform answers the examples of /openapi.json as printed', async () => {
    const sender = new ExampleCalls(platform.url);
    const differences: string[] = [];
    for (const id of ORDER) {
      const call = calls.get(id);
      if (id === 'externalEventSend') await talk(platform.url, 'I would like to pay.', 'B-1');
      if (id === 'handoffGet') await talk(platform.url, 'Call me, please.', 'C-1042');
      if (call !== undefined) differences.push(...(await sender.send(call)));
    }
    expect(differences).toEqual([]);
  });

  it('the examples of /openapi.json show an alert as it is listed while it fires', async () => {
    const watchful = await startExamplePlatform({ alertEvaluationSeconds: 1 });
    try {
      await talk(watchful.url, 'When does the last ferry leave?', 'A-1');
      const { alertRules } = createNatter({
        baseUrl: watchful.url,
        monitorBaseUrl: watchful.url,
        monitorApiKey: CREDENTIALS.monitoring_key,
      });
      const rule = {
        metric: 'call_volume',
        operator: '>',
        threshold_value: 0,
        window_duration: '60m',
      } as const;
      await alertRules.create({ name: 'Many calls', ...rule });
      const call = calls.get(ALERTS);
      const sender = new ExampleCalls(watchful.url);
      await expect.poll(async () => (call === undefined ? null : await sender.send(call))).toEqual([]);
    } finally {
      await watchful.close();
    }
  });
});
