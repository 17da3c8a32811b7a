import type { VNode } from 'preact';
import { callConsole } from '../../call-platform.ts';
import { queryClient, useQuery } from '../../query.ts';
import { isAdmin } from '../../session.ts';
import {
  Badge,
  Button,
  Card,
  DescriptionList,
  EmptyState,
  QueryView,
  showToast,
  Time,
  tryTo,
} from '../../ui/index.ts';
import type { Receipt, Receiver } from './alert-types.ts';
import { formatBody } from './delivery-dialog.tsx';

const KEY = ['webhook-receiver'];
const REFRESH_MS = 2_000;
const ANSWERS = [
  [200, '200: accepts every event'],
  [500, '500: triggers retries'],
  [410, '410: stops deliveries'],
] as const;

/** The built-in receiver: shows the requests that your server would get, for a day. */
export function ReceiverPage(): VNode {
  const query = useQuery<Receiver>({
    queryKey: KEY,
    queryFn: ({ signal }) => callConsole<Receiver>('GET', '/webhook-receiver', { signal }),
    refetchInterval: ({ state }) => (state.data?.receiver ? REFRESH_MS : false),
  });
  return (
    <>
      <p class="quiet">
        A test endpoint inside the platform, for one day. See what your server would receive and check the
        signatures before you build it. Nothing leaves the platform.
      </p>
      <QueryView query={query}>
        {({ receiver }) => (receiver === null ? <NoReceiver /> : <Open receiver={receiver} />)}
      </QueryView>
    </>
  );
}

const refresh = (): Promise<void> => queryClient.invalidateQueries({ queryKey: KEY });

function NoReceiver(): VNode {
  const open = async (answers: number): Promise<void> => {
    if (await tryTo(() => callConsole('POST', '/webhook-receiver', { body: { answers } }))) await refresh();
  };
  return (
    <EmptyState title="No test receiver yet" icon="server">
      {isAdmin.value ? (
        <div class="alerts-answers">
          <p>Create one that answers with</p>
          {ANSWERS.map(([status, label]) => (
            <Button key={status} onClick={() => void open(status)}>
              {label}
            </Button>
          ))}
        </div>
      ) : (
        'An admin can create one.'
      )}
    </EmptyState>
  );
}

function Open({ receiver }: { receiver: NonNullable<Receiver['receiver']> }): VNode {
  const { endpoint_id: id, url, expires_at: expiresAt, receipts } = receiver;
  const test = async (type: string): Promise<void> => {
    const body = { event_type: type };
    if (await tryTo(() => callConsole('POST', `/webhook-endpoints/${id}/test`, { body })))
      showToast('Test sent');
  };
  const remove = async (): Promise<void> => {
    if (await tryTo(() => callConsole('DELETE', '/webhook-receiver'))) await refresh();
  };
  return (
    <>
      <Card
        title="Test receiver"
        actions={
          isAdmin.value && (
            <div class="page-actions">
              <Button onClick={() => void test('alerts.triggered')}>Send a test</Button>
              <Button onClick={() => void test('alerts.resolved')}>Send resolved test</Button>
              <Button kind="danger" onClick={() => void remove()}>
                Remove
              </Button>
            </div>
          )
        }
      >
        <DescriptionList
          items={[
            ['Address', <code key="url">{url}</code>],
            ['Status', url.split('/').at(-1) ?? ''],
            ['Expires', <Time key="until" at={expiresAt} />],
          ]}
        />
      </Card>
      {receipts.length === 0 ? (
        <EmptyState title="No events yet" icon="bell">
          Real alerts arrive here too until the receiver expires.
        </EmptyState>
      ) : (
        <ul class="alerts-receipts" aria-label="Received events, latest first">
          {receipts.map((receipt) => (
            <Arrived key={receipt.id} receipt={receipt} />
          ))}
        </ul>
      )}
    </>
  );
}

const FAULTS = {
  timestamp: 'timestamp missing or malformed',
  stale: 'timestamp too old or in the future',
  signature: 'signature doesn’t match',
} as const;

function Arrived({ receipt: { at, headers, body, verdict, status } }: { receipt: Receipt }): VNode {
  return (
    <li class="card">
      <header class="card-head">
        <h2 class="alerts-when">
          <Time at={at} format={{ dateStyle: 'medium', timeStyle: 'medium' }} />
        </h2>
        {verdict === 'valid' ? (
          <Badge tone="good">Signature valid</Badge>
        ) : (
          <Badge tone="danger">refused: {FAULTS[verdict]}</Badge>
        )}
        <Badge>answered {status}</Badge>
      </header>
      <DescriptionList items={Object.entries(headers)} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reached by keyboard */}
      <pre class="alerts-body" tabIndex={0}>
        {formatBody(body)}
      </pre>
    </li>
  );
}
