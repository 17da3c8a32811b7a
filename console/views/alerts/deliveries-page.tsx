import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { callConsole } from '../../call-platform.ts';
import { useSearch } from '../../location.ts';
import { queryClient, useInfiniteQuery, useQuery } from '../../query.ts';
import {
  Badge,
  Button,
  type Column,
  EmptyState,
  ErrorState,
  LoadingState,
  SelectField,
  Table,
  Time,
} from '../../ui/index.ts';
import type { Delivery, DeliveryPage, Endpoints } from './alert-types.ts';
import { DeliveryDialog } from './delivery-dialog.tsx';

const KEY = ['webhook-deliveries'];
const REFRESH_MS = 5_000;
const TONES = { pending: 'accent', delivered: 'good', dead: 'danger', dropped: 'neutral' } as const;

/** Events sent to the endpoints, with their outcome. */
export function DeliveriesPage(): VNode {
  const [search, change] = useSearch();
  const [open, setOpen] = useState<string | null>(null);
  const filters = new URLSearchParams();
  for (const name of ['endpoint', 'state']) {
    const value = search.get(name);
    if (value !== null) filters.set(name, value);
  }
  const key = filters.toString();
  const query = useInfiniteQuery<DeliveryPage, string | null>({
    queryKey: [...KEY, key],
    initialPageParam: null,
    queryFn: ({ pageParam, signal }) => {
      const page = new URLSearchParams(filters);
      if (pageParam !== null) page.set('cursor', pageParam);
      return callConsole<DeliveryPage>('GET', `/webhook-deliveries?${page}`, { signal });
    },
    getNextPageParam: ({ cursor }) => cursor ?? undefined,
    // A delivery is still in progress.
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ deliveries }) => deliveries.some((each) => each.state === 'pending'))
        ? REFRESH_MS
        : false,
  });
  const deliveries = query.data?.pages.flatMap((page) => page.deliveries) ?? [];
  return (
    <>
      <Filters search={search} onChange={change} />
      {query.data === undefined ? (
        query.error === null ? (
          <LoadingState />
        ) : (
          <ErrorState error={query.error} onRetry={() => void query.refetch()} />
        )
      ) : deliveries.length === 0 ? (
        <EmptyState title="No deliveries yet" icon="bell">
          Deliveries appear here for a week after they finish.
        </EmptyState>
      ) : (
        <Table
          caption="Deliveries, newest first"
          isCaptionHidden
          isStacked
          columns={columnsOf(setOpen)}
          rows={deliveries}
          keyOf={({ id }) => id}
        />
      )}
      {query.hasNextPage && (
        <div>
          <Button isBusy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Earlier deliveries
          </Button>
        </div>
      )}
      {open !== null && (
        <DeliveryDialog
          id={open}
          onClose={() => setOpen(null)}
          onSent={() => void queryClient.invalidateQueries({ queryKey: KEY })}
        />
      )}
    </>
  );
}

function Filters({
  search,
  onChange,
}: {
  search: URLSearchParams;
  onChange: (changes: Readonly<Record<string, string>>) => void;
}): VNode {
  const endpoints = useQuery<Endpoints>({
    queryKey: ['webhook-endpoints'],
    queryFn: ({ signal }) => callConsole<Endpoints>('GET', '/webhook-endpoints', { signal }),
  });
  const known = endpoints.data?.endpoints ?? [];
  return (
    <div class="toolbar">
      <SelectField
        label="Endpoint"
        value={search.get('endpoint') ?? ''}
        options={[['', 'All'], ...known.map(({ id, name }) => [id, name] as const)]}
        onChange={({ currentTarget }) => onChange({ endpoint: currentTarget.value })}
      />
      <SelectField
        label="State"
        value={search.get('state') ?? ''}
        options={[
          ['', 'All'],
          ['pending', 'Pending'],
          ['delivered', 'Delivered'],
          ['dead', 'Failed'],
          ['dropped', 'Dropped'],
        ]}
        onChange={({ currentTarget }) => onChange({ state: currentTarget.value })}
      />
    </div>
  );
}

function columnsOf(onOpen: (id: string) => void): readonly Column<Delivery>[] {
  return [
    { header: 'When', cell: ({ created_at: at }) => <Time at={at} /> },
    { header: 'Event', cell: ({ event_type: type }) => type.replace('alerts.', '') },
    { header: 'Endpoint', cell: ({ endpoint_name: name }) => name },
    { header: 'State', cell: (delivery) => <DeliveryState delivery={delivery} /> },
    { header: 'Attempts', isNumber: true, cell: ({ attempts }) => `${attempts} of 6` },
    { header: 'Last response', cell: ({ last_outcome: outcome }) => outcome ?? '–' },
    {
      header: 'Details',
      cell: ({ id, event_type: type, endpoint_name: name }) => (
        <Button aria-label={`Show ${type} to ${name}`} onClick={() => onOpen(id)}>
          Show
        </Button>
      ),
    },
  ];
}

/** The state of a delivery, and when the next attempt is due. */
function DeliveryState({ delivery: { state, due_at: dueAt } }: { delivery: Delivery }): VNode {
  const words = { pending: 'pending', delivered: 'delivered', dead: 'failed', dropped: 'dropped' };
  return (
    <>
      <Badge tone={TONES[state]}>{words[state]}</Badge>
      {dueAt !== null && (
        <>
          <br />
          <small>
            next <Time at={dueAt} />
          </small>
        </>
      )}
    </>
  );
}
