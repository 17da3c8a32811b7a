import type { Family, Service } from '@natter/sdk';
import * as v from 'valibot';
import type { RestSettings, ServiceHost } from '../../api/rest/index.ts';
import {
  BUILT_IN_PROVIDER,
  hasProvider,
  type VoiceSettings,
  voiceSettingsEntries,
} from '../../api/voice/index.ts';
import type { EmbeddingsEndpoint } from '../../records/search/index.ts';

/** Deployment settings of the REST interface; in the configuration file under `rest`. */
export interface RestConfig extends RestSettings {
  readonly voice: VoiceSettings;
  /** Endpoint for the vectors of the semantic search; null: they are computed here, without a model. */
  readonly embeddings: EmbeddingsEndpoint | null;
}

/** Purpose and default of a setting for the docs, in Markdown. */
export interface SettingHelp {
  readonly help: string;
  readonly fallback: string;
}

/** Every setting under `rest`, by its name in the file. */
export const REST_CONFIG_HELP: Readonly<Record<string, SettingHelp>> = {
  vendor_names: {
    help: "write the vendor's names instead of the neutral ones: true, or an object of family to true",
    fallback: '`false`',
  },
  webhook_header_style: {
    help: 'names of the delivery headers of webhooks: neutral, vendor or both',
    fallback: '`neutral`',
  },
  runtime_host: {
    help: 'host of the runtime families, with {region} in place of the region',
    fallback: 'any host',
  },
  runtime_regions: { help: 'regions that runtime_host names, such as us-1', fallback: 'none' },
  monitoring_host: {
    help: 'host of the monitoring families, with {region} in place of the region',
    fallback: 'any host',
  },
  monitoring_regions: { help: 'regions that monitoring_host names, such as us', fallback: 'none' },
  requests_per_minute: { help: 'requests per key and minute; 429 above it', fallback: 'no limit' },
  dni_reservation_seconds: { help: 'a reserved number is free again after this time', fallback: '`900`' },
  simulated_calls: {
    help: 'allow simulated calls with keys for number reservation; for development',
    fallback: '`false`',
  },
  voice_provider: {
    help: 'speaks previews that name no provider: embedded, or one of voice_endpoints',
    fallback: '`embedded`',
  },
  voice_endpoints: {
    help: 'OpenAI-compatible speech endpoints by name, each with url, model, voice and api_key',
    fallback: 'none',
  },
  object_storage: {
    help: 'S3-compatible bucket for stored previews: endpoint, region, bucket, access_key_id, secret_access_key, prefix',
    fallback: 'the data folder',
  },
  public_url: {
    help: 'address of the platform in links to previews and to files from the desk',
    fallback: 'as the request named it',
  },
  chat_idle_timeout_seconds: { help: 'a chat without a message for longer is over', fallback: '`1800`' },
  embeddings: {
    help: 'OpenAI-compatible endpoint for the semantic search, `{ "url": …, "model": …, "api_key": … }`; receives the texts of conversations',
    fallback: 'vectors of hashed character sequences, made here',
  },
  alert_evaluation_seconds: { help: 'how often alert rules are evaluated', fallback: '`60`' },
  webhook_private_addresses: {
    help: 'deliver webhooks to private, loopback and link-local addresses too, and let the console check sites there',
    fallback: '`false`',
  },
};

const FAMILIES = [
  'chat',
  'conversations',
  'concurrency',
  'externalEvents',
  'numbers',
  'voice',
  'alertRules',
  'alerts',
  'webhookEndpoints',
  'handoff',
  'erasure',
] as const satisfies readonly Family[];

const hostName = v.pipe(
  v.string('must be a text, in quotes'),
  v.regex(
    /^(?:[A-Za-z0-9-]+\.)*\{region\}(?:\.[A-Za-z0-9-]+)+$/,
    'must be a host with {region} as one of its labels, such as "api.{region}.example.com"',
  ),
);
const regions = v.array(
  v.pipe(v.string('must be a text, in quotes'), v.regex(/^[a-z0-9-]+$/, 'must be letters, digits and "-"')),
  'must be a list, in square brackets',
);
const count = (least: number) =>
  v.pipe(
    v.number('must be a number'),
    v.integer('must be a whole number'),
    v.minValue(least, `must be at least ${least}`),
  );

