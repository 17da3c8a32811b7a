import type { VNode } from 'preact';
import { callDesk } from '../../call-platform.ts';
import { useSearch } from '../../location.ts';
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

interface AuditEntry {
  readonly id: number;
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly at: string;
}

interface AuditPage {
  readonly entries: readonly AuditEntry[];
}

// What one answer holds at most.
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
    <Page title="Audit log" summary="Who did what. It holds no text of visitors.">
      <div class="toolbar">
        <TextField
          label="Filter what is loaded"
          type="search"
          value={search.get('q') ?? ''}
          placeholder="Person, action …"
          onInput={({ currentTarget }) => change({ q: currentTarget.value })}
        />
      </div>
      {query.data === undefined ? (
        <LoadingState />
      ) : found.length === 0 ? (
        <EmptyState title="Nothing here was done by, or to, that." />
      ) : (
        <Table
          caption="Entries, the newest first"
          columns={[
            { header: 'When', cell: ({ at }) => <Time at={at} /> },
            { header: 'Who', cell: ({ actor }) => actor },
            { header: 'Did', cell: ({ action }) => action.replaceAll('_', ' ') },
            { header: 'To', cell: ({ subject }) => subject },
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
