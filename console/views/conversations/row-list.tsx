import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
  type VirtualizerOptions,
} from '@tanstack/virtual-core';
import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useReducer, useRef, useState } from 'preact/hooks';
import { hrefOf } from '../../location.ts';
import { Badge, Button, formatSeconds, formatTurns, nameOfChannel, Time } from '../../ui/index.ts';
import type { ConversationRow } from './conversation-types.ts';

const ROW_PX = 64;
const ROW_NARROW_PX = 92;
const narrow = matchMedia('(max-width: 700px)');

/** A list that renders only the visible rows. Requests more when the end comes near. */
export function RowList({
  rows,
  hasMore,
  isLoadingMore,
  problem,
  onEnd,
}: {
  rows: readonly ConversationRow[];
  hasMore: boolean;
  isLoadingMore: boolean;
  problem: Error | null;
  onEnd: () => void;
}): VNode {
  const scroller = useRef<HTMLUListElement>(null);
  const [, update] = useReducer((count: number) => count + 1, 0);
  const options: VirtualizerOptions<HTMLUListElement, HTMLLIElement> = {
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => (narrow.matches ? ROW_NARROW_PX : ROW_PX),
    overscan: 8,
    initialRect: { width: 0, height: 800 },
    scrollToFn: elementScroll,
    observeElementOffset,
    observeElementRect,
    onChange: () => update(undefined),
  };
  const [virtualizer] = useState(() => new Virtualizer<HTMLUListElement, HTMLLIElement>(options));
  virtualizer.setOptions(options);
  useEffect(() => virtualizer._didMount(), [virtualizer]);
  useEffect(() => {
    const measure = (): void => virtualizer.measure();
    narrow.addEventListener('change', measure);
    return () => narrow.removeEventListener('change', measure);
  }, [virtualizer]);
  useLayoutEffect(() => virtualizer._willUpdate());
  const shown = virtualizer.getVirtualItems();
  const isNearEnd = (shown.at(-1)?.index ?? 0) >= rows.length - 10;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a requested page is not requested again
  useEffect(() => {
    if (isNearEnd && hasMore && !isLoadingMore && problem === null) onEnd();
  }, [isNearEnd, hasMore, isLoadingMore, rows.length]);
  return (
    <>
      <p class="quiet" role="status">
        {rows.length.toLocaleString()} shown{hasMore ? ', scroll for more' : ''}
        {isLoadingMore && ' …'}
      </p>
      {problem !== null && (
        <p role="alert">
          {problem.message} <Button onClick={onEnd}>Try again</Button>
        </p>
      )}
      <ul ref={scroller} class="conversation-rows" aria-label="Conversations">
        {shown.map(({ index, start, size }) => {
          const row = rows[index];
          return (
            row !== undefined && (
              <li
                key={row.id}
                aria-setsize={hasMore ? -1 : rows.length}
                aria-posinset={index + 1}
                style={{ blockSize: `${size}px`, transform: `translateY(${start}px)` }}
              >
                <Row row={row} />
              </li>
            )
          );
        })}
        <li
          class="conversation-rows-space"
          aria-hidden="true"
          style={{ blockSize: `${virtualizer.getTotalSize()}px` }}
        />
      </ul>
    </>
  );
}

function Row({ row }: { row: ConversationRow }): VNode {
  return (
    <a href={hrefOf(`/conversations/${encodeURIComponent(row.id)}`)}>
      <span class="grow">
        <strong dir="auto">{row.first_words || 'No messages'}</strong>
        <small>
          <Time at={row.started_at} /> · {nameOfChannel(row.channel)} · {formatTurns(row.num_turns)} ·{' '}
          {formatSeconds(row.duration_seconds)}
          {row.median_latency_seconds !== null &&
            ` · answers in ${formatSeconds(row.median_latency_seconds)}`}
        </small>
      </span>
      <span class="conversation-badges">
        {row.in_progress && <Badge tone="accent">open</Badge>}
        {row.handoff && <Badge tone="warning">hand-off</Badge>}
        {row.score !== null && <Badge>rated {row.score}</Badge>}
        {row.thumbs_up > 0 && <Badge tone="good">{row.thumbs_up} helpful</Badge>}
        {row.thumbs_down > 0 && <Badge tone="danger">{row.thumbs_down} not helpful</Badge>}
      </span>
    </a>
  );
}
