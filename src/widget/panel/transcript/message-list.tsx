import { useComputed } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals-core';
import type { VNode } from 'preact';
import type { TranscriptItem } from '../../../client/index.ts';
import { ErrorBoundary } from '../error-boundary.tsx';
import { usePanel } from '../model/panel-model.ts';
import { AgentMessage, SpeakerLine } from './agent-message.tsx';
import type { Row } from './select-rows.ts';
import { VisitorMessage } from './visitor-message.tsx';

/** The rows of the transcript. A change inside a message renders that message only. */
export function MessageList({ rows }: { rows: ReadonlySignal<readonly Row[]> }): VNode {
  const { chat, parts } = usePanel();
  const notices = parts.notices.code.value;
  const latestFromVisitor = useComputed(() => {
    const last = chat.messages.value.at(-1);
    return last?.value.kind === 'user' ? last : null;
  });
  return (
    <>
      {rows.value.map((row) =>
        row.kind === 'group' ? (
          <Group key={row.key} group={row} latest={latestFromVisitor.value} />
        ) : (
          notices && (
            <ErrorBoundary key={row.key}>
              {row.kind === 'handoff' ? (
                <notices.HandoffCard item={row.item} hours={row.hours} />
              ) : (
                <notices.SystemRow row={row} />
              )}
            </ErrorBoundary>
          )
        ),
      )}
    </>
  );
}

function Group({
  group: { from, items, isNewSpeaker },
  latest,
}: {
  key: string;
  group: Extract<Row, { kind: 'group' }>;
  latest: ReadonlySignal<TranscriptItem> | null;
}): VNode {
  const first = items[0]?.peek();
  return (
    <div class={`group ${from}`}>
      {first?.kind === 'agent' && isNewSpeaker && <SpeakerLine speaker={first.speaker} />}
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
