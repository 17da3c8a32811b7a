import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { callConsole } from '../../call-platform.ts';
import { queryClient, useQuery } from '../../query.ts';
import { projects } from '../../session.ts';
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
  Time,
} from '../../ui/index.ts';
import { KeyForm } from './key-form.tsx';
import type { ConsoleKey, NewSecret } from './operations-types.ts';

const KEY = ['keys'];

type Open =
  | { readonly kind: 'add' }
  | { readonly kind: 'rotate' | 'revoke'; readonly key: ConsoleKey }
  | { readonly kind: 'secret'; readonly made: NewSecret };

interface Keys {
  readonly keys: readonly ConsoleKey[];
  readonly permissions: readonly string[];
}

/** The keys of the account's own code. */
export function KeysPage(): VNode {
  const [open, setOpen] = useState<Open | null>(null);
  const query = useQuery<Keys>({
    queryKey: KEY,
    queryFn: ({ signal }) => callConsole<Keys>('GET', '/keys', { signal }),
  });
  return (
    <>
      <div class="intro">
        <p class="quiet">
          Your servers use these keys to call the REST API. Permissions limit what a key can do, and its value
          is shown once.
        </p>
        <Button kind="main" onClick={() => setOpen({ kind: 'add' })}>
          New key
        </Button>
      </div>
      <QueryView query={query}>
        {({ keys, permissions }) => (
          <>
            {keys.length === 0 ? (
              <EmptyState title="No API keys yet" icon="settings">
                Create one for each program that calls the platform.
              </EmptyState>
            ) : (
              <Table
                caption="API keys, active first"
                isCaptionHidden
                isStacked
                columns={columnsOf(setOpen)}
                rows={keys}
                keyOf={({ id }) => id}
              />
            )}
            {open?.kind === 'add' && (
              <KeyForm
                permissions={permissions}
                onClose={() => setOpen(null)}
                onMade={(made) => {
                  setOpen({ kind: 'secret', made });
                  void queryClient.invalidateQueries({ queryKey: KEY });
                }}
              />
            )}
          </>
        )}
      </QueryView>
      {open !== null && open.kind !== 'add' && <KeyDialog open={open} onOpen={setOpen} />}
    </>
  );
}

const TONES = { active: 'good', replaced: 'warning', expired: 'danger', revoked: 'neutral' } as const;

function columnsOf(onOpen: (open: Open) => void): readonly Column<ConsoleKey>[] {
  return [
    {
      header: 'Key',
      cell: ({ name, hint }) => (
        <>
          <strong>{name}</strong>
          <br />
          <small>… {hint}</small>
        </>
      ),
    },
    {
      header: 'May',
      cell: ({ permissions, is_legacy: isLegacy, service }) => (
        <>
          {permissions.map((permission) => permission.replaceAll('_', ' ')).join(', ')}
          <br />
          <small>
            {service}
            {isLegacy && ', conversations v1 and v2'}
          </small>
        </>
      ),
    },
    { header: 'Project', cell: ({ project }) => nameOfProject(project) },
    {
      header: 'Last used',
      cell: ({ last_used_at: at }) => (at === null ? <span class="quiet">never</span> : <Time at={at} />),
    },
    {
      header: 'State',
      cell: ({ state, expires_at: expiresAt, revoked_at: revokedAt }) => (
        <>
          <Badge tone={TONES[state]}>{state}</Badge>
          {state === 'revoked' && revokedAt !== null && (
            <>
              <br />
              <Time at={revokedAt} />
            </>
          )}
          {state !== 'revoked' && expiresAt !== null && (
            <>
              <br />
              <small>until</small> <Time at={expiresAt} />
            </>
          )}
        </>
      ),
    },
    {
      header: 'Actions',
      cell: (key) => (
        <div class="row-actions">
          {key.state === 'active' && (
            <Button aria-label={`Rotate ${key.name}`} onClick={() => onOpen({ kind: 'rotate', key })}>
              Rotate
            </Button>
          )}
          {key.state !== 'revoked' && (
            <Button
              kind="danger"
              aria-label={`Revoke ${key.name}, … ${key.hint}`}
              onClick={() => onOpen({ kind: 'revoke', key })}
            >
              Revoke
            </Button>
          )}
        </div>
      ),
    },
  ];
}

const nameOfProject = (slug: string | null): string =>
  slug === null ? 'all' : (projects.value.find((project) => project.slug === slug)?.name ?? slug);

const OVERLAPS = [
  ['24', 'a day'],
  ['168', 'a week'],
  ['1', 'an hour'],
  ['0', 'Revoke it now'],
] as const;

function KeyDialog({
  open,
  onOpen,
}: {
  open: Exclude<Open, { kind: 'add' }>;
  onOpen: (open: Open | null) => void;
}): VNode {
  const close = (): void => onOpen(null);
  if (open.kind === 'secret')
    return (
      <SecretDialog title={`API key ${open.made.name}`} secret={open.made.secret} onClose={close}>
        This key is shown only once. Keep it on your server, never in a page or app.
      </SecretDialog>
    );
  const { key } = open;
  if (open.kind === 'revoke')
    return (
      <ConfirmDialog
        title={`Revoke ${key.name}?`}
        confirmLabel={`Revoke ${key.name}`}
        onClose={close}
        onConfirm={async () => {
          await callConsole('POST', `/keys/${key.id}/revoke`);
          showToast(`${key.name} revoked`);
          await queryClient.invalidateQueries({ queryKey: KEY });
        }}
      >
        <p>
          Every call with the key that ends in <code>{key.hint}</code> will be permanently rejected:{' '}
          {key.permissions.map((permission) => permission.replaceAll('_', ' ')).join(', ')}
          {key.project === null ? ' of all projects' : ` of ${nameOfProject(key.project)}`}.
        </p>
        <p>
          {key.last_used_at === null ? (
            'It has never been used.'
          ) : (
            <>
              It was last used <Time at={key.last_used_at} />. Programs that use it will stop working.
            </>
          )}
        </p>
      </ConfirmDialog>
    );
  return (
    <FormDialog
      title={`Rotate ${key.name}`}
      submitLabel="Create new key"
      onClose={close}
      onSubmit={async (form) => {
        const body = { overlap_hours: Number(form.get('overlap')) };
        const made = await callConsole<NewSecret>('POST', `/keys/${key.id}/rotate`, { body });
        onOpen({ kind: 'secret', made });
        await queryClient.invalidateQueries({ queryKey: KEY });
      }}
    >
      <p>
        The new key takes over its name and permissions. Give it to the programs that use the old one; this
        page shows when the old one was last used.
      </p>
      <SelectField label="Keep the old key working for" name="overlap" options={OVERLAPS} />
    </FormDialog>
  );
}
