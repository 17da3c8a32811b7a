import { type Conversation, type LegacyConversation, toVendorFields, VENDOR_FIELDS } from '@natter/sdk';
import type { ConversationSettings } from '../accounts/index.ts';
import type { StoredConversation } from './read-conversations.ts';
import { writeMetrics } from './write-metrics.ts';
import {
  emptyToNull,
  statesAfter,
  type TurnExtras,
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

/** A conversation of v2 and v3, its fields in the order of 4.2. Source: CV-10 to CV-17. */
export function writeConversation(stored: StoredConversation, context: RecordContext): object {
  const states = statesAfter(stored.turns);
  const turns = stored.turns.map((turn, index) => writeTurn(turn, states[index] ?? {}, context.extras));
  const record: Conversation = {
    ...headOf(stored, context),
    turns: context.settings.showTranscripts ? turns : [],
  };
  return named({ ...record }, context);
}

/** A conversation of v1: empty texts are null, only the fields of the whitelist if there is one. Source: 4.3. */
export function writeLegacyConversation(stored: StoredConversation, context: RecordContext): object {
  const turns = context.settings.showTranscripts ? stored.turns.map(writeLegacyTurn) : [];
  const record: LegacyConversation = { ...emptyToNull(headOf(stored, context)), turns };
  const { whitelist } = context.settings;
  if (whitelist === null) return named({ ...record }, context);
  const { conversation: vendorNames } = VENDOR_FIELDS;
  const isListed = (name: string): boolean =>
    whitelist.includes(name) || whitelist.includes(vendorNames[name] ?? name);
  return named(Object.fromEntries(Object.entries(record).filter(([name]) => isListed(name))), context);
}

function headOf({ row, turns }: StoredConversation, context: RecordContext): Omit<Conversation, 'turns'> {
  const { total, platform } = durationsOf(row, context.nowMs);
  return {
    id: row.id,
    account_id: context.accountId,
    project_id: row.project_id,
    variant_id: row.variant_id,
    variant_name: row.variant_name,
    environment: row.environment,
    started_at: writeTime(row.started_at),
    channel: row.channel,
    in_progress: row.ended_at === null,
    from_number: row.from_number,
    to_number: row.to_number,
    num_turns: row.num_turns,
    total_duration: total,
    platform_duration: platform,
    handoff: row.handoff_at !== null,
    handoff_reason: row.handoff_reason ?? '',
    handoff_destination: row.handoff_destination ?? '',
    num_silences: row.num_silences,
    num_ood: row.num_ood,
    metrics: writeMetrics(turns, total, context.settings.responseMetrics),
    state: statesAfter(turns).at(-1) ?? {},
  };
}

/** Whole seconds, up to now while in progress; the platform's part ends when the agent leaves. Source: CV-11. */
export function durationsOf(
  row: Pick<StoredConversation['row'], 'started_at' | 'ended_at' | 'agent_left_at'>,
  nowMs: number,
): { readonly total: number; readonly platform: number } {
  const endMs = row.ended_at ?? nowMs;
  const seconds = (untilMs: number): number => Math.max(0, Math.floor((untilMs - row.started_at) / 1000));
  return { total: seconds(endMs), platform: seconds(Math.min(endMs, row.agent_left_at ?? endMs)) };
}

function named(record: Readonly<Record<string, unknown>>, { hasVendorNames }: RecordContext): object {
  return hasVendorNames ? toVendorFields(record, VENDOR_FIELDS.conversation) : record;
}
