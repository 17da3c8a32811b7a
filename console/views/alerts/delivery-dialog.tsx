import type { VNode } from 'preact';
import { callConsole } from '../../call-platform.ts';
import { queryClient, useQuery } from '../../query.ts';
import { isAdmin } from '../../session.ts';
import {
  Button,
  DescriptionList,
  Dialog,
  formatSeconds,
  QueryView,
  showToast,
  Time,
  tryTo,
} from '../../ui/index.ts';
import type { DeliveryDetail } from './alert-types.ts';

/** A body as it is read: JSON indented, everything else as it is. */
export function formatBody(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

/** One delivery: body, attempts, and resending it. */
export function DeliveryDialog({
  id,
  onSent,
  onClose,
}: {
  id: string;
  onSent: () => void;
  onClose: () => void;
}): VNode {
  const key = ['webhook-delivery', id];
  const query = useQuery<DeliveryDetail>({
    queryKey: key,
    queryFn: ({ signal }) => callConsole<DeliveryDetail>('GET', `/webhook-deliveries/${id}`, { signal }),
    refetchInterval: ({ state }) => (state.data?.state === 'pending' ? 3_000 : false),
  });
  const sendAgain = async (): Promise<void> => {
    if (!(await tryTo(() => callConsole('POST', `/webhook-deliveries/${id}/resend`)))) return;
    showToast('Resent with the same event ID');
    onSent();
    await queryClient.invalidateQueries({ queryKey: key });
  };
  const state = query.data?.state;
  return (
    <Dialog title="Delivery" onClose={onClose}>
      <QueryView query={query}>{(delivery) => <Details delivery={delivery} />}</QueryView>
      <div class="dialog-actions">
        {isAdmin.value && state !== undefined && state !== 'pending' && (
          <Button icon="refresh" onClick={() => void sendAgain()}>
            Send again
          </Button>
        )}
        <Button kind="main" onClick={onClose}>
          Done
        </Button>
      </div>
    </Dialog>
  );
}

function Details({ delivery }: { delivery: DeliveryDetail }): VNode {
  return (
    <>
      <DescriptionList
        items={[
          ['Event', delivery.event_type],
          ['Event ID', delivery.id],
          ['Endpoint', delivery.endpoint_name],
          ['State', delivery.state],
          ['Created', <Time key="made" at={delivery.created_at} />],
        ]}
      />
      <section aria-label="Attempts">
        <h3>Attempts</h3>
        {delivery.history.length === 0 ? (
          <p class="quiet">No attempt has finished yet.</p>
        ) : (
          <ol class="alerts-attempts">
            {delivery.history.map(({ at, outcome, duration_ms: ms }) => (
              <li key={at}>
                <Time at={at} format={{ dateStyle: 'medium', timeStyle: 'medium' }} />{' '}
                <strong>{outcome}</strong>{' '}
                <small>after {ms < 1_000 ? `${ms} ms` : formatSeconds(ms / 1_000)}</small>
              </li>
            ))}
          </ol>
        )}
      </section>
      <section aria-label="Body">
        <h3>Body</h3>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reached by keyboard */}
        <pre class="alerts-body" tabIndex={0}>
          {formatBody(delivery.body)}
        </pre>
      </section>
    </>
  );
}