const embeddings = v.pipe(
  v.strictObject({
    url: v.pipe(
      v.string('must be a text, in quotes'),
      v.url('must be an address, such as "https://host/v1"'),
    ),
    model: v.pipe(v.string('must be a text, in quotes'), v.nonEmpty('must not be empty')),
    api_key: v.optional(v.nullable(v.string('must be a text, in quotes')), null),
  }),
  v.transform(({ url, model, api_key: apiKey }): EmbeddingsEndpoint => ({ url, model, apiKey })),
);

const SCHEMA = v.strictObject({
  vendor_names: v.optional(
    v.union(
      [
        v.boolean(),
        v.strictObject(v.entriesFromList(FAMILIES, v.exactOptional(v.boolean('must be true or false')))),
      ],
      `must be true, false, or an object of family to true; there are ${FAMILIES.join(', ')}`,
    ),
    false,
  ),
  webhook_header_style: v.optional(
    v.picklist(['neutral', 'vendor', 'both'], 'must be "neutral", "vendor" or "both"'),
    'neutral',
  ),
  runtime_host: v.exactOptional(hostName),
  runtime_regions: v.optional(regions, []),
  monitoring_host: v.exactOptional(hostName),
  monitoring_regions: v.optional(regions, []),
  requests_per_minute: v.optional(v.nullable(count(1)), null),
  chat_idle_timeout_seconds: v.optional(count(1), 1800),
  dni_reservation_seconds: v.optional(count(1), 900),
  ...voiceSettingsEntries,
  simulated_calls: v.optional(v.boolean('must be true or false'), false),
  embeddings: v.optional(v.nullable(embeddings), null),
  alert_evaluation_seconds: v.optional(count(1), 60),
  webhook_private_addresses: v.optional(v.boolean('must be true or false'), false),
});

/** The schema of `rest` in the configuration file. */
export const restConfigSchema: v.GenericSchema<unknown, RestConfig> = v.pipe(
  SCHEMA,
  v.check(
    (parsed) => SERVICES.every((service) => isComplete(hostOf(parsed, service))),
    'a host and its regions belong together: set both, or none',
  ),
  v.check(
    (parsed) => hasProvider(parsed.voice_provider, parsed.voice_endpoints),
    `voice_provider must be ${BUILT_IN_PROVIDER}, or one of voice_endpoints`,
  ),
  v.transform((parsed) => ({
    vendorNames: parsed.vendor_names,
    webhookHeaderStyle: parsed.webhook_header_style,
    hosts: { runtime: hostOf(parsed, 'runtime'), monitoring: hostOf(parsed, 'monitoring') },
    requestsPerMinute: parsed.requests_per_minute,
    chatIdleTimeoutSeconds: parsed.chat_idle_timeout_seconds,
    dniReservationSeconds: parsed.dni_reservation_seconds,
    hasSimulatedCalls: parsed.simulated_calls,
    voice: {
      provider: parsed.voice_provider,
      endpoints: parsed.voice_endpoints,
      objectStore: parsed.object_storage,
    },
    publicUrl: parsed.public_url,
    embeddings: parsed.embeddings,
    alertEvaluationSeconds: parsed.alert_evaluation_seconds,
    webhookPrivateAddresses: parsed.webhook_private_addresses,
  })),
);

const SERVICES: readonly Service[] = ['runtime', 'monitoring'];

type Parsed = v.InferOutput<typeof SCHEMA>;

/** Null if neither host nor regions are set. */
function hostOf(parsed: Parsed, service: Service): ServiceHost | null {
  const pattern = parsed[`${service}_host`];
  const names = parsed[`${service}_regions`];
  return pattern === undefined && names.length === 0 ? null : { pattern: pattern ?? '', regions: names };
}

function isComplete(host: ServiceHost | null): boolean {
  return host === null || (host.pattern !== '' && host.regions.length > 0);
}

/** Settings when nothing is configured. */
export const DEFAULT_REST_CONFIG: RestConfig = v.parse(restConfigSchema, {});
