import { effect, type ReadonlySignal, signal } from '@preact/signals-core';
import type { PastConversation, TranscriptItem } from '../../../client/index.ts';
import type { PanelModel } from '../../panel/model/panel-model.ts';

/** As many as one sees at a glance. */
const SHOWN_ABOVE = 6;
const MAX_LINE_CHARACTERS = 240;
/** The longest value of metadata. Source: MET-2. */
const MAX_BYTES = 1024;

/**
 * Begins a conversation with the end of an earlier one above it, which goes to the agent as metadata.
 */
export async function continuePast(past: PastConversation, model: PanelModel): Promise<void> {
  const { chat, isOver, leaveHome, keepAbove, terms } = model;
  const isCurrent = followNextSession(model);
  const metadata = { earlier_conversation: writeEarlier(past.items) };
  terms.peek()?.addMetadata(() => (isCurrent() ? metadata : {}));
  noteWhenWritten(past, model, isCurrent);
  await keepAbove(async () => {
    leaveHome();
    await (isOver.peek() ? chat.newChat() : chat.start());
  }, showAbove(past));
}

/**
 * Shows the copy that a conversation of an earlier page continues above it again. If the services cannot be loaded, there
 * are no copies either.
 */
export async function restoreAbove({ chat, chatStarts, keepAbove }: PanelModel): Promise<void> {
  const services = await chat.services().catch(() => null);
  const past = await services?.past.readContinued();
  if (past && chatStarts.peek().length === 0) await keepAbove(async () => {}, showAbove(past));
}

/** The entries above the line. None of them can be rated, because they belong to another session. */
const showAbove = (past: PastConversation): readonly ReadonlySignal<TranscriptItem>[] =>
  past.items.slice(-SHOWN_ABOVE).map((item) =>
    signal({
      ...item,
      key: `${past.sessionId}-${item.key}`,
      ...(item.kind === 'agent' && { messageId: '' }),
    }),
  );

/** Notes what the conversation continues once the visitor has written, because others cannot be resumed. */
function noteWhenWritten(
  { sessionId }: PastConversation,
  { chat, isOver }: PanelModel,
  isCurrent: () => boolean,
): void {
  const endedId = isOver.peek() ? chat.currentSession().sessionId : null;
  const stop = effect(() => {
    const isOwn = isCurrent();
    const isWritten = chat.messages.value.some(
      ({ value }) => value.kind === 'user' && value.delivery.status === 'sent',
    );
    if (!isWritten || chat.currentSession().sessionId === endedId) return;
    queueMicrotask(() => stop());
    if (isOwn)
      chat.services().then(
        ({ past }) => past.noteContinued(sessionId),
        () => undefined,
      );
  });
}

/** Returns a check whether the session is still the one that begins now, and belongs to the same user. */
function followNextSession({ chat }: PanelModel): () => boolean {
  const before = chat.currentSession();
  let sessionId = '';
  return () => {
    const now = chat.currentSession();
    if (before.owner && now.owner !== before.owner) return false;
    if (now.sessionId !== before.sessionId) sessionId ||= now.sessionId;
    return sessionId === '' || now.sessionId === sessionId;
  };
}

const ROLES = { user: 'Visitor', agent: 'Agent', live_agent: 'Person' } as const;

/** The last messages as lines, as many as fit. */
export function writeEarlier(items: readonly TranscriptItem[]): string {
  const lines = items.flatMap((item) => {
    if (item.kind === 'system') return [];
    const characters = [...item.text.replace(/\s+/g, ' ').trim()];
    const isLong = characters.length > MAX_LINE_CHARACTERS;
    const text = isLong ? `${characters.slice(0, MAX_LINE_CHARACTERS).join('')}…` : characters.join('');
    return text ? [`${ROLES[item.kind === 'user' ? 'user' : item.speaker.kind]}: ${text}`] : [];
  });
  const encoder = new TextEncoder();
  while (encoder.encode(lines.join('\n')).length > MAX_BYTES) lines.shift();
  return lines.join('\n');
}
