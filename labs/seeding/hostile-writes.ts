import { type Operation, operations } from '@natter/sdk';
import { writeTestEvent } from '../../server-platform/src/api/alerts/index.ts';
import { queueDelivery } from '../../server-platform/src/api/webhooks/index.ts';
import { CONSOLE_ROUTES } from '../../server-platform/src/console-api/console-app.ts';
import { writeConversations } from '../../server-platform/src/realtime/event-log/index.ts';
import { openWait } from '../../server-platform/src/realtime/external-events/index.ts';
import type { PersonRouteInfo } from '../../server-platform/src/staff/index.ts';
import type { ConsoleFixture, TestPerson } from '../../server-platform/test/console-api/console-fixture.ts';
import { recorded, said } from '../../server-platform/test/records/conversations/recorded.ts';
import { HOSTILE_OBJECTS, hostileBodies, hostileLists, PERSON_BYTES, REST_BYTES } from './hostile-bodies.ts';
import { hostileText } from './hostile-conversations.ts';
import { readUntil } from './read-until.ts';

/** A call that changes something. */
export interface HostileWrite {
  /** The operation or route. */
  readonly id: string;
  /** Its hostile trait. */
  readonly what: string;
  /** True: the call has to succeed. Null: the platform may refuse it. */
  readonly isDone: true | null;
  /** Creates the data that the call needs, and returns the call. */
  readonly prepare: () => Promise<() => Promise<Response>>;
}

/** Operations of the REST families that change something. */
export const REST_WRITES: readonly Operation[] = operations.filter(({ method }) => method !== 'GET');
/** The console's calls that change something, and its stream. */
export const CONSOLE_WRITES: readonly PersonRouteInfo[] = CONSOLE_ROUTES.filter(
  ({ method, streams }) => method !== 'GET' || streams === 'text/event-stream',
);

const MESSAGE_BYTES = 131_072;
const ATTRIBUTE_BYTES = 65_000;
const MANY_TURNS = 2_000;
const LONG_TURNS = 20;

const ARTICLE = {
  ...{ title: 'T'.repeat(200), category: 'C'.repeat(100), has_page: false },
  keywords: Array.from({ length: 100 }, (_, n) => `keyword ${n} ${'k'.repeat(60)}`),
  questions: Array.from({ length: 50 }, (_, n) => `Question ${n} ${'q'.repeat(80)}?`),
  suggestions: Array.from({ length: 20 }, (_, n) => `Suggestion ${n}?`),
  body: Array.from({ length: 900 }, (_, n) => `## Heading ${n}\nA line about word${n}.`)
    .join('\n\n')
    .slice(0, 32_000),
};
const QUESTIONS = Array.from({ length: 10 }, (_, n) => hostileText(n * 4).slice(0, 2_000));
const RULE = {
  ...{ metric: 'call_volume', operator: '>', threshold_value: 1, window_duration: '5m', project_id: null },
  name: 'n'.repeat(255),
} as const;
const ENDPOINT = {
  name: 'n'.repeat(255),
  url: `https://example.com/${'p'.repeat(2_000)}`,
  event_types: ['alerts.triggered', 'alerts.resolved'],
  headers: Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`x-h${n}`, 'v'.repeat(1_000)])),
};
const AUDIO = { text: 'ä'.repeat(1_000), language: 'en', config: {} };

