import * as v from 'valibot';
import type { CallOptions } from '../http/call-options.ts';
import { type ClientCore, read, run } from '../http/client-core.ts';
import { isPrivateHost } from '../http/ip-address.ts';
import type { Operation } from '../http/operation.ts';
import { dataListOf } from '../schema/data-list.ts';
import {
  boundedText,
  flag,
  integer,
  mapOf,
  moment,
  oneOf,
  patternText,
  text,
  untilFault,
  withDefault,
} from '../schema/fields.ts';
import { isRecord } from '../schema/is-record.ts';
import {
  type AnyFields,
  closedObjectOf,
  type Fields,
  type Leaving,
  objectOf,
  partial,
  type Schema,
} from '../schema/object-of.ts';
import { orElse, readerOf } from '../schema/reader-of.ts';

/** Events that can be delivered. Source: section 11. */
export type WebhookEventType = 'alerts.triggered' | 'alerts.resolved';

const MAX_HEADERS = 20;
const HEADERS_MESSAGE = 'must be a map of header names to strings';
const URL_MESSAGE = 'must be an https URL';
const MAX_URL_CHARACTERS = 2048;
const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;
// What belongs to the connection and not to the request: the sender sets it, or could send nothing with it. What each
// delivery sets itself, in either spelling. Source: section 11, WD-3.
const CONNECTION_HEADERS =
  'host|content-length|transfer-encoding|connection|keep-alive|proxy-connection|upgrade|expect|te|trailer';
const DELIVERY_HEADERS =
  'content-type|content-encoding|user-agent|x-(?:webhook|polyai)-(?:timestamp|signature|event-id)';
const RESERVED_HEADER = new RegExp(`^(?:${CONNECTION_HEADERS}|${DELIVERY_HEADERS})$`, 'i');

/** Schema of an event type. */
export const webhookEventTypeSchema: Schema<WebhookEventType> = oneOf('Event that is delivered.', [
  'alerts.triggered',
  'alerts.resolved',
]);

/** Schema of an endpoint's id in a path. Source: section 11, WE-4. */
export const webhookEndpointIdSchema: Schema<string> = patternText(
  'Endpoint id.',
  /^whe_[A-Za-z0-9]+$/,
  'must be whe_ and letters or digits',
);

const eventTypes: Schema<readonly WebhookEventType[]> = v.pipe(
  untilFault(
    v.array(webhookEventTypeSchema, ({ input }) =>
      typeof input === 'string'
        ? 'must be a list of event types, such as ["alerts.triggered"]'
        : 'must contain at least one event type',
    ),
  ),
  v.minLength(1, 'must contain at least one event type'),
  v.description('Events that are delivered; repeats are folded.'),
  v.transform((types): readonly WebhookEventType[] => [...new Set(types)]),
);

const headers: Schema<Readonly<Record<string, string>>> = v.pipe(
  v.custom<Readonly<Record<string, string>>>(isHeaderMap, ({ input }) =>
    hasTooManyHeaders(input) ? `must hold at most ${MAX_HEADERS} headers` : HEADERS_MESSAGE,
  ),
  v.check((map) => !Object.keys(map).some((name) => RESERVED_HEADER.test(name)), 'reserved header'),
  v.metadata({
    description: 'Headers of your own, sent with each delivery.',
    json: { type: 'object', additionalProperties: { type: 'string' }, maxProperties: MAX_HEADERS },
  }),
);

const endpointUrl = (allowsPrivateHosts: boolean): Schema<string> =>
  v.pipe(
    v.string(URL_MESSAGE),
    v.maxLength(MAX_URL_CHARACTERS, `must be at most ${MAX_URL_CHARACTERS} characters`),
    v.check((value) => !hasUserInfo(value), 'must not contain a user name or password: use headers'),
    v.check((value) => isEndpointUrl(value, allowsPrivateHosts), URL_MESSAGE),
    v.metadata({ description: 'Where to deliver.', json: { format: 'uri', pattern: '^https://' } }),
  );

/** The fields of an endpoint that an account sets. */
const settings = {
  /** 1 to 255 characters. */
  name: boundedText('Name.', 1, 255),
  // Whether a private host is allowed is for the deployment to say.
  /** Starts with `https://`; at most 2048 characters. */
  url: endpointUrl(true),
  /** At least one. A newer platform may send types that this version does not know. */
  event_types: eventTypes,
  /** Sent with each delivery; at most 20. */
  headers,
  /** 1000 to 30000; 5000 when it is left out of the body that creates an endpoint. */
  timeout_ms: integer('How long a delivery may take, in milliseconds.', 1000, 30_000),
  /** True when it is left out of the body that creates an endpoint. */
  enabled: flag('Whether events are delivered.'),
};

/** Body that creates an endpoint. Source: section 11. */
export interface WebhookEndpointCreateBody
  extends Leaving<Fields<typeof settings>, 'headers' | 'timeout_ms' | 'enabled'> {}

