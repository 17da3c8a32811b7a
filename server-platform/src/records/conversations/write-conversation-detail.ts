import { type ConversationDetail, toVendorFields, VENDOR_FIELDS } from '@natter/sdk';
import type { StoredConversation } from './stored-conversation.ts';
import { withholdTexts } from './withhold-texts.ts';
import {
  around,
  durationsOf,
  type RecordContext,
  type RecordText,
  turnWriter,
  writeMetrics,
} from './write-conversation.ts';
import { writeTime } from './write-turn.ts';

/** Formats a conversation by its id, in camel case, without empty fields. Source: 4.4. */
export function writeConversationDetail(kept: StoredConversation, context: RecordContext): RecordText {
  const { settings, nowMs, accountId } = context;
  const stored = withholdTexts(kept, settings);
  const { endedAtMs, handoffDestination, handoffReason } = stored;
  const { total, platform } = durationsOf(stored, nowMs);
  const detail: Omit<ConversationDetail, 'turns'> = {
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
    metrics: writeMetrics(stored, total, settings.responseMetrics),
  };
  const named = context.hasVendorNames
    ? toVendorFields({ ...detail }, VENDOR_FIELDS.conversationDetail)
    : detail;
  const fields = Object.entries(named).map(([name, value]) => [name, JSON.stringify(value)]);
  return around(Object.fromEntries(fields), turnWriter(context));
}
