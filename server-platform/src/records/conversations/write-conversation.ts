import { type Conversation, type OneOrMore, VENDOR_FIELDS } from '@natter/sdk';
import type { ConversationSettings } from '../../accounts/index.ts';
import type { StoredConversation, StoredHead, StoredTurn } from './stored-conversation.ts';
import { withholdTexts } from './withhold-texts.ts';
import {
  emptyToNull,
  type JsonFields,
  type TurnExtras,
  writeFields,
  writeLegacyTurn,
  writeTime,
  writeTurn,
} from './write-turn.ts';

/** Context of a record: settings and requested extras. */
export interface RecordContext {
  readonly accountId: string;
  readonly settings: ConversationSettings;
  readonly extras: TurnExtras;
  readonly hasVendorNames: boolean;
  readonly nowMs: number;
}

/** The text of a record: before its turns, for each turn, and after them. */
export interface RecordText {
  readonly opening: string;
  /** Writes one turn after the other, in order; null: the record has no turns. */
  readonly writeTurn: ((turn: StoredTurn) => string) | null;
  readonly closing: string;
}

/** A conversation of v2 and v3 as JSON, its fields in the order of 4.2. Source: CV-10 to CV-17. */
export function writeConversation(stored: StoredConversation, context: RecordContext): RecordText {
  return around(named(headOf(stored, context), context), turnWriter(context));
}

/** A conversation of v1 as JSON: empty texts are null, only the fields of the whitelist if there is one. Source: 4.3. */
export function writeLegacyConversation(stored: StoredConversation, context: RecordContext): RecordText {
  const { whitelist, showTranscripts } = context.settings;
  const head = emptyToNull(headOf(stored, context));
  const writeTurn = showTranscripts ? writeLegacyTurn : null;
  if (whitelist === null) return around(named(head, context), writeTurn);
  const isListed = (name: string): boolean => isShownOnV1(name, whitelist);
  const listed = named(Object.fromEntries(Object.entries(head).filter(([name]) => isListed(name))), context);
  if (isListed('turns')) return around(listed, writeTurn);
  return { opening: writeFields(listed), writeTurn: null, closing: '' };
}

/** Whether v1 shows a field, in either spelling of the whitelist; `null`: it shows all. Source: 4.3. */
export function isShownOnV1(name: string, whitelist: readonly string[] | null): boolean {
  const vendorName = VENDOR_FIELDS.conversation[name] ?? name;
  return whitelist === null || whitelist.includes(name) || whitelist.includes(vendorName);
}

/** A record of these fields, with its turns as the last one. */
export function around(head: JsonFields, writeTurn: RecordText['writeTurn']): RecordText {
  const fields = writeFields(head).slice(1, -1);
  return { opening: `{${fields}${fields === '' ? '' : ','}"turns":[`, writeTurn, closing: ']}' };
}

/** Writes the turns of a conversation if its project shows them. */
export function turnWriter({ settings, extras }: RecordContext): RecordText['writeTurn'] {
  if (!settings.showTranscripts) return null;
  // A turn that did not change the variables keeps the previous ones.
  let state = '{}';
  return (turn) => {
    if (turn.contextState !== '') state = turn.contextState;
    return writeTurn(turn, state, extras);
  };
}

function headOf(
  kept: StoredConversation,
  context: RecordContext,
): { readonly [Name in Exclude<keyof Conversation, 'turns'>]: string } {
  const stored = withholdTexts(kept, context.settings);
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
    metrics: JSON.stringify(writeMetrics(stored, total, context.settings.responseMetrics)),
    state: stored.state,
  };
}

/** Whole seconds, up to now while in progress; the platform's share ends when the agent leaves. Source: CV-11. */
export function durationsOf(
  { startedAtMs, endedAtMs, agentLeftAtMs }: Pick<StoredHead, 'startedAtMs' | 'endedAtMs' | 'agentLeftAtMs'>,
  nowMs: number,
): { readonly total: number; readonly platform: number } {
  const endMs = endedAtMs ?? nowMs;
  const seconds = (untilMs: number): number => Math.max(0, Math.floor((untilMs - startedAtMs) / 1000));
  return { total: seconds(endMs), platform: seconds(Math.min(endMs, agentLeftAtMs ?? endMs)) };
}

/**
 * The metrics of a conversation: a text for a metric written once, a list for several. Includes the agent's metrics and
 * two of ours: `CALL_DURATION` in seconds, and `CALL_TURN`, the times of the turns, always a list. `CUT` marks omitted
 * ones. `shown` selects metrics; null: all. Source: CV-12.
 */
export function writeMetrics(
  { summaries, hasMoreSummaries }: Pick<StoredConversation, 'summaries' | 'hasMoreSummaries'>,
  durationSeconds: number,
  shown: readonly string[] | null,
): Readonly<Record<string, OneOrMore>> {
  const written = new Map<string, string[]>([['CALL_DURATION', [String(durationSeconds)]]]);
  const add = (name: string, value: string): void => {
    const values = written.get(name);
    if (values === undefined) written.set(name, [value]);
    else values.push(value);
  };
  for (const turn of summaries) {
    add('CALL_TURN', writeTime(Number(turn.at)));
    if (turn.metrics === '{}') continue;
    const metrics: Readonly<Record<string, unknown>> = JSON.parse(turn.metrics);
    for (const [name, values] of Object.entries(metrics))
      for (const value of [values].flat()) add(name, String(value));
  }
  if (hasMoreSummaries) add('CUT', 'true');
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
