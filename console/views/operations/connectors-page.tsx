import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { callConsole } from '../../call-platform.ts';
import { useProject } from '../../location.ts';
import { queryClient, useQuery } from '../../query.ts';
import {
  Badge,
  Button,
  type Column,
  ConfirmDialog,
  EmptyState,
  FormDialog,
  QueryView,
  SecretDialog,
  SelectField,
  showToast,
  Table,
  TextField,
  Time,
} from '../../ui/index.ts';
import type { ConsoleConnector, NewSecret } from './operations-types.ts';

type Open =
  | { readonly kind: 'add' }
  | { readonly kind: 'revoke' | 'remove'; readonly connector: ConsoleConnector }
  | { readonly kind: 'secret'; readonly made: NewSecret };

interface Connectors {
  readonly connectors: readonly ConsoleConnector[];
}

/** The consequences of ending a connector. */
interface Impact {
  readonly open_sessions: number;
  readonly removal: Readonly<Record<string, number>>;
}

const refresh = (): Promise<void> => queryClient.invalidateQueries({ queryKey: ['connectors'] });

/** The connectors of the project: the ways that token proxies bring visitors in. */
export function ConnectorsPage(): VNode {
  const project = useProject();
  const [open, setOpen] = useState<Open | null>(null);
  const search = project === null ? '' : `?project=${encodeURIComponent(project.slug)}`;
  const query = useQuery<Connectors>({
    queryKey: ['connectors', search],
    queryFn: ({ signal }) => callConsole<Connectors>('GET', `/connectors${search}`, { signal }),
  });
  return (
    <>
      <div class="intro">
        <p class="quiet">
          A site's token proxy uses the connector's token to start sessions. To replace the token, add a
          second connector, put its token into the proxy, and revoke the first.
        </p>
        <Button kind="main" onClick={() => setOpen({ kind: 'add' })}>
          New connector
        </Button>
      </div>
      <QueryView query={query}>
        {({ connectors }) =>
          connectors.length === 0 ? (
            <EmptyState title={`${project?.name ?? 'The account'} has no connector yet.`} icon="install">
              You need a connector to show the widget on a page.
            </EmptyState>
          ) : (
            <Table
              caption={`Connectors of ${project?.name ?? 'the project'}, active first`}
              isCaptionHidden
              isStacked
              columns={columnsOf(setOpen)}
              rows={connectors}
              keyOf={({ id }) => id}
            />
          )
        }
      </QueryView>
      {open?.kind === 'add' && <ConnectorForm search={search} onOpen={setOpen} />}
      {(open?.kind === 'revoke' || open?.kind === 'remove') && (
        <EndDialog kind={open.kind} connector={open.connector} onClose={() => setOpen(null)} />
      )}
      {open?.kind === 'secret' && (
        <SecretDialog
          title={`Token for ${open.made.name}`}
          secret={open.made.secret}
          onClose={() => setOpen(null)}
        >
          This token is shown only once. Put it in the token proxy’s configuration, never into a page.
        </SecretDialog>
      )}
    </>
  );
}

function columnsOf(onOpen: (open: Open) => void): readonly Column<ConsoleConnector>[] {
  return [
    {
      header: 'Connector',
      cell: ({ name, hint }) => (
        <>
          <strong>{name}</strong>
          <br />
          <small>… {hint}</small>
        </>
      ),
    },
    { header: 'For', cell: ({ hosts }) => hosts.map(({ value }) => value).join(', ') },
    { header: 'Environment', cell: ({ environment }) => environment },
    { header: 'Agent', cell: ({ agent }) => agent ?? <Badge tone="warning">none</Badge> },
    {
      header: 'Last used',
      cell: ({ last_used_at: at }) => (at === null ? <span class="quiet">never</span> : <Time at={at} />),
    },
    {
      header: 'State',
      cell: ({ revoked_at: at }) =>
        at === null ? (
          <Badge tone="good">active</Badge>
        ) : (
          <>
            <Badge>revoked</Badge>
            <br />
            <Time at={at} />
          </>
        ),
    },
    {
      header: 'Actions',
      cell: (connector) => {
        const kind = connector.revoked_at === null ? 'revoke' : 'remove';
        const label = kind === 'revoke' ? 'Revoke' : 'Remove';
        return (
          <Button
            kind="danger"
            aria-label={`${label} ${connector.name}, … ${connector.hint}`}
            onClick={() => onOpen({ kind, connector })}
          >
            {label}
          </Button>
        );
      },
    },
  ];
}

function ConnectorForm({ search, onOpen }: { search: string; onOpen: (open: Open | null) => void }): VNode {
  const words = (value: FormDataEntryValue | null): readonly string[] =>
    String(value ?? '')
      .split(',')
      .map((word) => word.trim())
      .filter(Boolean);
  return (
    <FormDialog
      title="New connector"
      submitLabel="Create connector"
      onClose={() => onOpen(null)}
      onSubmit={async (form) => {
        const body = {
          name: String(form.get('name')),
          domains: words(form.get('domains')),
          apps: words(form.get('apps')),
          environment: String(form.get('environment')),
        };
        const made = await callConsole<NewSecret>('POST', `/connectors${search}`, { body });
        onOpen({ kind: 'secret', made });
        await refresh();
      }}
    >
      <TextField label="Name" name="name" hint="For example: shop." autocomplete="off" required />
      <TextField
        label="Domains"
        name="domains"
        hint="Sites that show the widget, separated by commas: example.com, localhost. Subdomains are included."
      />
      <TextField label="Apps" name="apps" hint="App namespaces, such as com.example.app." />
      <SelectField
        label="Environment"
        name="environment"
        options={[
          ['live', 'live'],
          ['sandbox', 'sandbox'],
          ['pre-release', 'pre-release'],
        ]}
      />
    </FormDialog>
  );
}

const KINDS = {
  revoke: { title: 'Revoke', done: 'revoked' },
  remove: { title: 'Remove', done: 'removed' },
} as const;

/** Shows the consequences of ending a connector, and ends it. */
function EndDialog({
  kind,
  connector: { id, name, hosts },
  onClose,
}: {
  kind: 'revoke' | 'remove';
  connector: ConsoleConnector;
  onClose: () => void;
}): VNode {
  const { title, done } = KINDS[kind];
  const impact = useQuery<Impact>({
    queryKey: ['connectors', id, 'impact'],
    queryFn: ({ signal }) => callConsole<Impact>('GET', `/connectors/${id}/impact`, { signal }),
    staleTime: 0,
  });
  return (
    <ConfirmDialog
      title={`${title} ${name}?`}
      confirmLabel={`${title} ${name}`}
      onClose={onClose}
      onConfirm={async () => {
        await callConsole('POST', `/connectors/${id}/${kind}`);
        showToast(`${name} ${done}`);
        await refresh();
      }}
    >
      <QueryView query={impact}>
        {({ open_sessions: open, removal }) =>
          kind === 'revoke' ? (
            <p>
              Its token stops working permanently. The widget on {hosts.map(({ value }) => value).join(', ')}{' '}
              starts no conversation any more, and{' '}
              {open === 0
                ? 'no conversation is open through it.'
                : `${open.toLocaleString()} open ${open === 1 ? 'conversation is' : 'conversations are'} cut off within two seconds.`}
            </p>
          ) : (
            <p>
              Everything that came through it is permanently erased:{' '}
              {Object.entries(removal)
                .map(([what, count]) => `${count.toLocaleString()} ${what.replaceAll('_', ' ')}`)
                .join(', ')}
              .
            </p>
          )
        }
      </QueryView>
    </ConfirmDialog>
  );
}
