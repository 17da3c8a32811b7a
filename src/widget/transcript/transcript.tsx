import { useComputed, useSignal, useSignalEffect } from '@preact/signals';
import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { ErrorBoundary } from '../error-boundary.tsx';
import { usePanel } from '../model/panel-model.ts';
import { MessageList } from './message-list.tsx';
import { ScrollToEndButton } from './scroll-to-end-button.tsx';
import { createRowSelector } from './select-rows.ts';
import { selectEndWindow } from './select-window.ts';
import { Suggestions } from './suggestions.tsx';
import { TypingLine } from './typing-line.tsx';
import { useAutoScroll } from './use-auto-scroll.ts';
import { WelcomeMessage } from './welcome-message.tsx';

/** The scrolled conversation: messages, typing indicator and suggestions. */
export function Transcript(): VNode | null {
  const { chat, strings, layout, parts, isOver, terms } = usePanel();
  const legal = terms.value;
  const notices = parts.notices.code.value;
  const window = useSignal(selectEndWindow(chat.messages.peek().length));
  const rows = useMemo(() => createRowSelector(chat.messages, Date.now, window), [chat, window]);
  const isAtStart = useComputed(() => window.value[0] === 0);
  const { viewport, content, scroll } = useAutoScroll(window);
  useSignalEffect(() => {
    if (chat.queue.value || rows.value.some(({ kind }) => kind !== 'group')) parts.notices.load();
    if (isOver.value) parts.ended.load();
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
            <WelcomeMessage />
          </ErrorBoundary>
          {legal && isAtStart.value && <legal.LegalNotice isLong />}
          <MessageList rows={rows} />
          <ErrorBoundary>{notices && <notices.QueueLine />}</ErrorBoundary>
          <ErrorBoundary>
            <TypingLine />
          </ErrorBoundary>
          <ErrorBoundary>
            <Suggestions />
          </ErrorBoundary>
        </div>
      </div>
      <ScrollToEndButton scroll={scroll} />
    </div>
  );
}
