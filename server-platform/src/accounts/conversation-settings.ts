import * as v from 'valibot';

/** Parts of a project's conversations that the REST interface shows. Files use the contract's names. */
export type ConversationSettings = {
  /** CV-13: if false, `turns` is empty. */
  readonly showTranscripts: boolean;
  /** CV-9: v2 and v3 stream lists in chunks; v2 then has a cursor. */
  readonly isStreaming: boolean;
  /** 4.3: the only fields that v1 returns; null: all. */
  readonly whitelist: readonly string[] | null;
  /** CV-12: the metrics that are returned; null: all. */
  readonly responseMetrics: readonly string[] | null;
};

const isOn = (name: string, fallback: boolean): v.GenericSchema<boolean | undefined, boolean> =>
  v.optional(v.boolean(`${name} must be true or false`), fallback);

const names = (name: string): v.GenericSchema<string[]> =>
  v.array(v.string(`${name} must be a list of names`), `${name} must be a list of names`);

const SCHEMA = v.strictObject(
  {
    show_transcripts: isOn('show_transcripts', true),
    streaming: isOn('streaming', false),
    enable_whitelist: isOn('enable_whitelist', false),
    whitelist: v.optional(names('whitelist'), ['id', 'started_at', 'account_id', 'project_id']),
    response_metrics: v.optional(v.nullable(names('response_metrics')), null),
  },
  ({ received, expected }) =>
    expected === 'never'
      ? `there is no conversation setting ${received}`
      : 'conversation settings must be an object',
);

/** The schema of a project's conversation settings in files and in the database. */
export const conversationSettingsSchema: v.GenericSchema<unknown, ConversationSettings> = v.pipe(
  SCHEMA,
  v.transform((stored) => ({
    showTranscripts: stored.show_transcripts,
    isStreaming: stored.streaming,
    whitelist: stored.enable_whitelist ? stored.whitelist : null,
    responseMetrics: stored.response_metrics,
  })),
);

/** Settings of a project when nothing is configured. */
export const DEFAULT_CONVERSATION_SETTINGS: ConversationSettings = v.parse(conversationSettingsSchema, {});

/** Converts settings to their stored form. */
export function writeConversationSettings(settings: ConversationSettings): Readonly<Record<string, unknown>> {
  const { showTranscripts, isStreaming, whitelist, responseMetrics } = settings;
  return {
    show_transcripts: showTranscripts,
    streaming: isStreaming,
    enable_whitelist: whitelist !== null,
    ...(whitelist !== null && { whitelist }),
    response_metrics: responseMetrics,
  };
}
