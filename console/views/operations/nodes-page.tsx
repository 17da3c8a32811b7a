import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { callConsole } from '../../call-platform.ts';
import { useQuery } from '../../query.ts';
import { Chart } from '../../ui/chart/chart.tsx';
import {
  Badge,
  Card,
  type Column,
  DescriptionList,
  EmptyState,
  formatSeconds,
  QueryView,
  Table,
  Time,
} from '../../ui/index.ts';
import type { Operations, PlatformNode } from './operations-types.ts';
import { FIGURES, toChart } from './to-chart.ts';

// The interval at which nodes take samples.
const REFRESH_MS = 10_000;
// The span of samples that nodes keep.
const SPAN_MS = 900_000;

/** Nodes, database, bus and queues, read again every ten seconds. */
export function NodesPage(): VNode {
  const query = useQuery<Operations>({
    queryKey: ['operations'],
    queryFn: ({ signal }) => callConsole<Operations>('GET', '/operations', { signal }),
    refetchInterval: REFRESH_MS,
  });
  return (
    <QueryView query={query}>
      {(data) => (
        <>
          {query.error !== null && (
            <p role="alert">
              {query.error.message} These figures are of <Time at={data.at} />.
            </p>
          )}
          <Nodes data={data} />
          <Charts nodes={data.nodes} />
          <div class="operations-cards">
            <DatabaseCard data={data} />
            <QueuesCard queues={data.queues} />
            <FailuresCard nodes={data.nodes} />
          </div>
        </>
      )}
    </QueryView>
  );
}

const lastOf = ({ figures }: PlatformNode) => figures?.samples.at(-1) ?? null;
const megabytes = (bytes: number): string => `${Math.round(bytes / 1_048_576).toLocaleString()} MB`;

function Lease({ leftMs }: { leftMs: number | null }): VNode {
  if (leftMs === null) return <Badge>none yet</Badge>;
  return leftMs > 0 ? (
    <Badge tone="good">{Math.ceil(leftMs / 1_000)} s left</Badge>
  ) : (
    <Badge tone="danger">expired</Badge>
  );
}

/** The number of nodes, and how many of them are gone, which means that their lease has expired and they do not answer. */
function nameNodes(nodes: readonly PlatformNode[]): string {
  const gone = nodes.filter(
    ({ figures, lease_left_ms: leftMs }) => figures === null && leftMs !== null && leftMs <= 0,
  ).length;
  const all = nodes.length === 1 ? 'Node' : `${nodes.length} nodes`;
  return gone === 0 ? all : `${all}, ${gone} gone`;
}

function Nodes({ data }: { data: Operations }): VNode {
  const atMs = Date.parse(data.at);
  const columns: readonly Column<PlatformNode>[] = [
    {
      header: 'Node',
      cell: ({ node, is_self: isSelf, figures }) => (
        <>
          <strong class="node-name">{node}</strong>
          {isSelf && <small> this one</small>}
          {figures === null && (
            <>
              <br />
              <Badge tone="warning">not responding</Badge>
            </>
          )}
        </>
      ),
    },
    { header: 'Version', cell: ({ figures }) => figures?.version ?? '–' },
    { header: 'Lease', cell: ({ lease_left_ms: leftMs }) => <Lease leftMs={leftMs} /> },
    {
      header: 'Uptime',
      isNumber: true,
      cell: ({ figures }) =>
        figures === null ? '–' : formatSeconds(Math.max(0, atMs - figures.started_at_ms) / 1_000),
    },
    { header: 'Sockets', isNumber: true, cell: (node) => lastOf(node)?.sockets.toLocaleString() ?? '–' },
    { header: 'Sessions', isNumber: true, cell: (node) => lastOf(node)?.sessions.toLocaleString() ?? '–' },
    {
      header: 'Memory',
      isNumber: true,
      cell: (node) => {
        const bytes = lastOf(node)?.resident_bytes;
        return bytes === undefined ? '–' : megabytes(bytes);
      },
    },
  ];
  return (
    <Card title={nameNodes(data.nodes)}>
      <Table
        caption="Nodes of the platform"
        isCaptionHidden
        isStacked
        columns={columns}
        rows={data.nodes}
        keyOf={({ node }) => node}
      />
    </Card>
  );
}

