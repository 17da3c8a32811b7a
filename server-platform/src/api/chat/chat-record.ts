import type { ChatCreateBody } from '@natter/sdk';
import type { Connector } from '../../accounts/index.ts';
import type { CollectedTurn } from '../../agents/index.ts';
import { storableText } from '../../db/index.ts';
import { recordHandoff } from '../../realtime/conversation/index.ts';
import type {
  ConversationChange,
  ConversationEndReason,
  ConversationStart,
} from '../../realtime/event-log/index.ts';
import type { Chat, ChatChange } from './chat.ts';

/** Source: 3.1. */
const RECORD_CHANNELS: Readonly<Record<NonNullable<ChatCreateBody['channel']>, string>> = {
  api: 'CHAT',
  webchat: 'WEBCHAT',
  sms: 'SMS',
  whatsapp: 'WHATSAPP',
};

const END_REASONS: Readonly<Record<'handoff' | 'end', ConversationEndReason>> = {
  handoff: 'handoff',
  end: 'agent',
};

/** The agent's language decides, because record and agent texts are in it. Source: 3.1, 3.2. */
export function languageOf(body: Pick<ChatCreateBody, 'asr_lang_code' | 'tts_lang_code'>): string | null {
  const language = [body.tts_lang_code, body.asr_lang_code].find((code) => code !== undefined && code !== '');
  return language ?? null;
}

/** The record of a conversation's start. */
export function toRecordStart(
  chat: Chat,
  about: {
    readonly connector: Connector;
    readonly variantName: string;
    readonly channel: ChatCreateBody['channel'];
  },
): ConversationStart {
  const sharedId = chat.integrationAttributes?.['shared_id'];
  return {
    atMs: chat.lastActivityMs,
    projectId: chat.projectId,
    connectorId: chat.connectorId,
    variantId: chat.variantId ?? '',
    variantName: about.variantName,
    environment: about.connector.environment,
    channel: RECORD_CHANNELS[about.channel ?? 'api'],
    language: chat.language,
    fromNumber: '',
    toNumber: '',
    sharedId: typeof sharedId === 'string' && sharedId !== '' ? sharedId : null,
  };
}

/** The chat's changes after an answered turn. */
export function changeAfter(
  turn: Extract<CollectedTurn, { readonly kind: 'answered' }>,
  nowMs: number,
): ChatChange {
  return {
    status: turn.next.type === 'continue' ? 'open' : 'ended',
    language: storableText(turn.language),
    agentState: turn.state,
    lastActivityMs: nowMs,
  };
}

/** The part of a record about how the conversation continues. */
export function recordNext(turn: CollectedTurn, atMs: number): Omit<ConversationChange, 'id'> {
  if (turn.kind === 'failed') return {};
  const { language, next } = turn;
  if (next.type === 'continue') return { language };
  const end = { atMs, reason: END_REASONS[next.type] };
  return next.type === 'handoff' ? { language, end, handoff: recordHandoff(next, atMs) } : { language, end };
}
