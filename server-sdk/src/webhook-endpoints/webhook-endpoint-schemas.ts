import * as v from 'valibot';
import { isPrivateHost } from '../http/ip-address.ts';
import {
  boundedText,
  flag,
  integer,
  listOf,
  mapOf,
  moment,
  oneOf,
  openText,
  patternText,
  text,
  withDefault,
} from '../schema/fields.ts';
import { isRecord } from '../schema/is-record.ts';
import { closedObjectOf, fillAbsent, objectOf, type Schema, tolerant } from '../schema/object-of.ts';

/** Events that can be delivered. Source: section 11. */
export type WebhookEventType = 'alerts.triggered' | 'alerts.resolved';

/** Body that creates an endpoint. Source: section 11. */
export interface WebhookEndpointCreateBody {
  /** 1 to 255 characters. */
  readonly name: string;
  /** Starts with `https://`; at most 2048 characters. */
  readonly url: string;
  /** At least one. */
  readonly event_types: readonly WebhookEventType[];
  /** Sent with each delivery; at most 20. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** 1000 to 30000; 5000 when absent. */
  readonly timeout_ms?: number | undefined;
  /** True when absent. */
  readonly enabled?: boolean | undefined;
}

/** Body that changes an endpoint: only the fields given change. */
export type WebhookEndpointUpdateBody = {
  readonly [Field in keyof WebhookEndpointCreateBody]?: WebhookEndpointCreateBody[Field] | undefined;
};

/** An endpoint as it is returned. */
export interface WebhookEndpoint {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly enabled: boolean;
  /** A newer platform may send types that this version does not know. */
  readonly event_types: readonly WebhookEventType[];
  readonly headers: Readonly<Record<string, string>>;
  readonly timeout_ms: number;
  readonly created_at: string;
  readonly updated_at: string;
}

/** The secret that signs deliveries; shown once. Source: WE-2. */
export interface SigningSecret {
  readonly signing_secret: string;
}

/** An endpoint that was just created. */
export interface CreatedWebhookEndpoint extends WebhookEndpoint, SigningSecret {}

/** Filters of the list. */
export interface WebhookEndpointsQuery {
  readonly enabled?: boolean | undefined;
  readonly event_type?: WebhookEventType | undefined;
}

/** The two bodies, for a deployment that allows private hosts or does not. */
export interface WebhookEndpointBodySchemas {
  readonly create: Schema<WebhookEndpointCreateBody>;
  readonly update: Schema<WebhookEndpointUpdateBody>;
}

const EVENT_TYPES = ['alerts.triggered', 'alerts.resolved'] as const;
const MAX_HEADERS = 20;
const HEADERS_MESSAGE = 'must be a map of header names to strings';
const URL_MESSAGE = 'must be an https URL';
const MAX_URL_CHARACTERS = 2048;
const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;
// What belongs to the connection and not to the request: the sender sets it, or could send nothing with it. What each
// delivery sets itself, in either spelling. Source: section 11, WD-3.
const CONNECTION_HEADERS =
  'host|content-length|transfer-encoding|connection|keep-alive|proxy-connection|upgrade|expect|te|trailer';
const DELIVERY_HEADERS = 'content-type|user-agent|x-(?:webhook|polyai)-(?:timestamp|signature|event-id)';
const RESERVED_HEADER = new RegExp(`^(?:${CONNECTION_HEADERS}|${DELIVERY_HEADERS})$`, 'i');

/** Schema of an event type. */
export const webhookEventTypeSchema: Schema<WebhookEventType> = oneOf(
  'Event that is delivered.',
  EVENT_TYPES,
);

/** Schema of an endpoint's id in a path. Source: section 11, WE-4. */
export const webhookEndpointIdSchema: Schema<string> = patternText(
  'Endpoint id.',
  /^whe_[A-Za-z0-9]+$/,
  'must be whe_ and letters or digits',
);

const eventTypes = v.pipe(
  v.array(webhookEventTypeSchema, ({ input }) =>
    typeof input === 'string'
      ? 'must be a list of event types, such as ["alerts.triggered"]'
      : 'must contain at least one event type',
  ),
  v.minLength(1, 'must contain at least one event type'),
  v.description('Events that are delivered; repeats are folded.'),
  v.transform((types): readonly WebhookEventType[] => [...new Set(types)]),
);