/** Body that changes an endpoint: only the fields given change. */
export interface WebhookEndpointUpdateBody extends AnyFields<typeof settings> {}

/** The two bodies, for a deployment that allows private hosts or does not. */
export interface WebhookEndpointBodySchemas {
  readonly create: Schema<WebhookEndpointCreateBody>;
  readonly update: Schema<WebhookEndpointUpdateBody>;
}

/** Schemas of the bodies. `allowsPrivateHosts` is a setting of the deployment. */
export function webhookEndpointBodySchemas(allowsPrivateHosts: boolean): WebhookEndpointBodySchemas {
  const given = { ...settings, url: endpointUrl(allowsPrivateHosts) };
  return {
    create: closedObjectOf('WebhookEndpointCreateBody', 'A new endpoint.', {
      ...given,
      headers: v.optional(given.headers),
      timeout_ms: v.optional(withDefault(given.timeout_ms, 5000)),
      enabled: v.optional(withDefault(given.enabled, true)),
    }),
    update: closedObjectOf('WebhookEndpointUpdateBody', 'What to change.', partial(given)),
  };
}

const identity = { id: text('Endpoint id.') };

const times = {
  created_at: moment('When it was created.'),
  updated_at: moment('When it was last changed.'),
};

const secret = { signing_secret: text('Signs deliveries. Shown only once.') };

const filters = {
  enabled: v.optional(flag('Endpoints that get, or do not get, events.')),
  event_type: v.optional(webhookEventTypeSchema),
};

/** An endpoint as returned. */
export interface WebhookEndpoint
  extends Fields<typeof identity>,
    Fields<typeof settings>,
    Fields<typeof times> {}

/** The secret that signs deliveries; shown once. Source: WE-2. */
export interface SigningSecret extends Fields<typeof secret> {}

/** An endpoint that was just created. */
export interface CreatedWebhookEndpoint extends WebhookEndpoint, SigningSecret {}

/** Filters of the list. */
export interface WebhookEndpointsQuery extends Fields<typeof filters> {}

/** Schema of the list's filters. */
export const webhookEndpointsQuerySchema: Schema<WebhookEndpointsQuery> = objectOf(
  'WebhookEndpointsQuery',
  'Filters.',
  filters,
);

// The stored body is sent unchanged: the rules for request bodies do not apply to it.
const endpoint = {
  ...identity,
  ...settings,
  url: text('Where events are delivered.'),
  headers: orElse({}, mapOf('Headers of your own.', text('Value.'))),
  ...times,
};

/** Schema of an endpoint. */
export const webhookEndpointSchema: Schema<WebhookEndpoint> = objectOf(
  'WebhookEndpoint',
  'An endpoint.',
  endpoint,
);

/** Schema of an endpoint that was just created. */
export const createdWebhookEndpointSchema: Schema<CreatedWebhookEndpoint> = objectOf(
  'CreatedWebhookEndpoint',
  'An endpoint and its secret.',
  { ...endpoint, ...secret },
);

/** Schema of a new secret. */
export const signingSecretSchema: Schema<SigningSecret> = objectOf('SigningSecret', 'A secret.', secret);

const endpointListSchema = dataListOf('WebhookEndpointList', webhookEndpointSchema);

const shared = {
  family: 'webhookEndpoints',
  service: 'monitoring',
  keyHeader: 'x-api-key',
  needsConnectorToken: false,
  repeatability: 'always',
  errorShape: 'M',
} as const;
const one = {
  path: '/v1/webhook-endpoints/{endpoint_id}',
  pathParameters: { endpoint_id: webhookEndpointIdSchema },
};
const all = { path: '/v1/webhook-endpoints', pathParameters: {} };
// Whether a private host is allowed is for the deployment to say.
const bodies = webhookEndpointBodySchemas(true);

/** `GET /v1/webhook-endpoints`. Source: section 11. */
export const webhookEndpointsListOperation: Operation = {
  ...shared,
  ...all,
  id: 'webhookEndpointsList',
  method: 'GET',
  summary: 'All endpoints.',
  query: webhookEndpointsQuerySchema,
  success: { status: 200, description: 'The endpoints.', schema: endpointListSchema },
  errors: [400, 401, 403, 500],
};

/** `POST /v1/webhook-endpoints`. Source: section 11. */
export const webhookEndpointCreateOperation: Operation = {
  ...shared,
  ...all,
  id: 'webhookEndpointCreate',
  method: 'POST',
  summary: 'Create an endpoint; at most 10 per account.',
  repeatability: 'when-refused',
  body: { isRequired: true, schema: bodies.create },
  success: { status: 201, description: 'The endpoint and its secret.', schema: createdWebhookEndpointSchema },
  errors: [400, 401, 403, 409, 422, 500],
};

