import { useComputed, useSignal, useSignalEffect } from '@preact/signals';
import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { hasFeature } from '../../has-feature.ts';
import { ErrorBoundary } from '../error-boundary.tsx';
import { usePanel } from '../model/panel-model.ts';
import { MessageList } from './message-list.tsx';
import { ScrollToEndButton } from './scroll-to-end-button.tsx';
import { createRowSelector, isWaiting } from './select-rows.ts';
import { selectEndWindow } from './select-window.ts';
import { TypingLine } from './typing-line.tsx';
import { useAutoScroll } from './use-auto-scroll.ts';
import { WelcomeMessage } from './welcome-message.tsx';

/** The scrolled conversation: messages and typing indicator. */
export function Transcript(): VNode | null {
  const { chat, options, strings, layout, parts, isOver, terms, entries, chatStarts, sendCount } = usePanel();
  const legal = terms.value;
  const notices = parts.notices.code.value;
  const window = useSignal(selectEndWindow(entries.peek().length));
  const rows = useMemo(
    () => createRowSelector(entries, Date.now, window, chatStarts),
    [entries, chatStarts, window],
  );
  // The card of a hand-off shows the queue itself.
  const hasCard = useComputed(() => {
    const last = rows.value.findLast(({ kind }) => kind === 'handoff');
    return last?.kind === 'handoff' && isWaiting(last.item.peek());
  });
  const isAtStart = useComputed(() => window.value[0] === 0);
  const { viewport, content, scroll } = useAutoScroll(window);
  useSignalEffect(() => {
    // Loads in time for the answer, and for the history of a restored conversation.
    if (sendCount.value > 0 || chat.session.value.status === 'restored') parts.markdown.load();
    if (chat.queue.value || rows.value.some(({ kind }) => kind !== 'group')) parts.notices.load();
    if (isOver.value) parts.ended.load();
    if (chat.canRequestContact.value && hasFeature(options.value, 'contact')) parts.contact.load();
    // For messages before the window, and for printing a full-screen chat.
    if (!isAtStart.value || layout.value === 'fullscreen') parts.history.load();
  });
  return (
    <div class="conversation">
      <div
        class="viewport"
        part="transcript"
        ref={viewport}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable from the keyboard
        tabIndex={0}
        role="log"
        aria-live="off"
        aria-label={strings.value.conversation}
        onFocus={parts.history.load}
      >
        <div class="content" ref={content}>
          <ErrorBoundary>
            <WelcomeMessage isAtStart={isAtStart.value} />
          </ErrorBoundary>
          {legal && isAtStart.value && <legal.LegalNotice isLong />}
          <MessageList rows={rows} />
          <ErrorBoundary>{notices && !hasCard.value && <notices.QueueLine />}</ErrorBoundary>
          <ErrorBoundary>
            <TypingLine />
          </ErrorBoundary>
        </div>
      </div>
      <ScrollToEndButton scroll={scroll} />
    </div>
  );
}
