/** Common parts of all calls: the platform's address, the account and the project. */
export interface CallScope {
  /** Such as `https://chat.example.com`. */
  readonly origin: string;
  readonly accountId: string;
  readonly project: string;
}

/** A call as a command, and as a program with the SDK. */
export interface Calls {
  readonly curl: string;
  readonly sdk: string;
}

/** A text as one word of a shell. */
const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const json = (value: unknown): string => JSON.stringify(value, null, 2);

function post(url: string, header: string, body: unknown): string {
  return [
    `curl -X POST ${quote(url)}`,
    `  -H '${header}: YOUR_KEY'`,
    "  -H 'Content-Type: application/json'",
    `  -d ${quote(json(body))}`,
  ].join(' \\\n');
}

function program(options: readonly string[], call: string): string {
  return [
    "import { createNatter } from '@natter/sdk';",
    '',
    'const natter = createNatter({',
    ...options.map((option) => `  ${option},`),
    '});',
    call,
  ].join('\n');
}

/** A value in the syntax of a program. */
const literal = (text: string): string => quote(text).replaceAll(`'\\''`, "\\'");

/** Reserves a number. */
export function toNumberCalls({ origin }: CallScope, attributes: Readonly<Record<string, unknown>>): Calls {
  return {
    curl: post(`${origin}/v1/conversations/dni-reservation`, 'X-Api-Key', { attributes }),
    sdk: program(
      [`baseUrl: ${literal(origin)}`, "apiKeys: { numbers: 'YOUR_KEY' }"],
      `const { dni } = await natter.numbers.reserve(${json({ attributes })});`,
    ),
  };
}

/** Sends an external event to a conversation. */
export function toEventCalls(
  { origin, accountId, project }: CallScope,
  eventId: string,
  content: Readonly<Record<string, unknown>>,
): Calls {
  const query = new URLSearchParams({
    ...{ event_id_location: 'querystring', event_id_path: 'event', event: eventId },
    ...{ account_id: accountId, project_id: project },
  });
  return {
    curl: post(`${origin}/v1/external-events/webhook?${query}`, 'X-Api-Key', content),
    sdk: program(
      [
        `baseUrl: ${literal(origin)}`,
        "apiKeys: { externalEvents: 'YOUR_KEY' }",
        `accountId: ${literal(accountId)}`,
        `projectId: ${literal(project)}`,
      ],
      `await natter.externalEvents.send(${json({
        ...{ event_id_location: 'querystring', event_id_path: 'event', event_id: eventId },
        content: { json: content },
      })});`,
    ),
  };
}

/** Speaks a text. */
export function toVoiceCalls(
  { origin, project }: CallScope,
  speech: Readonly<Record<string, unknown>>,
): Calls {
  return {
    curl: post(`${origin}/v1/agents/${encodeURIComponent(project)}/generate-audio`, 'X-Api-Key', speech),
    sdk: program(
      [`monitorBaseUrl: ${literal(origin)}`, "monitorApiKey: 'YOUR_KEY'", `projectId: ${literal(project)}`],
      `const { url } = await natter.voice.generateAudio(${json(speech)});`,
    ),
  };
}