/** The calls of the REST families and of the console that change something, each with the hardest that it accepts and refuses. */
export async function hostileWrites(
  fixture: ConsoleFixture,
  admin: TestPerson,
): Promise<readonly HostileWrite[]> {
  const { rest } = fixture;
  const { database, project, clock, keys } = rest;
  const writes: HostileWrite[] = [];
  let count = 0;
  const next = (): string => {
    count += 1;
    return String(count);
  };

  // --- Subjects of the calls ---------------------------------------------------------------------------------------

  const erasure = await rest.addKey({ permissions: ['erasure'], project });
  const KEYS: Readonly<Record<string, string>> = {
    ...{ chat: keys.runtime, externalEvents: keys.externalEvents, numbers: keys.dni, erasure },
    ...{ voice: keys.monitoring, alerts: keys.monitoring, webhooks: keys.monitoring },
  };
  const ask = (
    operation: Operation,
    body?: string,
    place: Readonly<Record<string, string>> = {},
    query = '',
  ) => {
    const ids = { version: 'v3', account_id: 'acme', project_id: 'shop', agentId: project.id, ...place };
    const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name) => Object(ids)[name] ?? 'none');
    const headers = { 'content-type': 'application/json', 'x-token': rest.connectorToken };
    return () =>
      rest.fetch(`${operation.method} ${path}${query}`, {
        ...{ key: KEYS[operation.family] ?? keys.monitoring, headers },
        ...(body !== undefined && { body }),
      });
  };
  const operationOf = (id: string): Operation =>
    operations.find((operation) => operation.id === id) ?? raise(`no operation ${id}`);
  const read = async (answer: Promise<Response>): Promise<Readonly<Record<string, unknown>>> => {
    const response = await answer;
    if (!response.ok) throw new Error(await response.text());
    return await response.json();
  };
  const begin = async (): Promise<string> =>
    String((await read(ask(operationOf('chatCreate'), '{}')()))['conversation_id']);
  const addRule = async (): Promise<string> =>
    String((await read(ask(operationOf('alertRuleCreate'), JSON.stringify(RULE))()))['id']);
  const addEndpoint = async (): Promise<string> =>
    String((await read(ask(operationOf('webhookEndpointCreate'), JSON.stringify(ENDPOINT))()))['id']);
  const addConversation = async (): Promise<string> => {
    const id = `CONV-erased-${next()}`;
    const turns = [
      ...Array.from({ length: MANY_TURNS }, (_, n) => said(`Question ${n}`, 'Yes.')),
      ...Array.from({ length: LONG_TURNS }, (_, n) => said(hostileText(n), 'Yes.')),
    ];
    for (let from = 0; from < turns.length; from += MANY_TURNS)
      await writeConversations(database, [
        recorded(rest, id, {
          ...(from === 0 && { start: { atMs: clock.now() } }),
          turns: turns.slice(from, from + MANY_TURNS),
        }),
      ]);
    return id;
  };
  const addWait = async (): Promise<string> => {
    const eventId = `evt_${next().padStart(26, '0')}`;
    const conversationId = await begin();
    const wait = { type: 'wait_for_event', name: 'paid', timeoutMs: 60_000, eventId } as const;
    const owner = { conversationId, sessionId: null, projectId: project.id };
    await openWait(database, owner, wait, { nowMs: clock.now() });
    return eventId;
  };
  const addNumber = async (): Promise<void> => {
    await database.query('INSERT INTO phone_numbers (number, project_id) VALUES ($1, $2)', [
      `+1555${next().padStart(6, '0')}`,
      project.id,
    ]);
  };
  const addKey = async (): Promise<string> => {
    const body = { name: `key ${next()}`, permissions: ['conversations'] };
    return String((await read(admin.fetch('POST /keys', body)))['id']);
  };
  const addConnector = async (): Promise<string> => {
    const body = { name: `connector ${next()}`, domains: ['example.com'] };
    return String((await read(admin.fetch('POST /connectors', body)))['id']);
  };
  const addArticle = async (): Promise<string> => {
    const slug = `article-${next()}`;
    await read(admin.fetch(`PUT /knowledge/articles/${slug}`, { base: null, article: ARTICLE }));
    return slug;
  };

  // --- The calls --------------------------------------------------------------------------------------------------------

  const send = (id: string, what: string, call: () => Promise<Response>): void =>
    void writes.push({ id, what, isDone: null, prepare: async () => call });
  const done = (id: string, what: string, prepare: HostileWrite['prepare']): void =>
    void writes.push({ id, what, isDone: true, prepare });
  const overRest = (
    id: string,
    what: string,
    make: () => Promise<{ body?: object; place?: Readonly<Record<string, string>> }>,
  ): void =>
    done(id, what, async () => {
      const { body, place } = await make();
      return ask(operationOf(id), body === undefined ? undefined : JSON.stringify(body), place);
    });
  const overConsole = (
    id: string,
    what: string,
    make: () => Promise<{ body?: object; place?: string }> = async () => ({}),
  ): void => {
    const { method, path } = CONSOLE_ROUTES.find((route) => route.id === id) ?? raise(`no route ${id}`);
    done(id, what, async () => {
      const { body, place = 'none' } = await make();
      return () => admin.fetch(`${method} ${path.replace(/\{\w+\}/, place)}`, body);
    });
  };

  for (const [what, make] of Object.entries(HOSTILE_OBJECTS)) {
    const attributes = make(ATTRIBUTE_BYTES);
    overRest('chatCreate', what, async () => ({ body: { integration_attributes: attributes } }));
    overRest('chatRespond', what, async () => ({
      body: { conversation_id: await begin(), message: 'Hi', metadata: make(REST_BYTES - 1_000) },
    }));
    overRest('numberReserve', what, async () => {
      await addNumber();
      return { body: { attributes } };
    });
    overConsole('consoleNumberReserve', what, async () => {
      await addNumber();
      return { body: { attributes: make(PERSON_BYTES - 1_000) } };
    });
    done('externalEventSend', what, async () => {
      const event = await addWait();
      const body = JSON.stringify({ ...make(REST_BYTES - 1_000), event });
      const query = 'event_id_location=payload&event_id_path=event&account_id=acme&project_id=shop';
      return ask(operationOf('externalEventSend'), body, {}, `?${query}`);
    });
    overConsole('consoleEventSend', what, async () => ({
      body: { event_id: await addWait(), json: make(PERSON_BYTES - 1_000) },
    }));
  }
  for (let kind = 0; kind < 4; kind += 1) {
    let message = hostileText(kind) + hostileText(kind);
    while (Buffer.byteLength(message) > MESSAGE_BYTES) message = message.slice(0, -100);
    overRest(
      'chatRespond',
      `a message of ${message.length} characters, ${JSON.stringify(message[1])}`,
      async () => ({
        body: { conversation_id: await begin(), message },
      }),
    );
  }
  const long = await begin();
  for (let n = 0; n < LONG_TURNS; n += 1)
    await read(
      ask(
        operationOf('chatRespond'),
        JSON.stringify({ conversation_id: long, message: hostileText(n * 4) }),
      )(),
    );
  overRest('chatRespond', 'a long history', async () => ({ body: { conversation_id: long, message: 'Hi' } }));
  overRest('chatClose', 'a long history', async () => ({ body: { conversation_id: long } }));
  overRest('voiceGenerateAudio', 'the longest text', async () => ({ body: AUDIO }));
  overConsole('consoleVoicePreview', 'the longest text', async () => ({ body: AUDIO }));
  overRest('alertRuleCreate', 'the longest name', async () => ({ body: RULE }));
  overRest('alertRuleUpdate', 'the longest name', async () => ({
    body: RULE,
    place: { rule_id: await addRule() },
  }));
  overRest('alertRuleDelete', 'a rule', async () => ({ place: { rule_id: await addRule() } }));
  overConsole('consoleAlertRuleAdd', 'the longest name', async () => ({ body: RULE }));
  overConsole('consoleAlertRuleChange', 'the longest name', async () => ({
    body: RULE,
    place: await addRule(),
  }));
  overConsole('consoleAlertRuleDelete', 'a rule', async () => ({ place: await addRule() }));
  const endpointOf = async () => ({ place: { endpoint_id: await addEndpoint() } });
  overRest('webhookEndpointCreate', 'many headers', async () => ({ body: ENDPOINT }));
  overRest('webhookEndpointUpdate', 'many headers', async () => ({
    body: ENDPOINT,
    ...(await endpointOf()),
  }));
  overRest('webhookEndpointDelete', 'an endpoint', endpointOf);
  overRest('webhookSecretRotate', 'an endpoint', endpointOf);
  overConsole('consoleWebhookEndpointAdd', 'many headers', async () => ({ body: ENDPOINT }));
  overConsole('consoleWebhookEndpointChange', 'many headers', async () => ({
    ...{ body: ENDPOINT, place: await addEndpoint() },
  }));
  overConsole('consoleWebhookEndpointDelete', 'an endpoint', async () => ({ place: await addEndpoint() }));
  overConsole('consoleWebhookSecret', 'an endpoint', async () => ({ place: await addEndpoint() }));
  overConsole('consoleWebhookTest', 'an endpoint', async () => ({
    body: { event_type: 'alerts.triggered' },
    place: await addEndpoint(),
  }));
  overConsole('consoleWebhookResend', 'a delivery', async () => {
    const event = writeTestEvent('alerts.triggered', clock.now());
    const place = await queueDelivery(database, await addEndpoint(), event, clock.now());
    await database.query("UPDATE webhook_deliveries SET state = 'dead' WHERE id = $1", [place]);
    return { place };
  });
  overConsole('consoleReceiverOpen', 'a receiver', async () => {
    await read(admin.fetch('DELETE /webhook-receiver'));
    return { body: { answers: 200 } };
  });
  overConsole('consoleReceiverRemove', 'a receiver');
  overRest('erase', 'a long conversation', async () => ({
    body: { conversation_id: await addConversation() },
  }));
  overConsole('consoleConversationErase', 'a long conversation', async () => ({
    place: await addConversation(),
  }));
  overConsole('consoleKeyAdd', 'the longest name', async () => ({
    body: { name: next().padStart(100, 'n'), permissions: ['conversations'] },
  }));
  overConsole('consoleKeyRotate', 'a key', async () => ({
    body: { overlap_hours: 1 },
    place: await addKey(),
  }));
  overConsole('consoleKeyRevoke', 'a key', async () => ({ place: await addKey() }));
  overConsole('consoleConnectorAdd', 'many domains', async () => ({
    body: {
      name: next().padStart(100, 'n'),
      domains: Array.from({ length: 50 }, (_, n) => `d${n}.example.com`),
    },
  }));
  overConsole('consoleConnectorRevoke', 'a connector', async () => ({ place: await addConnector() }));
  overConsole('consoleConnectorRemove', 'a connector', async () => {
    const place = await addConnector();
    await read(admin.fetch(`POST /connectors/${place}/revoke`));
    return { place };
  });
  overConsole('consoleArticlePublish', 'a long article', async () => ({
    body: { base: null, article: ARTICLE },
    place: `article-${next()}`,
  }));
  overConsole('consoleArticleDelete', 'a long article', async () => ({
    body: { base: 1 },
    place: await addArticle(),
  }));
  overConsole('consoleArticleRestore', 'a long article', async () => ({
    body: { base: 1, number: 1 },
    place: await addArticle(),
  }));
  const draft = { slug: 'draft', ...ARTICLE };
  overConsole('consoleAgentAnswer', 'a long draft', async () => ({ body: { questions: ['Hi'], draft } }));
  overConsole('consoleAgentAnswer', 'long questions', async () => ({ body: { questions: QUESTIONS } }));
  overConsole('consoleEvaluate', 'a long draft', async () => ({ body: { draft } }));

  for (const operation of REST_WRITES) {
    const schema = operation.body?.schema;
    if (schema === undefined) continue;
    for (const [what, body] of hostileBodies(schema, REST_BYTES))
      send(operation.id, what, ask(operation, body));
  }
  for (const { id, method, path, body: schema } of CONSOLE_WRITES) {
    if (schema === undefined) continue;
    for (const [what, body] of hostileBodies(schema, PERSON_BYTES)) {
      const parsed: object = JSON.parse(body);
      send(id, what, () => admin.fetch(`${method} ${path.replace(/\{\w+\}/, 'none')}`, parsed));
    }
  }
  for (const [what, list] of hostileLists(REST_BYTES - 100)) {
    const body = `{"type":"message","agent":{"id":"a","name":"A"},"text":"Hi","attachments":${list}}`;
    send('deskEventSend', what, () =>
      rest.fetch('POST /v1/acme/shop/handoffs/none/events', { key: keys.runtime, body }),
    );
  }
  done('consoleLive', 'open conversations', async () => async () => {
    return await readUntil(await admin.fetch('GET /live'), 'event: list');
  });
  // Nothing above is resolved by hand: there is no incident.
  send('consoleAlertResolve', 'no incident', () => admin.fetch('POST /alert-rules/ar_none/resolve'));
  return writes;
}

function raise(message: string): never {
  throw new Error(message);
}
