import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { callConsole } from '../../call-platform.ts';
import { useInfiniteQuery } from '../../query.ts';
import { Button, Card, ErrorState, LoadingState, Time } from '../../ui/index.ts';
import type { LogEvent } from './conversation-types.ts';

interface EventPage {
  readonly events: readonly LogEvent[];
  readonly has_more: boolean;
}

/** The log of the session, once somebody wants to see it. */
export function EventLog({ path, suffix }: { path: string; suffix: string }): VNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <Card
      title="Events"
      actions={
        <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Hide' : 'Show'}
        </Button>
      }
    >
      {isOpen && <Events path={path} suffix={suffix} />}
    </Card>
  );
}

function Events({ path, suffix }: { path: string; suffix: string }): VNode {
  const log = useInfiniteQuery<EventPage, number>({
    queryKey: ['events', path, suffix],
    queryFn: ({ pageParam, signal }) =>
      callConsole<EventPage>('GET', `${path}/events${suffix === '' ? '?' : `${suffix}&`}after=${pageParam}`, {
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: ({ events, has_more }) => (has_more ? (events.at(-1)?.sequence ?? null) : null),
  });
  if (log.error !== null) return <ErrorState error={log.error} onRetry={() => void log.refetch()} />;
  if (log.data === undefined) return <LoadingState />;
  const events = log.data.pages.flatMap((page) => page.events);
  return (
    <>
      <ol class="events">
        {events.map(({ sequence, type, payload, at }) => (
          <li key={sequence}>
            <details>
              <summary>
                {sequence} {type.replace('EVENT_TYPE_', '')} <Time at={at} format={{ timeStyle: 'medium' }} />
              </summary>
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard */}
              <pre tabIndex={0}>{JSON.stringify(payload, null, 2)}</pre>
            </details>
          </li>
        ))}
      </ol>
      {log.hasNextPage && (
        <Button isBusy={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
          More
        </Button>
      )}
    </>
  );
}
