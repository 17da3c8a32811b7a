import { type Conversation, type OneOrMore, VENDOR_FIELDS } from '@natter/sdk';
import type { ConversationSettings } from '../accounts/index.ts';
import type { StoredConversation, StoredTurn } from './read-conversations.ts';
import {
  emptyToNull,
  type JsonFields,
  statesAfter,
  type TurnExtras,
  writeFields,
  writeLegacyTurn,
  writeTime,
  writeTurn,
} from './write-turn.ts';

/** What a record is written for. */
export interface RecordContext {
  readonly accountId: string;
  readonly settings: ConversationSettings;
  readonly extras: TurnExtras;
  readonly hasVendorNames: boolean;
  readonly nowMs: number;
}

/** A conversation of v2 and v3 as JSON, its fields in the order of 4.2. Source: CV-10 to CV-17. */
export function writeConversation(stored: StoredConversation, context: RecordContext): string {
  const { settings, extras } = context;
  const states = statesAfter(stored.turns);
  const turns = settings.showTranscripts
    ? stored.turns.map((turn, index) => writeTurn(turn, states[index] ?? '{}', extras))
    : [];
  return writeFields(
    named({ ...headOf(stored, states.at(-1) ?? '{}', context), turns: `[${turns}]` }, context),
  );
}

/** A conversation of v1 as JSON: empty texts are null, only the fields of the whitelist if there is one. Source: 4.3. */
export function writeLegacyConversation(stored: StoredConversation, context: RecordContext): string {
  const turns = context.settings.showTranscripts ? stored.turns.map(writeLegacyTurn) : [];
  const head = headOf(stored, statesAfter(stored.turns).at(-1) ?? '{}', context);
  const record: JsonFields = { ...emptyToNull(head), turns: `[${turns}]` };
  const { whitelist } = context.settings;
  if (whitelist === null) return writeFields(named(record, context));
  const { conversation: vendorNames } = VENDOR_FIELDS;
  const isListed = (name: string): boolean =>
    whitelist.includes(name) || whitelist.includes(vendorNames[name] ?? name);
  const listed = Object.fromEntries(Object.entries(record).filter(([name]) => isListed(name)));
  return writeFields(named(listed, context));
}

function headOf(
  stored: StoredConversation,
  state: string,
  context: RecordContext,
): { readonly [Name in Exclude<keyof Conversation, 'turns'>]: string } {
  const { total, platform } = durationsOf(stored, context.nowMs);
  return {
    id: stored.id,
    account_id: JSON.stringify(context.accountId),
    project_id: stored.projectId,
    variant_id: stored.variantId,
    variant_name: stored.variantName,
    environment: stored.environment,
    started_at: `"${writeTime(stored.startedAtMs)}"`,
    channel: stored.channel,
    in_progress: String(stored.endedAtMs === null),
    from_number: stored.fromNumber,
    to_number: stored.toNumber,
    num_turns: stored.numTurns,
    total_duration: String(total),
    platform_duration: String(platform),
    handoff: String(stored.isHandedOff),
    handoff_reason: stored.handoffReason || '""',
    handoff_destination: stored.handoffDestination || '""',
    num_silences: stored.numSilences,
    num_ood: stored.numOod,
    metrics: JSON.stringify(writeMetrics(stored.turns, total, context.settings.responseMetrics)),
    state,
  };
}

/** Whole seconds, up to now while in progress; the platform's part ends when the agent leaves. Source: CV-11. */
export function durationsOf(
  { startedAtMs, endedAtMs, agentLeftAtMs }: StoredConversation,
  nowMs: number,
): { readonly total: number; readonly platform: number } {
  const endMs = endedAtMs ?? nowMs;
  const seconds = (untilMs: number): number => Math.max(0, Math.floor((untilMs - startedAtMs) / 1000));
  return { total: seconds(endMs), platform: seconds(Math.min(endMs, agentLeftAtMs ?? endMs)) };
}

/**
 * The metrics of a conversation: a text for a metric that was written once, a list for one written more often. Those that
 * the agent wrote, and two of ours, `CALL_DURATION` in seconds and `CALL_TURN`, the times of the turns, a list also of
 * one. `shown` narrows them down; null: all. Source: CV-12.
 */
export function writeMetrics(
  turns: readonly StoredTurn[],
  durationSeconds: number,
  shown: readonly string[] | null,
): Readonly<Record<string, OneOrMore>> {
  const written = new Map<string, string[]>([['CALL_DURATION', [String(durationSeconds)]]]);
  const add = (name: string, value: string): void => {
    const values = written.get(name);
    if (values === undefined) written.set(name, [value]);
    else values.push(value);
  };
  for (const turn of turns) {
    add('CALL_TURN', writeTime(Number(turn.userInputAt || turn.agentResponseAt || turn.recordedAt)));
    if (turn.metrics === '{}') continue;
    const metrics: Readonly<Record<string, string | number | boolean>> = JSON.parse(turn.metrics);
    for (const [name, value] of Object.entries(metrics)) add(name, String(value));
  }
  return Object.fromEntries(
    [...written]
      .filter(([name]) => shown === null || shown.includes(name))
      .map(([name, values]) => [
        name,
        values.length === 1 && name !== 'CALL_TURN' ? (values[0] ?? '') : values,
      ]),
  );
}

function named(record: JsonFields, { hasVendorNames }: RecordContext): JsonFields {
  if (!hasVendorNames) return record;
  const { conversation: vendorNames } = VENDOR_FIELDS;
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => [vendorNames[name] ?? name, value]),
  );
}
