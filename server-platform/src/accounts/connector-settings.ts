import * as v from 'valibot';

/** Settings of a connector. Stored and configured under the contract's names in snake case. */
export type ConnectorSettings = {
  /** V-5 (a): `auto` follows the client's vocabulary. */
  readonly eventVocabulary: 'auto' | 'neutral' | 'poly';
  /** HOST-9, WS-7. */
  readonly enforceOrigin: boolean;
  /** 8.5: what happens after a failed handoff. */
  readonly onHandoffFailure: 'rejoin' | 'stay' | 'end';
  /** 8.5: waiting longer than this for a live agent is HANDOFF_TIMEOUT. */
  readonly handoffTimeoutSeconds: number;
  /** Name of the handoff provider; null: the project's. */
  readonly handoff: string | null;
  /** 7.4: sent to pages that manage the handoff themselves. */
  readonly handoffRoute: string | null;
  /** Initial language of conversations as a BCP-47 tag. */
  readonly language: string;
  /** TBD-2: SESSION_IDLE_WARNING before expiry. */
  readonly idleWarning: boolean;
  /** TBD-2: the satisfaction survey. */
  readonly csat: boolean;
  /** Symbols of the survey's scale. */
  readonly csatScale: 'faces' | 'stars';
  /** TBD-2: receipts. */
  readonly receipts: boolean;
  /** Name of the agent configuration; null: the project's. */
  readonly agent: string | null;
};

const isOn = (name: string): v.GenericSchema<boolean | undefined, boolean> =>
  v.optional(v.boolean(`${name} must be true or false`), false);

const SCHEMA = v.strictObject(
  {
    event_vocabulary: v.optional(
      v.picklist(['auto', 'neutral', 'poly'], 'event_vocabulary must be "auto", "neutral" or "poly"'),
      'auto',
    ),
    enforce_origin: v.optional(v.boolean('enforce_origin must be true or false'), true),
    on_handoff_failure: v.optional(
      v.picklist(['rejoin', 'stay', 'end'], 'on_handoff_failure must be "rejoin", "stay" or "end"'),
      'rejoin',
    ),
    handoff_timeout_seconds: v.optional(
      v.pipe(
        v.number('handoff_timeout_seconds must be a number'),
        v.minValue(1, 'handoff_timeout_seconds must be at least 1'),
        v.maxValue(86_400, 'handoff_timeout_seconds must be at most 86400'),
      ),
      600,
    ),
    handoff: v.optional(
      v.nullable(v.pipe(v.string('handoff must be a text'), v.nonEmpty('handoff must not be empty'))),
      null,
    ),
    handoff_route: v.optional(v.nullable(v.string('handoff_route must be a text')), null),
    language: v.optional(
      v.pipe(
        v.string('language must be a text'),
        v.check(isLanguageTag, 'language must be a language tag such as "en" or "de-AT"'),
      ),
      'en',
    ),
    idle_warning: isOn('idle_warning'),
    csat: isOn('csat'),
    csat_scale: v.optional(v.picklist(['faces', 'stars'], 'csat_scale must be "faces" or "stars"'), 'faces'),
    receipts: isOn('receipts'),
    agent: v.optional(
      v.nullable(v.pipe(v.string('agent must be a text'), v.nonEmpty('agent must not be empty'))),
      null,
    ),
  },
  ({ received, expected }) =>
    expected === 'never'
      ? `there is no connector setting ${received}`
      : 'connector settings must be an object',
);

/** The schema of a connector's settings in files and in the database. */
export const connectorSettingsSchema: v.GenericSchema<unknown, ConnectorSettings> = v.pipe(
  SCHEMA,
  v.transform((stored) => ({
    eventVocabulary: stored.event_vocabulary,
    enforceOrigin: stored.enforce_origin,
    onHandoffFailure: stored.on_handoff_failure,
    handoffTimeoutSeconds: stored.handoff_timeout_seconds,
    handoff: stored.handoff,
    handoffRoute: stored.handoff_route,
    language: stored.language,
    idleWarning: stored.idle_warning,
    csat: stored.csat,
    csatScale: stored.csat_scale,
    receipts: stored.receipts,
    agent: stored.agent,
  })),
);

/** Settings of a connector when nothing is configured. */
export const DEFAULT_CONNECTOR_SETTINGS: ConnectorSettings = v.parse(connectorSettingsSchema, {});

/** Converts settings to their stored form. */
export function writeConnectorSettings(settings: ConnectorSettings): Readonly<Record<string, unknown>> {
  return {
    event_vocabulary: settings.eventVocabulary,
    enforce_origin: settings.enforceOrigin,
    on_handoff_failure: settings.onHandoffFailure,
    handoff_timeout_seconds: settings.handoffTimeoutSeconds,
    handoff: settings.handoff,
    handoff_route: settings.handoffRoute,
    language: settings.language,
    idle_warning: settings.idleWarning,
    csat: settings.csat,
    csat_scale: settings.csatScale,
    receipts: settings.receipts,
    agent: settings.agent,
  };
}

function isLanguageTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}
