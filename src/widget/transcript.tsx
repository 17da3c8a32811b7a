import { useComputed, useSignal, useSignalEffect } from '@preact/signals';
import { effect, type ReadonlySignal } from '@preact/signals-core';
import type { VNode } from 'preact';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { TranscriptItem } from '../client/index.ts';
import { AgentMessage, SpeakerLine } from './agent-message.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { createFollowScroll, type FollowScroll } from './follow-scroll.ts';
import { ARROW_DOWN, Icon } from './icons.tsx';
import { Intro } from './intro.tsx';
import { usePanel } from './panel-model.ts';
import { createRowSelector, type Row } from './select-rows.ts';
import { selectEndWindow } from './select-window.ts';
import { Suggestions } from './suggestions.tsx';
import { VisitorMessage } from './visitor-message.tsx';
import { TypingLine } from './waiting.tsx';

/** The conversation, in a view that lets people read. */
export function Transcript(): VNode | null {
  const { chat, strings, sendCount, layout, parts, isOver, terms } = usePanel();
  const print = terms.value;
  const notices = parts.notices.code.value;
  const viewport = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const scroll = useSignal<FollowScroll | null>(null);
  const window = useSignal(selectEndWindow(chat.messages.peek().length));
  const rows = useMemo(() => createRowSelector(chat.messages, Date.now, window), [chat, window]);
  const latestFromVisitor = useComputed(() => {
    const last = chat.messages.value.at(-1);
    return last?.value.kind === 'user' ? last : null;
  });

  useLayoutEffect(() => {
    const scrolled = {
      // Both stand on the page by now.
      viewport: viewport.current as HTMLDivElement,
      content: content.current as HTMLDivElement,
      entries: chat.messages,
      window,
    };
    const follow = createFollowScroll(scrolled);
    scroll.value = follow;
    const stop = effect(() => parts.reading.code.value?.readBack(scrolled, follow));
    return () => {
      stop();
      follow.dispose();
    };
  }, [chat, parts, scroll, window]);
  useSignalEffect(() => {
    if (chat.queue.value || rows.value.some(({ kind }) => kind !== 'group')) parts.notices.need();
    if (isOver.value) parts.ended.need();
    // What is before the window; and the page that a browser prints.
    if (window.value[0] || layout.value === 'fullscreen') parts.reading.need();
  });
  useSignalEffect(() => {
    if (sendCount.value > 0) queueMicrotask(() => scroll.peek()?.goToQuestion());
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
        onFocus={parts.reading.need}
      >
        <div class="content" ref={content}>
          <ErrorBoundary>
            <Intro />
          </ErrorBoundary>
          {print && window.value[0] === 0 && <print.SmallPrint isLong />}
          {rows.value.map((row) =>
            row.kind === 'group' ? (
              <Group key={row.key} group={row} latest={latestFromVisitor.value} />
            ) : (
              notices && (
                <ErrorBoundary key={row.key}>
                  <notices.Aside row={row} />
                </ErrorBoundary>
              )
            ),
          )}
          <ErrorBoundary>{notices && <notices.QueueLine />}</ErrorBoundary>
          <ErrorBoundary>
            <TypingLine />
          </ErrorBoundary>
          <ErrorBoundary>
            <Suggestions />
          </ErrorBoundary>
        </div>
      </div>
      <BelowButton scroll={scroll} />
    </div>
  );
}

function Group({
  group: { from, items },
  latest,
}: {
  key: string;
  group: Extract<Row, { kind: 'group' }>;
  latest: ReadonlySignal<TranscriptItem> | null;
}): VNode {
  const first = items[0]?.peek();
  return (
    <div class={`group ${from}`}>
      {first?.kind === 'agent' && <SpeakerLine speaker={first.speaker} />}
      {items.map((item) => {
        const { key } = item.peek();
        return (
          <ErrorBoundary key={key}>
            {from === 'agent' ? (
              <AgentMessage item={item} />
            ) : (
              <VisitorMessage item={item} isLatest={item === latest} />
            )}
          </ErrorBoundary>
        );
      })}
    </div>
  );
}

function BelowButton({ scroll }: { scroll: ReadonlySignal<FollowScroll | null> }): VNode | null {
  const { strings } = usePanel();
  const below = scroll.value?.below.value ?? 'nothing';
  if (below === 'nothing') return null;
  const isNew = below === 'new';
  return (
    <button
      type="button"
      class={isNew ? 'below new' : 'below'}
      aria-label={isNew ? undefined : strings.value.toLatest}
      onClick={() => scroll.peek()?.goToEnd()}
    >
      <Icon path={ARROW_DOWN} size={16} />
      {isNew && strings.value.newBelow}
    </button>
  );
}
