import { signal } from '@preact/signals-core';
import type { PastConversation, TranscriptItem } from '../../../client/index.ts';
import type { CustomMap } from '../../../protocol/index.ts';
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
  terms.peek()?.addFacts(createEarlierFacts(past, model));
  // Nothing above the line can be rated, because it belongs to another session.
  const above = past.items.slice(-SHOWN_ABOVE).map((item) =>
    signal({
      ...item,
      key: `${past.sessionId}-${item.key}`,
      ...(item.kind === 'agent' && { messageId: '' }),
    }),
  );
  await keepAbove(async () => {
    leaveHome();
    await (isOver.peek() ? chat.newChat() : chat.start());
  }, above);
}

/** The facts of the session that begins now: later ones, and those of another user, get none. */
function createEarlierFacts(past: PastConversation, { chat }: PanelModel): () => CustomMap {
  const facts = { earlier_conversation: writeEarlier(past.items) };
  const before = chat.currentSession();
  let sessionId = '';
  return () => {
    const now = chat.currentSession();
    if (before.owner && now.owner !== before.owner) return {};
    if (now.sessionId !== before.sessionId) sessionId ||= now.sessionId;
    return sessionId === '' || now.sessionId === sessionId ? facts : {};
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
