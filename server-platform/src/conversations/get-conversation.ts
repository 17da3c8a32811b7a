import { type ConversationDetail, toVendorFields, VENDOR_FIELDS } from '@natter/sdk';
import type { StoredConversation } from './read-conversations.ts';
import { durationsOf, type RecordContext } from './write-conversation.ts';
import { writeMetrics } from './write-metrics.ts';
import { statesAfter, writeTime, writeTurn } from './write-turn.ts';

/** A conversation by its id, in camel case; fields without a value are left out. Source: 4.4. */
export function writeConversationDetail({ row, turns }: StoredConversation, context: RecordContext): object {
  const { settings, extras, nowMs, accountId } = context;
  const { total, platform } = durationsOf(row, nowMs);
  const states = statesAfter(turns);
  const detail: ConversationDetail = {
    conversationId: row.id,
    accountId,
    projectId: row.project_id,
    createdAt: writeTime(row.started_at),
    startedAt: writeTime(row.started_at),
    ...(row.ended_at !== null && { finishedAt: writeTime(row.ended_at) }),
    channel: row.channel,
    fromNumber: row.from_number,
    toNumber: row.to_number,
    language: row.language,
    variantId: row.variant_id,
    clientEnv: row.environment,
    totalDuration: total,
    platformDuration: platform,
    duration: total,
    inProgress: row.ended_at === null,
    handoff: row.handoff_at !== null,
    ...(row.handoff_destination !== null && { handoffDestination: row.handoff_destination }),
    ...(row.handoff_reason !== null && { handoffReason: row.handoff_reason }),
    direction: 'inbound',
    turns: settings.showTranscripts
      ? turns.map((turn, index) => writeTurn(turn, states[index] ?? {}, extras))
      : [],
    metrics: writeMetrics(turns, total, settings.responseMetrics),
  };
  return context.hasVendorNames ? toVendorFields({ ...detail }, VENDOR_FIELDS.conversationDetail) : detail;
}
