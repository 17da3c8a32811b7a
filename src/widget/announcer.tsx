import type { TranscriptItem } from '../client/index.ts';
import { appendSentence, type Sentence } from './append-sentence.ts';
import { usePanel } from './panel-model.ts';
import { readText } from './read-text.ts';
import { selectBanner } from './select-banner.ts';
import { findFirstJoin } from './select-rows.ts';
import { fill, fillCount } from './strings/fill.ts';
import { useSteady } from './use-steady.ts';
import { useMounted, useSignal, useSignalEffect, type View, view } from './view/index.ts';
import { watchFinished } from './watch-finished.ts';

/** More messages than this at once are history coming back, not somebody speaking. */
const MAX_AT_ONCE = 2;

/**
 * The one live region: finished messages of the other side, and changes of state. Chunks of a message are never
 * announced, nor what the visitor wrote, nor a conversation that is restored.
 */
export const Announcer: View = view(() => {
  const { chat, strings, locale, nameOf, isMenuMissing, isOpen, parts } = usePanel();
  const said = useSignal<readonly Sentence[]>([]);
  const say = (text: string | undefined) => {
    if (text) said.value = appendSentence(said.peek(), text);
  };

  const sentenceFor = async (item: TranscriptItem): Promise<string | undefined> => {
    if (item === findFirstJoin(chat.messages.peek())?.peek()) return;
    if (item.kind === 'system') {
      const code = await parts.notices.need();
      return code?.selectNoticeText(item.notice, strings.peek(), locale.peek(), nameOf(null));
    }
    if (item.kind === 'user') return strings.peek().notSent;
    const name = nameOf(item.speaker);
    if (!isOpen.peek()) return fill(strings.peek().newMessage, { name });
    const replies = chat.suggestions.peek().map(({ text }) => text);
    return [
      fill(strings.peek().says, { name }),
      readText(item.text),
      ...item.attachments.map(({ title }) => title),
      ...item.callActions.map(({ title, phoneNumber }) => title || phoneNumber),
      replies.length > 0 && `${strings.peek().suggestions}: ${replies.join(', ')}`,
    ]
      .filter(Boolean)
      .join(' ');
  };

  useMounted(() =>
    watchFinished(chat, async (items, isRestored) => {
      if (isRestored) return;
      if (items.length > MAX_AT_ONCE) say(fillCount(strings.peek().newMessages, items.length, locale.peek()));
      else for (const item of items) say(await sentenceFor(item));
    }),
  );
  const banner = useSteady(() => {
    const shown = selectBanner(chat.connection.value, false, Number.POSITIVE_INFINITY, isMenuMissing.value);
    return shown?.text ?? null;
  });
  useSignalEffect(() => {
    if (banner.value && isOpen.peek()) say(fill(strings.peek()[banner.value], { time: '' }));
  });
  useSignalEffect(() => {
    const queue = chat.queue.value;
    if (!queue || !isOpen.peek()) return;
    void parts.notices.need().then((code) => say(code?.sayQueue(queue, strings.peek(), locale.peek())));
  });
  useSignalEffect(() => {
    if (chat.session.value.status === 'ended') say(strings.peek().ended);
  });

  return (
    <div class="sr" aria-live="polite">
      {said.value.map(({ id, text }) => (
        <p key={id}>{text}</p>
      ))}
    </div>
  );
});
