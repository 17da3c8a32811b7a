import type { VNode } from 'preact';
import type { AuditPage } from '../../../server-platform/src/console-api/index.ts';
import { callDesk } from '../../call-platform.ts';
import { hrefOf, useSearch } from '../../location.ts';
import { useInfiniteQuery } from '../../query.ts';
import {
  Button,
  EmptyState,
  ErrorState,
  LoadingState,
  Page,
  Table,
  TextField,
  Time,
} from '../../ui/index.ts';

// The most entries of one response.
const PAGE_ENTRIES = 200;

/** Who did what. */
export function AuditView(): VNode {
  const [search, change] = useSearch();
  const words = (search.get('q') ?? '').toLowerCase();
  const query = useInfiniteQuery<AuditPage, number | null>({
    queryKey: ['audit'],
    initialPageParam: null,
    queryFn: ({ pageParam }) =>
      callDesk<AuditPage>('GET', pageParam === null ? '/audit' : `/audit?before=${pageParam}`),
    getNextPageParam: ({ entries }) => (entries.length < PAGE_ENTRIES ? undefined : entries.at(-1)?.id),
  });
  if (query.error !== null && query.data === undefined)
    return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  const entries = query.data?.pages.flatMap((page) => page.entries) ?? [];
  const found = entries.filter(({ actor, action, subject }) =>
    `${actor} ${action.replaceAll('_', ' ')} ${subject}`.toLowerCase().includes(words),
  );
  return (
    <Page title="Audit log" summary="Actions by your team. Visitor messages are not included.">
      <div class="toolbar">
        <TextField
          label="Filter loaded entries"
          type="search"
          value={search.get('q') ?? ''}
          placeholder="Person, action …"
          onInput={({ currentTarget }) => change({ q: currentTarget.value })}
        />
      </div>
      {query.data === undefined ? (
        <LoadingState />
      ) : found.length === 0 ? (
        <EmptyState title="No matching actions" />
      ) : (
        <Table
          caption="Entries, newest first"
          columns={[
            { header: 'When', cell: ({ at }) => <Time at={at} /> },
            { header: 'Who', cell: ({ actor }) => actor },
            { header: 'Did', cell: ({ action }) => action.replaceAll('_', ' ') },
            { header: 'To', cell: ({ subject }) => drawSubject(subject) },
          ]}
          rows={found}
          keyOf={({ id }) => String(id)}
          isStacked
        />
      )}
      {query.hasNextPage && (
        <div>
          <Button isBusy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Earlier entries
          </Button>
        </div>
      )}
    </Page>
  );
}

/** Where an id of a hand-off or of a conversation leads. */
const TARGETS = [
  { prefix: 'ho_', name: 'Hand-off', hrefTo: (id: string) => `${hrefOf('/desk')}#request=${id}` },
  { prefix: 'CONV-', name: 'Conversation', hrefTo: (id: string) => hrefOf(`/conversations/${id}`) },
] as const;

/** The subject of an entry, with ids as links. */
function drawSubject(id: string): VNode | string {
  const target = TARGETS.find(({ prefix }) => id.startsWith(prefix));
  return target === undefined ? id : <a href={target.hrefTo(encodeURIComponent(id))}>{target.name}</a>;
}
