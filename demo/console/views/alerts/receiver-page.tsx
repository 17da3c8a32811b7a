import type { VNode } from 'preact';
import { callConsole } from '../../call-platform.ts';
import { queryClient, useQuery } from '../../query.ts';
import { isAdmin } from '../../session.ts';
import { Badge, Button, Card, EmptyState, Facts, QueryView, showToast, Time, tryTo } from '../../ui/index.ts';
import type { Receipt, Receiver } from './alert-types.ts';
import { formatBody } from './delivery-dialog.tsx';

const KEY = ['webhook-receiver'];
const REFRESH_MS = 2_000;
const ANSWERS = [
  [200, 'OK: it takes every event'],
  [500, '500: attempts are made again'],
  [410, '410: deliveries are given up'],
] as const;

/** The built-in receiver: what a server of one's own would get, for a day. */
export function ReceiverPage(): VNode {
  const query = useQuery<Receiver>({
    queryKey: KEY,
    queryFn: ({ signal }) => callConsole<Receiver>('GET', '/webhook-receiver', { signal }),
    refetchInterval: ({ state }) => (state.data?.receiver ? REFRESH_MS : false),
  });
  return (
    <>
      <p class="quiet">
        An endpoint inside the platform, for a day: see what your server would get, and whether the signature
        holds, before there is a server. Nothing of it leaves the platform.
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
    <EmptyState title="There is no receiver." icon="server">
      {isAdmin.value ? (
        <div class="alerts-answers">
          <p>Make one that answers with</p>
          {ANSWERS.map(([status, label]) => (
            <Button key={status} onClick={() => void open(status)}>
              {label}
            </Button>
          ))}
        </div>
      ) : (
        'An admin can make one.'
      )}
    </EmptyState>
  );
}

function Open({ receiver }: { receiver: NonNullable<Receiver['receiver']> }): VNode {
  const { endpoint_id: id, url, expires_at: expiresAt, receipts } = receiver;
  const test = async (type: string): Promise<void> => {
    const body = { event_type: type };
    if (await tryTo(() => callConsole('POST', `/webhook-endpoints/${id}/test`, { body })))
      showToast('The test arrives within ten seconds');
  };
  const remove = async (): Promise<void> => {
    if (await tryTo(() => callConsole('DELETE', '/webhook-receiver'))) await refresh();
  };
  return (
    <>
      <Card
        title="The receiver"
        actions={
          isAdmin.value && (
            <div class="page-actions">
              <Button onClick={() => void test('alerts.triggered')}>Send a test</Button>
              <Button onClick={() => void test('alerts.resolved')}>Send its resolution</Button>
              <Button kind="danger" onClick={() => void remove()}>
                Remove
              </Button>
            </div>
          )
        }
      >
        <Facts
          facts={[
            ['Address', <code key="url">{url}</code>],
            ['It answers', url.split('/').at(-1) ?? ''],
            ['There until', <Time key="until" at={expiresAt} />],
          ]}
        />
      </Card>
      {receipts.length === 0 ? (
        <EmptyState title="Nothing has arrived yet." icon="bell">
          Real alerts arrive here too, while it is there.
        </EmptyState>
      ) : (
        <ul class="alerts-receipts" aria-label="What has arrived, the latest first">
          {receipts.map((receipt) => (
            <Arrived key={receipt.id} receipt={receipt} />
          ))}
        </ul>
      )}
    </>
  );
}

const FAULTS = {
  timestamp: 'no timestamp, or a malformed one',
  stale: 'the timestamp is too far from now',
  signature: 'the signature is another one',
} as const;

function Arrived({ receipt: { at, headers, body, verdict, status } }: { receipt: Receipt }): VNode {
  return (
    <li class="card">
      <header class="card-head">
        <h2 class="alerts-when">
          <Time at={at} format={{ dateStyle: 'medium', timeStyle: 'medium' }} />
        </h2>
        {verdict === 'valid' ? (
          <Badge tone="good">the signature holds</Badge>
        ) : (
          <Badge tone="danger">refused: {FAULTS[verdict]}</Badge>
        )}
        <Badge>answered {status}</Badge>
      </header>
      <Facts facts={Object.entries(headers)} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reached by keyboard */}
      <pre class="alerts-body" tabIndex={0}>
        {formatBody(body)}
      </pre>
    </li>
  );
}
