import * as v from 'valibot';
import type { HttpProviderSettings } from './http-provider.ts';
import type { ObjectStoreSettings } from './object-store.ts';

/** Settings of voice preview; in the configuration file under `rest`, without `voice`. */
export interface VoiceSettings {
  /** Default provider for requests that name none. */
  readonly provider: string;
  /** Speech endpoints by name, in addition to the built-in ones. */
  readonly endpoints: Readonly<Record<string, HttpProviderSettings>>;
  /** Null: previews for object storage are stored on this machine. */
  readonly objectStore: ObjectStoreSettings | null;
}

/** The provider available without configuration. */
export const BUILT_IN_PROVIDER = 'embedded';

const text = v.pipe(v.string('must be a text, in quotes'), v.trim(), v.nonEmpty('must not be empty'));
const address = v.pipe(
  text,
  v.check((value) => {
    const url = URL.parse(value);
    return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.search === '';
  }, 'must be an http or https address'),
  v.transform((value) => value.replace(/(?<!\/)\/+$/, '')),
);

const endpointSchema = v.pipe(
  v.strictObject({
    url: address,
    api_key: v.optional(v.nullable(text), null),
    model: text,
    voice: text,
  }),
  v.transform(({ api_key: apiKey, ...rest }): HttpProviderSettings => ({ ...rest, apiKey })),
);

const objectStoreSchema = v.pipe(
  v.strictObject({
    endpoint: address,
    region: text,
    bucket: v.pipe(text, v.regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket')),
    access_key_id: text,
    secret_access_key: text,
    prefix: v.optional(
      v.pipe(v.string(), v.regex(/^[\w./-]*$/, 'must be letters, digits, ".", "-", "_", "/"')),
      '',
    ),
  }),
  v.transform(
    ({ access_key_id: accessKeyId, secret_access_key: secretAccessKey, ...rest }): ObjectStoreSettings => ({
      ...rest,
      accessKeyId,
      secretAccessKey,
    }),
  ),
);

/** Fields under `rest` in the configuration file. */
export const voiceSettingsEntries: {
  readonly voice_provider: v.GenericSchema<string | undefined, string>;
  readonly voice_endpoints: v.GenericSchema<unknown, VoiceSettings['endpoints']>;
  readonly object_storage: v.GenericSchema<unknown, ObjectStoreSettings | null>;
  readonly public_url: v.GenericSchema<unknown, string | null>;
} = {
  voice_provider: v.optional(text, BUILT_IN_PROVIDER),
  voice_endpoints: v.optional(v.record(text, endpointSchema, 'must be an object of name to endpoint'), {}),
  object_storage: v.optional(v.nullable(objectStoreSchema), null),
  public_url: v.optional(v.nullable(address), null),
};

/** Whether a provider exists. */
export function hasProvider(name: string, endpoints: Readonly<Record<string, unknown>>): boolean {
  return name === BUILT_IN_PROVIDER || Object.hasOwn(endpoints, name);
}