const headers = v.pipe(
  v.custom<Readonly<Record<string, string>>>(isHeaderMap, HEADERS_MESSAGE),
  v.check((map) => Object.keys(map).length <= MAX_HEADERS, `must hold at most ${MAX_HEADERS} headers`),
  v.check((map) => !Object.keys(map).some((name) => RESERVED_HEADER.test(name)), 'reserved header'),
  v.metadata({
    description: 'Headers of your own, sent with each delivery.',
    json: { type: 'object', additionalProperties: { type: 'string' }, maxProperties: MAX_HEADERS },
  }),
);

/** Schemas of the bodies. `allowsPrivateHosts` is a setting of the deployment. */
export function webhookEndpointBodySchemas(allowsPrivateHosts: boolean): WebhookEndpointBodySchemas {
  const url = v.pipe(
    v.string(URL_MESSAGE),
    v.maxLength(MAX_URL_CHARACTERS, `must be at most ${MAX_URL_CHARACTERS} characters`),
    v.check((value) => !hasUserInfo(value), 'must not contain a user name or password: use headers'),
    v.check((value) => isEndpointUrl(value, allowsPrivateHosts), URL_MESSAGE),
    v.metadata({
      description: 'Where to deliver.',
      json: { format: 'uri', pattern: '^https://' },
    }),
  );
  const name = boundedText('Name.', 1, 255);
  const timeout = integer('How long a delivery may take, in milliseconds.', 1000, 30_000);
  const enabled = flag('Whether events are delivered.');
  return {
    create: closedObjectOf('WebhookEndpointCreateBody', 'A new endpoint.', {
      name,
      url,
      event_types: eventTypes,
      headers: v.optional(headers),
      timeout_ms: v.optional(withDefault(timeout, 5000)),
      enabled: v.optional(withDefault(enabled, true)),
    }),
    update: closedObjectOf('WebhookEndpointUpdateBody', 'What to change.', {
      name: v.optional(name),
      url: v.optional(url),
      event_types: v.optional(eventTypes),
      headers: v.optional(headers),
      timeout_ms: v.optional(timeout),
      enabled: v.optional(enabled),
    }),
  };
}

/** Schema of the list's filters. */
export const webhookEndpointsQuerySchema: Schema<WebhookEndpointsQuery> = objectOf(
  'WebhookEndpointsQuery',
  'Filters.',
  {
    enabled: v.optional(flag('Endpoints that get, or do not get, events.')),
    event_type: v.optional(webhookEventTypeSchema),
  },
);

const endpointEntries = {
  id: text('Endpoint id.'),
  name: text('Name.'),
  url: text('Where events are delivered.'),
  enabled: flag('Whether events are delivered.'),
  event_types: listOf('Events that are delivered.', openText<WebhookEventType>('Event type.')),
  headers: mapOf('Headers of your own.', text('Value.')),
  timeout_ms: integer('How long a delivery may take, in milliseconds.', 0),
  created_at: moment('When it was created.'),
  updated_at: moment('When it was last changed.'),
};
const secretEntries = { signing_secret: text('Signs deliveries; cannot be had again.') };

const strictEntries = {
  ...endpointEntries,
  event_types: listOf('Events that are delivered.', webhookEventTypeSchema),
};

/** Schema of an endpoint. */
export const webhookEndpointSchema: Schema<WebhookEndpoint> = objectOf(
  'WebhookEndpoint',
  'An endpoint.',
  strictEntries,
);

/** Schema of an endpoint that was just created. */
export const createdWebhookEndpointSchema: Schema<CreatedWebhookEndpoint> = objectOf(
  'CreatedWebhookEndpoint',
  'An endpoint and its secret.',
  { ...strictEntries, ...secretEntries },
);

/** Schema of a new secret. */
export const signingSecretSchema: Schema<SigningSecret> = objectOf(
  'SigningSecret',
  'A secret.',
  secretEntries,
);

/** Reads an endpoint: headers may be absent, event types may be ones not known here. */
export const webhookEndpointReader: Schema<WebhookEndpoint> = tolerant(
  objectOf('AnyWebhookEndpoint', 'An endpoint.', endpointEntries),
  fillHeaders,
);

/** Reads an endpoint that was just created, as tolerantly. */
export const createdWebhookEndpointReader: Schema<CreatedWebhookEndpoint> = tolerant(
  objectOf('AnyCreatedEndpoint', 'An endpoint and its secret.', { ...endpointEntries, ...secretEntries }),
  fillHeaders,
);

function fillHeaders(raw: unknown): unknown {
  return fillAbsent(raw, { headers: {} });
}

function isHeaderMap(value: unknown): boolean {
  return (
    isRecord(value) &&
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
