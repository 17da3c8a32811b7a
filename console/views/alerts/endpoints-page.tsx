import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { callConsole } from '../../call-platform.ts';
import { hrefOf } from '../../location.ts';
import { queryClient, useQuery } from '../../query.ts';
import { isAdmin } from '../../session.ts';
import {
  Badge,
  Button,
  type Column,
  EmptyState,
  QueryView,
  SecretDialog,
  showToast,
  Table,
  tryTo,
} from '../../ui/index.ts';
import type { Endpoints, NewSecret, WebhookEndpoint } from './alert-types.ts';
import { EndpointForm } from './endpoint-form.tsx';
import { EndpointQuestion, type QuestionKind } from './endpoint-question.tsx';

const KEY = ['webhook-endpoints'];
const refresh = (): Promise<void> => queryClient.invalidateQueries({ queryKey: KEY });

type Open =
  | { readonly kind: 'edit'; readonly endpoint: WebhookEndpoint | null }
  | { readonly kind: QuestionKind; readonly endpoint: WebhookEndpoint }
  | { readonly kind: 'shown'; readonly made: NewSecret };

/** Where events are delivered. */
export function EndpointsPage(): VNode {
  const [open, setOpen] = useState<Open | null>(null);
  const query = useQuery<Endpoints>({
    queryKey: KEY,
    queryFn: ({ signal }) => callConsole<Endpoints>('GET', '/webhook-endpoints', { signal }),
  });
  const close = (): void => setOpen(null);
  const done = (made: NewSecret | null): void => {
    setOpen(made === null ? null : { kind: 'shown', made });
    void refresh();
  };
  return (
    <>
      <div class="intro">
        <p class="quiet">
          Natter sends events as signed requests and retries for five hours if your server fails. Verify them
          with <code>verifyWebhook</code> of the SDK.
        </p>
        {isAdmin.value && (
          <Button kind="main" onClick={() => setOpen({ kind: 'edit', endpoint: null })}>
            New endpoint
          </Button>
        )}
      </div>
      <QueryView query={query}>
        {({ endpoints }) =>
          endpoints.length === 0 ? (
            <EmptyState title="No endpoints yet" icon="server">
              Add your server’s address, or try the <a href={hrefOf('/alerts/receiver')}>receiver</a>.
            </EmptyState>
          ) : (
            <Table
              caption="Webhook endpoints"
              isCaptionHidden
              isStacked
              columns={columnsOf(setOpen)}
              rows={endpoints}
              keyOf={({ id }) => id}
            />
          )
        }
      </QueryView>
      {open?.kind === 'edit' && <EndpointForm endpoint={open.endpoint} onClose={close} onDone={done} />}
      {open?.kind === 'shown' && (
        <SecretDialog
          title={`Signing secret for ${open.made.name}`}
          secret={open.made.secret}
          onClose={close}
        >
          This secret is shown only once. Your server uses it to verify event signatures with it.
        </SecretDialog>
      )}
      {(open?.kind === 'delete' || open?.kind === 'secret' || open?.kind === 'test') && (
        <EndpointQuestion kind={open.kind} endpoint={open.endpoint} onClose={close} onDone={done} />
      )}
    </>
  );
}

function columnsOf(onOpen: (open: Open) => void): readonly Column<WebhookEndpoint>[] {
  const actions: Column<WebhookEndpoint> = {
    header: 'Actions',
    cell: (endpoint) => <Actions endpoint={endpoint} onOpen={onOpen} />,
  };
  return [
    {
      header: 'Endpoint',
      cell: ({ name, url }) => (
        <>
          <strong>{name}</strong>
          <br />
          <small class="alerts-url">{url}</small>
        </>
      ),
    },
    {
      header: 'Gets',
      cell: ({ event_types: types }) => types.map((type) => type.replace('alerts.', '')).join(', '),
    },
    {
      header: 'State',
      cell: ({ enabled }) => <Badge tone={enabled ? 'good' : 'neutral'}>{enabled ? 'on' : 'off'}</Badge>,
    },
    {
      header: 'Deliveries',
      cell: ({ id, name }) => (
        <a href={hrefOf('/alerts/deliveries', { endpoint: id })} aria-label={`Deliveries to ${name}`}>
          Show
        </a>
      ),
    },
    ...(isAdmin.value ? [actions] : []),
  ];
}

function Actions({ endpoint, onOpen }: { endpoint: WebhookEndpoint; onOpen: (open: Open) => void }): VNode {
  const { id, name, enabled } = endpoint;
  const toggle = async (): Promise<void> => {
    const body = { enabled: !enabled };
    if (!(await tryTo(() => callConsole('PUT', `/webhook-endpoints/${id}`, { body })))) return;
    showToast(`${name} is ${enabled ? 'off; pending events are dropped' : 'on'}`);
    await refresh();
  };
  return (
    <div class="row-actions">
      {enabled && (
        <Button aria-label={`Test ${name}`} onClick={() => onOpen({ kind: 'test', endpoint })}>
          Test
        </Button>
      )}
      <Button aria-label={`Edit ${name}`} onClick={() => onOpen({ kind: 'edit', endpoint })}>
        Edit
      </Button>
      <Button aria-label={`${enabled ? 'Disable' : 'Enable'} ${name}`} onClick={() => void toggle()}>
        {enabled ? 'Disable' : 'Enable'}
      </Button>
      <Button aria-label={`New secret for ${name}`} onClick={() => onOpen({ kind: 'secret', endpoint })}>
        New secret
      </Button>
      <Button
        kind="danger"
        aria-label={`Delete ${name}`}
        onClick={() => onOpen({ kind: 'delete', endpoint })}
      >
        Delete
      </Button>
    </div>
  );
}
