import * as v from 'valibot';
import { invalidArgument } from '../errors/natter-error.ts';
import type { IdempotentCall, ProjectCallOptions } from '../http/call-options.ts';
import { accountIdOf, type ClientCore, checkQuery, projectIdOf, writeJson } from '../http/client-core.ts';
import type { Operation } from '../http/operation.ts';
import { expectDone } from '../http/read-answer.ts';
import type { Call } from '../http/transport.ts';
import { mapOf, nonEmptyText, oneOf, text } from '../schema/fields.ts';
import { isRecord } from '../schema/is-record.ts';
import { type Fields, objectOf, type Schema } from '../schema/object-of.ts';

/** Where the platform finds the event id in the request. Source: section 6. */
export type EventIdLocation = 'headers' | 'querystring' | 'payload';

const query = {
  event_id_location: oneOf<EventIdLocation>('Part of the request that contains the event id.', [
    'headers',
    'querystring',
    'payload',
  ]),
  /** Where an event carries its id. */
  event_id_path: nonEmptyText('Name of the header, parameter or field, or dotted path in the payload.'),
  account_id: nonEmptyText('Account.'),
  project_id: nonEmptyText('Project.'),
};

/** The four control parameters. Source: section 6. */
export interface ExternalEventQuery extends Fields<typeof query> {}

/** Content of the event, in one of four forms. */
export type ExternalEventContent =
  | { readonly json: unknown }
  | { readonly form: Readonly<Record<string, string>> }
  | { readonly xml: string }
  | { readonly text: string };

/** An event for a conversation that waits for it. Source: section 6, EE-2. */
export type ExternalEvent =
  | {
      readonly event_id_location: 'headers' | 'querystring';
      /** Name of the header or of the parameter that carries the id. */
      readonly event_id_path: string;
      /** The id that the agent made. */
      readonly event_id: string;
      readonly content: ExternalEventContent;
    }
  | {
      readonly event_id_location: 'payload';
      /** Where the id is in the content: a key, a dotted path, an element path, a field. */
      readonly event_id_path: string;
      readonly content: ExternalEventContent;
    };

/** Schema of the query. */
export const externalEventQuerySchema: Schema<ExternalEventQuery> = objectOf(
  'ExternalEventQuery',
  'Location of the event id, and its account and project.',
  query,
);

/** Names of the control parameters: no candidates for the id. Source: EE-2. */
export const EXTERNAL_EVENT_PARAMETERS: readonly string[] = Object.keys(query);

/** Longest event id. Source: EE-2. */
export const EVENT_ID_MAX_CHARACTERS = 256;

/** `POST …/external-events/webhook`. Several posts for one id are all stored (EE-5), so it is not repeated. */
export const externalEventSendOperation: Operation = {
  id: 'externalEventSend',
  family: 'externalEvents',
  service: 'runtime',
  method: 'POST',
  path: '/v1/external-events/webhook',
  summary: 'Send an external event to the conversation that waits for it.',
  keyHeader: 'X-Api-Key',
  needsConnectorToken: false,
  repeatability: 'when-refused',
  takesIdempotencyKey: true,
  pathParameters: {},
  query: externalEventQuerySchema,
  body: {
    isRequired: true,
    schema: v.unknown(),
    otherTypes: {
      'application/x-www-form-urlencoded': mapOf('Fields of the event.', text('Value.')),
      'application/xml': text('The event.'),
      'text/plain': text('The event, with `key=value` pairs if it contains the id.'),
    },
  },
  success: { status: 201, description: 'The event is stored.' },
  errors: [400, 401, 403, 404, 409, 422, 500],
  errorShape: 'E',
};

// Headers set by the transport or by fetch; an id must not replace them.
const RESERVED_HEADERS =
  /^(?:x-api-key|content-type|content-length|host|connection|transfer-encoding|accept|cookie|idempotency-key|x-(?:polyai-)?correlation-id)$/i;
const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;

/** External events. Needs a key that is used for nothing else: `apiKeys.externalEvents`. Source: section 6. */
export interface ExternalEventsClient {
  /** Sends an event. Without an `idempotencyKey` it is sent again only when it was refused with 429: every post is stored. */
  readonly send: (event: ExternalEvent, options?: ProjectCallOptions & IdempotentCall) => Promise<void>;
}

/** The external events family's part of the client. */
export function createExternalEventsClient(core: ClientCore): ExternalEventsClient {
  return {
    send: async (event, options = {}) => {
      const control = checkQuery(externalEventQuerySchema, {
        event_id_location: event.event_id_location,
        event_id_path: event.event_id_path,
        account_id: accountIdOf(core, options),
        project_id: projectIdOf(core, options),
      });
      const place = placeEventId(event);
      return expectDone(core.transport, {
        operation: externalEventSendOperation,
        pathValues: {},
        ...writeContent(event.content),
        ...place,
        query: [...control, ...(place.query ?? [])],
        options,
      });
    },
  };
}

function placeEventId(event: ExternalEvent): Pick<Call, 'query' | 'headers'> {
  if (event.event_id_location === 'payload') return {};
  const { event_id: id, event_id_path: path } = event;
  if (id === '' || id.length > EVENT_ID_MAX_CHARACTERS) {
    throw invalidArgument('event_id', `must be a string of 1 to ${EVENT_ID_MAX_CHARACTERS} characters`);
  }
  if (event.event_id_location === 'querystring') {
    if (EXTERNAL_EVENT_PARAMETERS.includes(path))
      throw invalidArgument('event_id_path', 'is a control parameter');
    return { query: [[path, id]] };
  }
  if (!HEADER_NAME.test(path)) throw invalidArgument('event_id_path', 'must be a header name');
  if (RESERVED_HEADERS.test(path))
    throw invalidArgument('event_id_path', 'is a header that HTTP itself uses');
  if (!/^[\x21-\x7e]+$/.test(id)) throw invalidArgument('event_id', 'must be visible ASCII in a header');
  return { headers: { [path]: id } };
}

const FORMS = ['json', 'form', 'xml', 'text'];

function writeContent(content: ExternalEventContent): {
  readonly contentType: string;
  readonly payload: string;
} {
  if (!isRecord(content) || FORMS.every((form) => !(form in content)))
    throw invalidArgument('content', 'must be one of { json }, { form }, { xml } and { text }');
  if ('form' in content) {
    const payload = new URLSearchParams({ ...content.form }).toString();
    return { contentType: 'application/x-www-form-urlencoded', payload };
  }
  if ('xml' in content) return { contentType: 'application/xml', payload: content.xml };
  if ('text' in content) return { contentType: 'text/plain', payload: content.text };
  return writeJson(content.json, 'content');
}