/** `GET /v1/webhook-endpoints/{endpoint_id}`. Source: section 11. */
export const webhookEndpointGetOperation: Operation = {
  ...shared,
  ...one,
  id: 'webhookEndpointGet',
  method: 'GET',
  summary: 'One endpoint.',
  success: { status: 200, description: 'The endpoint.', schema: webhookEndpointSchema },
  errors: [401, 403, 404, 422, 500],
};

/** `PATCH /v1/webhook-endpoints/{endpoint_id}`. Source: section 11. */
export const webhookEndpointUpdateOperation: Operation = {
  ...shared,
  ...one,
  id: 'webhookEndpointUpdate',
  method: 'PATCH',
  summary: 'Change an endpoint.',
  body: { isRequired: true, schema: bodies.update },
  success: { status: 200, description: 'The endpoint.', schema: webhookEndpointSchema },
  errors: [400, 401, 403, 404, 422, 500],
};

/** `DELETE /v1/webhook-endpoints/{endpoint_id}`. Source: section 11. */
export const webhookEndpointDeleteOperation: Operation = {
  ...shared,
  ...one,
  id: 'webhookEndpointDelete',
  method: 'DELETE',
  summary: 'Delete an endpoint.',
  success: { status: 204, description: 'The endpoint is gone.' },
  errors: [401, 403, 404, 422, 500],
};

/** `POST …/rotate-secret`: each call makes another secret, so it is not repeated. Source: WE-3. */
export const webhookSecretRotateOperation: Operation = {
  ...shared,
  id: 'webhookSecretRotate',
  method: 'POST',
  path: '/v1/webhook-endpoints/{endpoint_id}/rotate-secret',
  summary: 'Replace the secret. The old one becomes invalid immediately.',
  repeatability: 'when-refused',
  pathParameters: one.pathParameters,
  success: { status: 200, description: 'The new secret.', schema: signingSecretSchema },
  errors: [401, 403, 404, 422, 500],
};

/** Where events are delivered. Needs `monitorApiKey`. Source: section 11. */
export interface WebhookEndpointsClient {
  readonly list: (
    query?: WebhookEndpointsQuery,
    options?: CallOptions,
  ) => Promise<readonly WebhookEndpoint[]>;
  /** Creates an endpoint. Keep `signing_secret`: it is shown this once. The eleventh is refused with 409 (WE-1). */
  readonly create: (
    body: WebhookEndpointCreateBody,
    options?: CallOptions,
  ) => Promise<CreatedWebhookEndpoint>;
  readonly get: (endpointId: string, options?: CallOptions) => Promise<WebhookEndpoint>;
  readonly update: (
    endpointId: string,
    body: WebhookEndpointUpdateBody,
    options?: CallOptions,
  ) => Promise<WebhookEndpoint>;
  readonly delete: (endpointId: string, options?: CallOptions) => Promise<void>;
  /** Replaces the secret; the old one is invalid at once (WE-3). */
  readonly rotateSecret: (endpointId: string, options?: CallOptions) => Promise<SigningSecret>;
}

const endpointReader = readerOf(webhookEndpointSchema);
const createdReader = readerOf(createdWebhookEndpointSchema);
const listReader = readerOf(endpointListSchema);
const secretReader = readerOf(signingSecretSchema);

/** The webhook endpoints family's part of the client. */
export function createWebhookEndpointsClient(core: ClientCore): WebhookEndpointsClient {
  const byId = (endpointId: string) => ({ path: { endpoint_id: endpointId } });
  return {
    list: async (query = {}, options = {}) =>
      (await read(core, webhookEndpointsListOperation, listReader, { query: { ...query } }, options)).data,
    create: (body, options = {}) =>
      read(core, webhookEndpointCreateOperation, createdReader, { body }, options),
    get: (id, options = {}) => read(core, webhookEndpointGetOperation, endpointReader, byId(id), options),
    update: (id, body, options = {}) =>
      read(core, webhookEndpointUpdateOperation, endpointReader, { ...byId(id), body }, options),
    delete: (id, options = {}) => run(core, webhookEndpointDeleteOperation, byId(id), options),
    rotateSecret: (id, options = {}) =>
      read(core, webhookSecretRotateOperation, secretReader, byId(id), options),
  };
}

function hasTooManyHeaders(value: unknown): boolean {
  return isRecord(value) && Object.keys(value).length > MAX_HEADERS;
}

function isHeaderMap(value: unknown): boolean {
  return (
    isRecord(value) &&
    !hasTooManyHeaders(value) &&
    Object.entries(value).every(
      // Line breaks and other controls would end the header.
      ([name, entry]) =>
        HEADER_NAME.test(name) && typeof entry === 'string' && /^[\t\x20-\x7e\x80-\xff]*$/.test(entry),
    )
  );
}

function hasUserInfo(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { username, password } = new URL(value);
  return username !== '' || password !== '';
}

function isEndpointUrl(value: string, allowsPrivateHosts: boolean): boolean {
  if (!value.startsWith('https://') || !URL.canParse(value)) return false;
  return allowsPrivateHosts || !isPrivateHost(new URL(value).hostname);
}
