import { effect } from '@preact/signals-core';
import type { Chat } from '../../client/index.ts';
import { onMessageComplete } from '../../widget/index.ts';
import type { WidgetEmitter } from '../widget-events.ts';

/**
 * Emits the widget's events about its chat. `onAnswer` is called with each new message of the other side as well. Returns the
 * functions that stop it.
 */
export function emitChatEvents(
  chat: Chat,
  { emit }: WidgetEmitter,
  onAnswer: (text: string, from: string) => void,
): readonly (() => void)[] {
  return [
    effect(() => emit('unread', { count: chat.unread.value })),
    effect(() => emit('connection', chat.connection.value)),
    effect(() => {
      const session = chat.session.value;
      emit('session', session);
      if (session.status === 'ended') emit('end', { by: session.by });
      if (session.status === 'expired') emit('end', { by: 'inactivity' });
    }),
    onMessageComplete(chat, (items, isRestored) => {
      // A restored history is not new, and thousands of events would take long.
      for (const item of isRestored ? [] : items) {
        if (item.kind !== 'agent') continue;
        emit('message', { text: item.text, from: item.speaker.kind });
        onAnswer(item.text, item.speaker.name ?? '');
      }
    }),
  ];
}