function Charts({ nodes }: { nodes: readonly PlatformNode[] }): VNode {
  const charts = useMemo(() => FIGURES.map((figure) => toChart(nodes, figure)), [nodes]);
  return (
    <div class="operations-charts">
      {charts.map(({ title, unit, times, series }) => (
        <Chart key={title} title={title} unit={unit} times={times} series={series} spanMs={SPAN_MS} />
      ))}
    </div>
  );
}

function DatabaseCard({ data: { database, bus } }: { data: Operations }): VNode {
  const { connections } = database;
  const name = database.engine === 'pglite' ? 'Embedded (PGlite)' : 'PostgreSQL';
  const durable = database.is_durable ? (
    <Badge tone="good">yes</Badge>
  ) : (
    <Badge tone="warning">no: a power cut can lose recent writes</Badge>
  );
  const busState = bus.is_shared ? (
    <Badge tone={bus.is_up ? 'good' : 'danger'}>{bus.is_up ? 'connected' : 'not connected'}</Badge>
  ) : (
    'none: a single node uses the database'
  );
  return (
    <Card title="Database and bus">
      <DescriptionList
        items={[
          ['Database', `${name} ${database.version}`],
          ['Response time', `${database.ping_ms.toFixed(1)} ms`],
          ['Size', megabytes(database.size_bytes)],
          ['Durable', durable],
          [
            'Connections',
            connections &&
              `${connections.busy} busy, ${connections.idle} idle, ${connections.waiting} waiting`,
          ],
          ['Bus', busState],
          ['Other nodes', bus.is_shared ? `${bus.nodes.length}` : null],
        ]}
      />
    </Card>
  );
}

function QueuesCard({ queues }: { queues: Operations['queues'] }): VNode {
  return (
    <Card title="Pending work">
      <Table
        caption="Pending work of this account"
        isCaptionHidden
        columns={[
          { header: 'Queue', cell: ({ name }) => name },
          {
            header: 'Waiting',
            isNumber: true,
            cell: ({ count, oldest_at: at }) => (
              <>
                {count.toLocaleString()}
                {at !== null && (
                  <>
                    <br />
                    <small>
                      since <Time at={at} />
                    </small>
                  </>
                )}
              </>
            ),
          },
        ]}
        rows={queues}
        keyOf={({ name }) => name}
      />
    </Card>
  );
}

function FailuresCard({ nodes }: { nodes: readonly PlatformNode[] }): VNode {
  const rows = nodes
    .flatMap(({ node, figures }) => (figures?.failures ?? []).map((failure) => ({ node, ...failure })))
    .sort((a, b) => b.last_at_ms - a.last_at_ms);
  return (
    <Card title="Failures since start">
      {rows.length === 0 ? (
        <EmptyState title="No failures" icon="check" />
      ) : (
        <Table
          caption="Failed operations, latest first. See the node’s log for the reason."
          columns={[
            { header: 'Operation', cell: ({ what }) => what },
            { header: 'Times', isNumber: true, cell: ({ count }) => count.toLocaleString() },
            { header: 'Last', cell: ({ last_at_ms: ms }) => <Time at={new Date(ms).toISOString()} /> },
            ...(nodes.length > 1
              ? [
                  {
                    header: 'Node',
                    cell: ({ node }: { node: string }) => <span class="node-name">{node}</span>,
                  },
                ]
              : []),
          ]}
          rows={rows}
          keyOf={({ node, what }) => `${node} ${what}`}
        />
      )}
    </Card>
  );
}
