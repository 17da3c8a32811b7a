import { computed, effect } from '@preact/signals';
import type { TranscriptItem } from '../../../client/index.ts';
import { fill, fillCount } from '../../locales/fill.ts';
import { createDelayedValue } from '../../signals/delayed-value.ts';
import { onMessageComplete } from '../model/on-message-complete.ts';
import type { PanelModel } from '../model/panel-model.ts';
import { readMessageText } from '../read-message-text.ts';
import { selectBanner } from '../select-banner.ts';
import { isHiddenNotice } from '../transcript/select-rows.ts';

/** More messages than this at once are a replay, and are announced by their number. */
const MAX_AT_ONCE = 2;

async function toAnnouncement(model: PanelModel, item: TranscriptItem): Promise<string | undefined> {
  const { chat, strings, locale, nameOf, isOpen, parts } = model;
  if (item.kind === 'system') {
    if (isHiddenNotice(item, chat.messages.peek())) return;
    const code = await parts.notices.load();
    return code?.selectNoticeText(item.notice, model);
  }
  if (item.kind === 'user') return strings.peek().notSent;
  const name = nameOf(item.speaker);
  if (!isOpen.peek()) return fill(strings.peek().newMessage, { name });
  const nameTable = (count: number) => fillCount(strings.peek().tableRows, count, locale.peek());
  const text = await readMessageText(item.text, parts, { nameTable, isStopped: item.isStopped });
  const replies = chat.suggestions.peek().map(({ text }) => text);
  return [
    fill(strings.peek().says, { name }),
    text,
    item.isStopped && strings.peek().answerStopped,
    ...item.attachments.map(({ title }) => title),
    ...item.callActions.map(({ title, phoneNumber }) => title || phoneNumber),
    replies.length > 0 && `${strings.peek().suggestions}: ${replies.join(', ')}`,
  ]
    .filter(Boolean)
    .join(' ');
}

/**
 * Calls `say` with finished messages of the other side and with changes of state, for screen readers. Chunks, the
 * visitor's own messages and restored conversations are not announced. Returns a function that stops it.
 */
export function startAnnouncements(model: PanelModel, say: (text: string | undefined) => void): () => void {
  const { chat, strings, locale, isMenuMissing, isOpen, parts } = model;
  let announced: Promise<void> = Promise.resolve();
  /** Keeps the order in which things happened, although some texts have to be fetched first. */
  const announce = (text: Promise<string | undefined> | string): void => {
    announced = announced.then(async () => say(await text)).catch(reportError);
  };
  const banner = createDelayedValue(
    computed(
      () =>
        selectBanner(chat.connection.value, false, Number.POSITIVE_INFINITY, isMenuMissing.value)?.text ??
        null,
    ),
  );
  const stops = [
    onMessageComplete(chat, (items, isRestored) => {
      if (isRestored) return;
      // Notices are short and describe the current state.
      const { length: count } = items.filter(({ kind }) => kind !== 'system');
      if (count > MAX_AT_ONCE) announce(fillCount(strings.peek().newMessages, count, locale.peek()));
      else for (const item of items) announce(toAnnouncement(model, item));
    }),
    banner.dispose,
    effect(() => {
      const text = banner.shown.value;
      if (text && isOpen.peek()) announce(fill(strings.peek()[text], { time: '' }));
    }),
    effect(() => {
      const queue = chat.queue.value;
      if (!queue || !isOpen.peek()) return;
      announce(
        parts.notices.load().then((code) => code?.formatQueueStatus(queue, strings.peek(), locale.peek())),
      );
    }),
    effect(() => {
      if (chat.session.value.status === 'ended') announce(strings.peek().ended);
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
