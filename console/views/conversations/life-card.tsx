import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { callConsole } from '../../call-platform.ts';
import { useInfiniteQuery } from '../../query.ts';
import {
  Badge,
  Button,
  Card,
  CheckField,
  DescriptionList,
  ErrorState,
  LoadingState,
  Time,
} from '../../ui/index.ts';
import type { Timeline, TimelineStep } from './conversation-types.ts';

/** The timeline of a conversation, loaded on request. */
export function LifeCard({ path, suffix }: { path: string; suffix: string }): VNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <Card
      title="Timeline"
      actions={
        <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Hide' : 'Show'}
        </Button>
      }
    >
      {isOpen && <Steps path={path} suffix={suffix} />}
    </Card>
  );
}

function Steps({ path, suffix }: { path: string; suffix: string }): VNode {
  const [hasTexts, setTexts] = useState(false);
  const life = useInfiniteQuery<Timeline, number>({
    queryKey: ['life', path, suffix, hasTexts],
    queryFn: ({ pageParam, signal }) => {
      const query = new URLSearchParams(suffix);
      query.set('after', String(pageParam));
      if (hasTexts) query.set('texts', 'true');
      return callConsole<Timeline>('GET', `${path}/life?${query}`, { signal });
    },
    initialPageParam: 0,
    getNextPageParam: ({ next_after }) => next_after,
  });
  const pages = life.data?.pages ?? [];
  const nodes = new Set(pages.flatMap(({ steps }) => steps.flatMap(({ node }) => node ?? [])));
  return (
    <>
      <p class="quiet">
        Frames and sockets are kept only in the memory of running nodes. Everything else is stored.
      </p>
      <CheckField label="Show messages" checked={hasTexts} onChange={setTexts} />
      {life.error !== null ? (
        <ErrorState error={life.error} onRetry={() => void life.refetch()} />
      ) : pages.length === 0 ? (
        <LoadingState />
      ) : (
        <>
          <Names life={pages[0]} />
          <ol class="life">
            {pages.flatMap(({ steps }, page) =>
              steps.map((step, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: steps have no other name, and none moves
                <Step key={`${page} ${index}`} step={step} hasNode={nodes.size > 1} />
              )),
            )}
          </ol>
          {[...new Set(pages.flatMap(({ notes }) => notes))].map((note) => (
            <p key={note}>{note}</p>
          ))}
        </>
      )}
      {life.hasNextPage && (
        <Button isBusy={life.isFetchingNextPage} onClick={() => void life.fetchNextPage()}>
          More
        </Button>
      )}
    </>
  );
}

function Names({ life }: { life: Timeline | undefined }): VNode | null {
  const session = life?.session ?? null;
  if (session === null) return null;
  return (
    <DescriptionList
      items={[
        ['Session', session.id],
        ['Trace', session.trace_id ?? ''],
      ]}
    />
  );
}

const TO_THE_MILLISECOND: Intl.DateTimeFormatOptions = {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
};

const TONES: Readonly<Record<string, 'accent' | 'danger' | 'good'>> = {
  turn: 'accent',
  error: 'danger',
  handshake: 'danger',
  stored: 'good',
};

/** `hasNode`: the node is named, because there are several. */
function Step({ step, hasNode }: { step: TimelineStep; hasNode: boolean }): VNode {
  const { at, until, kind, summary, node, text } = step;
  return (
    <li>
      <Time at={at} format={TO_THE_MILLISECOND} />
      <Badge tone={TONES[kind] ?? 'neutral'}>{kind}</Badge>
      <span class="grow">
        {summary}
        {until !== null && until !== at && (
          <small>
            {' '}
            until <Time at={until} format={TO_THE_MILLISECOND} />
          </small>
        )}
        {hasNode && node !== null && <small class="life-node">{node}</small>}
        {text !== null && (
          <q class="life-text" dir="auto">
            {text}
          </q>
        )}
      </span>
    </li>
  );
}
