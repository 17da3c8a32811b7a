import { toJsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { type ExampleFrame, receivedExample, SENT_EXAMPLES } from './frame-examples.ts';
import { receivedFrame, sentFrame } from './frame-schema.ts';
import { text } from './payload-parts.ts';
import { RECEIVED_EVENTS, type ReceivedType } from './received-events.ts';
import { SENT_EVENTS, type SentType } from './sent-events.ts';

/** Address of the deployment's socket. */
export interface SocketServer {
  /** Host and port. */
  readonly host: string;
  readonly protocol: 'ws' | 'wss';
}

/** An AsyncAPI 3.0 document. */
export type AsyncApiDocument = Readonly<Record<string, unknown>>;

type Reference = { readonly $ref: string };

/** Echoes by the event that they confirm. Typing and receipts have none. Source: ECH-1. */
const ECHOES: Readonly<Partial<Record<SentType, ReceivedType>>> = {
  EVENT_TYPE_REQUEST_AGENT_JOIN: 'EVENT_TYPE_REQUEST_AGENT_JOIN',
  EVENT_TYPE_USER_MESSAGE: 'EVENT_TYPE_USER_MESSAGE',
  EVENT_TYPE_USER_END_SESSION: 'EVENT_TYPE_USER_END_SESSION',
  EVENT_TYPE_HEARTBEAT: 'EVENT_TYPE_HEARTBEAT',
  EVENT_TYPE_CSAT_RESPONSE: 'EVENT_TYPE_CSAT_RESPONSE',
  EVENT_TYPE_X_FEEDBACK: 'EVENT_TYPE_X_FEEDBACK',
};

const DESCRIPTION =
  `The socket of one session. Get an access token and a session over HTTP first (see /openapi.json), then
open /ws with both. The platform sends the history, then what happens. Every frame is one JSON text. Event names of the
automated agent have a second spelling, with POLY_AGENT in place of AGENT; both ends read both.`.replaceAll(
    '\n',
    ' ',
  );

const query = v.object({
  session_id: v.pipe(v.string(), v.uuid(), v.description('From POST /api/v1/sessions.')),
  access_token: text('The token that the session was made with.'),
  cursor: v.exactOptional(
    v.pipe(
      v.string(),
      v.regex(/^(seq:)?[0-9]+$/),
      v.description('Highest sequence that the client has; left out: none (CUR-1).'),
    ),
  ),
});

/** Builds the socket's AsyncAPI document from the schemas and examples of its frames. */
export function buildAsyncApi(version: string, server: SocketServer): AsyncApiDocument {
  const sent = keysOf(SENT_EVENTS);
  const received = keysOf(RECEIVED_EVENTS);
  const messages = Object.fromEntries([
    ...sent.map((type) => [
      sentName(type),
      writeMessage(type, SENT_EVENTS[type].summary, sentFrame(type), SENT_EXAMPLES[type]),
    ]),
    ...received.map((type) => [
      receivedName(type),
      writeMessage(type, RECEIVED_EVENTS[type].summary, receivedFrame(type), receivedExample(type)),
    ]),
  ]);
  const references = Object.keys(messages).map((name) => [name, { $ref: `#/components/messages/${name}` }]);
  return {
    asyncapi: '3.0.0',
    info: { title: 'Natter messaging', version, description: DESCRIPTION },
    defaultContentType: 'application/json',
    servers: { platform: { ...server, security: [{ $ref: '#/components/securitySchemes/accessToken' }] } },
    channels: {
      session: {
        address: '/ws',
        title: 'The socket of a session',
        messages: Object.fromEntries(references),
        bindings: { ws: { method: 'GET', query: writeSchema(query), bindingVersion: '0.1.0' } },
      },
    },
    operations: {
      ...Object.fromEntries(sent.map((type) => [`receive${capitalise(sentName(type))}`, writeReceive(type)])),
      sendEvents: {
        action: 'send',
        channel: { $ref: '#/channels/session' },
        summary: 'What happens in the session.',
        messages: received.map((type) => messageOf(receivedName(type))),
      },
    },
    components: {
      messages,
      securitySchemes: { accessToken: { type: 'httpApiKey', name: 'access_token', in: 'query' } },
    },
  };
}

/** Describes the platform's response to a client event: its echo, or a SYSTEM_MESSAGE with the reason for a refusal. */
function writeReceive(type: SentType): object {
  const echo = ECHOES[type];
  const answers = [...(echo === undefined ? [] : [echo]), 'EVENT_TYPE_SYSTEM_MESSAGE' as const];
  return {
    action: 'receive',
    channel: { $ref: '#/channels/session' },
    summary: SENT_EVENTS[type].summary,
    messages: [messageOf(sentName(type))],
    reply: {
      channel: { $ref: '#/channels/session' },
      messages: answers.map((answer) => messageOf(receivedName(answer))),
    },
  };
}

function writeMessage(name: string, summary: string, schema: v.GenericSchema, example: ExampleFrame): object {
  return { name, title: name, summary, payload: writeSchema(schema), examples: [{ name, payload: example }] };
}

function writeSchema(schema: v.GenericSchema): object {
  // The dialect belongs to the document, not to each schema.
  const { $schema: _, ...json } = toJsonSchema(schema);
  return json;
}

const messageOf = (name: string): Reference => ({ $ref: `#/channels/session/messages/${name}` });

/** `userMessage` for `EVENT_TYPE_USER_MESSAGE`. */
const sentName = (type: SentType | ReceivedType): string =>
  type
    .replace('EVENT_TYPE_', '')
    .toLowerCase()
    .replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Like `sentName`, but `userMessageEcho` for types that clients also send. */
const receivedName = (type: ReceivedType): string =>
  sentName(type) + (Object.values(ECHOES).includes(type) ? 'Echo' : '');

const capitalise = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

const keysOf = <Key extends string>(record: Readonly<Record<Key, unknown>>): readonly Key[] =>
  Object.keys(record) as Key[];
