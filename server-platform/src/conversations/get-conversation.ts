import { type ConversationDetail, toVendorFields, VENDOR_FIELDS } from '@natter/sdk';
import type { StoredConversation } from './read-conversations.ts';
import { durationsOf, type RecordContext, writeMetrics } from './write-conversation.ts';
import { statesAfter, writeTime, writeTurn } from './write-turn.ts';

/** A conversation by its id, in camel case; fields without a value are left out. Source: 4.4. */
export function writeConversationDetail(stored: StoredConversation, context: RecordContext): object {
  const { settings, extras, nowMs, accountId } = context;
  const { turns, endedAtMs, handoffDestination, handoffReason } = stored;
  const { total, platform } = durationsOf(stored, nowMs);
  const states = statesAfter(turns);
  const detail: ConversationDetail = {
    conversationId: JSON.parse(stored.id),
    accountId,
    projectId: JSON.parse(stored.projectId),
    createdAt: writeTime(stored.startedAtMs),
    startedAt: writeTime(stored.startedAtMs),
    ...(endedAtMs !== null && { finishedAt: writeTime(endedAtMs) }),
    channel: JSON.parse(stored.channel),
    fromNumber: JSON.parse(stored.fromNumber),
    toNumber: JSON.parse(stored.toNumber),
    language: JSON.parse(stored.language),
    variantId: JSON.parse(stored.variantId),
    clientEnv: JSON.parse(stored.environment),
    totalDuration: total,
    platformDuration: platform,
    duration: total,
    inProgress: endedAtMs === null,
    handoff: stored.isHandedOff,
    ...(handoffDestination !== '' && { handoffDestination: JSON.parse(handoffDestination) }),
    ...(handoffReason !== '' && { handoffReason: JSON.parse(handoffReason) }),
    direction: 'inbound',
    turns: settings.showTranscripts
      ? turns.map((turn, index) => JSON.parse(writeTurn(turn, states[index] ?? '{}', extras)))
      : [],
    metrics: writeMetrics(turns, total, settings.responseMetrics),
  };
  return context.hasVendorNames ? toVendorFields({ ...detail }, VENDOR_FIELDS.conversationDetail) : detail;
}
