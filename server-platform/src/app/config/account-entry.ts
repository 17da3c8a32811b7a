import { parseTime } from '@natter/sdk';
import * as v from 'valibot';
import {
  type ConnectorSettings,
  type ConversationSettings,
  checkPermissions,
  connectorSettingsSchema,
  conversationSettingsSchema,
  isAccountError,
  isKeyPermission,
  noPermission,
  type RetentionDays,
  retentionDaysSchema,
  type Variant,
} from '../../accounts/index.ts';
import { E164 } from '../../api/numbers/index.ts';
import { type DeskEntry, deskEntrySchema } from '../../desk/index.ts';
import {
  type TranslationEndpoint,
  translationSchema,
} from '../../records/translation/translation-endpoint.ts';
import { credential, LIST_HELP, secret, text } from './config-fields.ts';

/** A connector as a file describes it. */
export type ConnectorEntry = {
  readonly name: string;
  /** A fixed token; if absent, a random token is created with the connector. */
  readonly token?: string;
  readonly hosts: readonly { readonly kind: 'domain' | 'app'; readonly value: string }[];
  readonly settings: ConnectorSettings;
  readonly environment: string;
};

/** An API key as a file describes it. */
export type KeyEntry = {
  readonly name: string;
  /** A fixed key; if absent, a random key is created. */
  readonly key?: string;
  readonly permissions: readonly string[];
  readonly legacy: boolean;
  readonly region: string | null;
  /** Milliseconds since 1970; null: it does not expire. */
  readonly expires: number | null;
};

/** A project as a file describes it. */
export type ProjectEntry = {
  readonly slug: string;
  readonly id?: string;
  readonly name?: string;
  readonly agent: string | null;
  /** Keys of verified context: key id to secret. */
  readonly contextKeys: Readonly<Record<string, string>>;
  /** Parts of its conversations that the REST interface shows. */
  readonly conversations?: ConversationSettings;
  readonly connectors: readonly ConnectorEntry[];
  readonly variants?: readonly Variant[];
  /** Name of a handoff provider. */
  readonly handoff?: string | null;
  /** Endpoint that translates turns for the record; if absent, turns are not translated. */
  readonly translation?: TranslationEndpoint | null;
  /** How long its data is kept; if absent, the stored setting stays unchanged. */
  readonly retention_days?: RetentionDays;
  /** Phone numbers to reserve, E.164; if absent, the pool stays unchanged. */
  readonly numbers?: readonly string[];
  /** Keys that cover this project. */
  readonly keys?: readonly KeyEntry[];
};

/** An account as a file describes it. */
export type AccountEntry = {
  readonly slug: string;
  readonly id?: string;
  readonly name?: string;
  readonly projects: readonly ProjectEntry[];
  /** Keys that cover the whole account. */
  readonly keys?: readonly KeyEntry[];
  /** Its queues and people. */
  readonly desk?: DeskEntry;
};

const host = v.union(
  [
    // Short form: a string is a domain.
    v.pipe(
      text,
      v.transform((value) => ({ kind: 'domain' as const, value })),
    ),
    v.strictObject({ kind: v.picklist(['domain', 'app'], 'must be "domain" or "app"'), value: text }),
  ],
  'must be a domain such as "example.com", or { "kind": "app", "value": "com.example.app" }',
);

const connector = v.strictObject({
  name: text,
  token: v.exactOptional(credential),
  hosts: v.pipe(v.array(host, LIST_HELP), v.minLength(1, 'must name at least one host')),
  settings: v.optional(connectorSettingsSchema, {}),
  environment: v.optional(text, 'live'),
});

const permission = v.pipe(
  text,
  v.check(isKeyPermission, ({ input }) => noPermission(input)),
);

const keyFields = v.strictObject({
  name: text,
  key: v.exactOptional(credential),
  permissions: v.pipe(v.array(permission, LIST_HELP), v.minLength(1, 'must name at least one permission')),
  legacy: v.optional(v.boolean('must be true or false'), false),
  region: v.optional(v.nullable(text), null),
  expires: v.optional(
    v.nullable(
      v.pipe(
        text,
        v.check((day) => parseTime(day) !== null, 'must be a day such as "2027-01-31"'),
        v.transform(parseTime),
      ),
    ),
    null,
  ),
});

/** A key of an account or of a project. Permissions that do not go together are a fault of the file, like any other. */
const keyOf = (projectId: string | null) =>
  v.pipe(
    keyFields,
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed) return;
      const { permissions, legacy } = dataset.value;
      const known = permissions.filter(isKeyPermission);
      if (known.length < permissions.length || known.length === 0) return;
      try {
        checkPermissions([...new Set(known)], { accountId: 'of the file', projectId, isLegacy: legacy });
      } catch (error) {
        if (!isAccountError(error)) throw error;
        addIssue({ message: error.message });
      }
    }),
  );

const variant = v.strictObject({
  id: text,
  name: text,
  agent: v.optional(v.nullable(text), null),
  weight: v.optional(
    v.nullable(v.pipe(v.number('must be a number'), v.minValue(0, 'must be at least 0'))),
    null,
  ),
});

const project = v.strictObject({
  slug: text,
  id: v.exactOptional(text),
  name: v.exactOptional(text),
  agent: v.optional(v.nullable(text), null),
  contextKeys: v.optional(v.record(text, secret, 'must be an object of key id to secret'), {}),
  conversations: v.exactOptional(conversationSettingsSchema),
  connectors: v.optional(v.array(connector, LIST_HELP), []),
  variants: v.optional(v.array(variant, LIST_HELP), []),
  handoff: v.optional(v.nullable(text), null),
  translation: v.optional(v.nullable(translationSchema), null),
  retention_days: v.exactOptional(retentionDaysSchema),
  numbers: v.exactOptional(
    v.array(v.pipe(text, v.regex(E164, 'must be a phone number such as "+441632960001"')), LIST_HELP),
  ),
  keys: v.optional(v.array(keyOf('of the file'), LIST_HELP), []),
});

/** Schema of an account in the configuration file. */
export const accountEntrySchema: v.GenericSchema<unknown, AccountEntry> = v.strictObject({
  slug: text,
  id: v.exactOptional(text),
  name: v.exactOptional(text),
  projects: v.optional(v.array(project, LIST_HELP), []),
  keys: v.optional(v.array(keyOf(null), LIST_HELP), []),
  desk: v.exactOptional(deskEntrySchema),
});
