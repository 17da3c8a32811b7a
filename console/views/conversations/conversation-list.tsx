import type { VNode } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { callConsole } from '../../call-platform.ts';
import { useSearch } from '../../location.ts';
import { EnvironmentField, VariantField } from '../../project-filters.tsx';
import { useInfiniteQuery } from '../../query.ts';
import {
  Button,
  EmptyState,
  ErrorState,
  FoldedFilters,
  LoadingState,
  Page,
  SelectField,
  TextField,
  useCommands,
} from '../../ui/index.ts';
import type { ConversationPage, ConversationRow } from './conversation-types.ts';
import { ExportDialog } from './export-dialog.tsx';
import { RANGES, toListQuery } from './filters.ts';
import { RowList } from './row-list.tsx';

const PAGE = 50;
const OPEN_EVERY_MS = 10_000;

/** The list with its filters, all of which are in the address. */
export function ConversationList(): VNode {
  const [search] = useSearch();
  const [isExporting, setExporting] = useState(false);
  const key = search.toString();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the range begins when the filters change
  const query = useMemo(() => toListQuery(search, Date.now()).toString(), [key]);
  const list = useInfiniteQuery<ConversationPage, string | null>({
    queryKey: ['conversations', key],
    queryFn: ({ pageParam, signal }) => {
      const parameters = new URLSearchParams(query);
      parameters.set('limit', String(PAGE));
      if (pageParam !== null) parameters.set('cursor', String(pageParam));
      return callConsole<ConversationPage>('GET', `/conversations?${parameters}`, { signal });
    },
    // Open conversations change while the list is visible.
    ...(search.get('in_progress') === 'true' && { refetchInterval: OPEN_EVERY_MS }),
    initialPageParam: null,
    getNextPageParam: ({ cursor }) => cursor,
  });
  useCommands('conversations', [
    { group: 'Conversations', name: 'Export list', run: () => setExporting(true) },
  ]);
  const rows: readonly ConversationRow[] =
    list.data?.pages.flatMap(({ conversations }) => conversations) ?? [];
  return (
    <Page
      title="Conversations"
      isWide
      actions={
        <Button icon="down" onClick={() => setExporting(true)}>
          Export
        </Button>
      }
    >
      <Filters />
      {list.error !== null && rows.length === 0 ? (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} />
      ) : list.data === undefined ? (
        <LoadingState />
      ) : rows.length === 0 ? (
        <EmptyState title="No matching conversations">Try another period or fewer filters.</EmptyState>
      ) : (
        <RowList
          rows={rows}
          hasMore={list.hasNextPage}
          isLoadingMore={list.isFetchingNextPage}
          problem={list.error}
          onEnd={() => void list.fetchNextPage()}
        />
      )}
      {isExporting && <ExportDialog query={query} onClose={() => setExporting(false)} />}
    </Page>
  );
}

function Filters(): VNode {
  const [search, change] = useSearch();
  const get = (name: string): string => search.get(name) ?? '';
  const set = (name: string) => (event: { currentTarget: { value: string } }) =>
    change({ [name]: event.currentTarget.value });
  return (
    <search>
      <form
        class="toolbar"
        onSubmit={(event) => {
          event.preventDefault();
          change({ query: String(new FormData(event.currentTarget).get('query')) }, false);
        }}
      >
        <div class="filter-search">
          <TextField
            key={get('query')}
            label="Search"
            name="query"
            type="search"
            defaultValue={get('query')}
          />
        </div>
        <SelectField
          label="By"
          value={get('query_type')}
          options={[
            ['', 'Words'],
            ['semantic', 'Meaning'],
          ]}
          onChange={set('query_type')}
        />
        <Button type="submit" icon="search">
          Search
        </Button>
        <FoldedFilters>
          <SelectField
            label="Order"
            value={get('order')}
            options={[
              ['', 'Newest first'],
              ['oldest', 'Oldest first'],
            ]}
            onChange={set('order')}
          />
          <SelectField label="Began" value={get('hours')} options={RANGES} onChange={set('hours')} />
          <SelectField
            label="Channel"
            value={get('channel')}
            options={[
              ['', 'All'],
              ['WEBCHAT', 'Web chat'],
              ['CHAT', 'Chat'],
              ['VOICE-SIP', 'Telephone'],
            ]}
            onChange={set('channel')}
          />
          <SelectField
            label="State"
            value={get('in_progress')}
            options={[
              ['', 'All'],
              ['true', 'Open'],
              ['false', 'Over'],
            ]}
            onChange={set('in_progress')}
          />
          <VariantField value={get('variant_id')} onChange={set('variant_id')} />
          <EnvironmentField value={get('client_env')} onChange={set('client_env')} />
        </FoldedFilters>
      </form>
    </search>
  );
}
