import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { callDesk } from '../../call-platform.ts';
import { queryClient, useQuery } from '../../query.ts';
import { me } from '../../session.ts';
import {
  Badge,
  Button,
  type Column,
  ConfirmDialog,
  FormDialog,
  Page,
  QueryView,
  SecretDialog,
  showToast,
  Table,
  Time,
  tryTo,
} from '../../ui/index.ts';
import './people.css';
import type { AccountPerson, NewPassword, People } from './people-types.ts';
import { PersonDialog } from './person-dialog.tsx';

const KEY = ['people'];
const refresh = (): Promise<void> => queryClient.invalidateQueries({ queryKey: KEY });

type Open =
  | { readonly kind: 'invite' }
  | { readonly kind: 'change' | 'disable' | 'reset' | 'sign-out'; readonly person: AccountPerson }
  | { readonly kind: 'password'; readonly given: NewPassword };

/** The people of the account: invite, change, block, sign out. */
export function PeopleView(): VNode {
  const [open, setOpen] = useState<Open | null>(null);
  const query = useQuery({ queryKey: KEY, queryFn: () => callDesk<People>('GET', '/people') });
  const close = (): void => setOpen(null);
  const enable = async (person: AccountPerson): Promise<void> => {
    if (!(await tryTo(() => callDesk('POST', `/people/${person.id}/enable`)))) return;
    showToast(`${person.name} can sign in again`);
    await refresh();
  };
  return (
    <Page
      title="People and roles"
      summary="Who can sign in, their roles and their queues. Changes appear in the audit log."
      actions={
        <Button kind="main" icon="person" onClick={() => setOpen({ kind: 'invite' })}>
          Invite
        </Button>
      }
    >
      <QueryView query={query}>
        {({ people, queues }) => (
          <>
            <Table
              caption="People in this account"
              isCaptionHidden
              isStacked
              columns={columnsOf(queues, setOpen, (person) => void enable(person))}
              rows={people}
              keyOf={({ id }) => id}
            />
            {(open?.kind === 'invite' || open?.kind === 'change') && (
              <PersonDialog
                person={open.kind === 'change' ? open.person : null}
                queues={queues}
                onClose={close}
                onDone={(given) => {
                  setOpen(given === null ? null : { kind: 'password', given });
                  void refresh();
                }}
              />
            )}
          </>
        )}
      </QueryView>
      {open !== null && <Question open={open} onClose={close} onOpen={setOpen} />}
    </Page>
  );
}

function columnsOf(
  queues: People['queues'],
  onOpen: (open: Open) => void,
  onEnable: (person: AccountPerson) => void,
): readonly Column<AccountPerson>[] {
  const nameOf = (id: string): string => queues.find((queue) => queue.id === id)?.name ?? '';
  return [
    {
      header: 'Person',
      cell: ({ name, email }) => (
        <>
          <strong>{name}</strong>
          <br />
          <small>{email}</small>
        </>
      ),
    },
    {
      header: 'Role',
      cell: ({ role }) => <Badge tone={role === 'agent' ? 'neutral' : 'accent'}>{role}</Badge>,
    },
    { header: 'Queues', cell: ({ queue_ids: ids }) => ids.map(nameOf).join(', ') || 'none' },
    {
      header: 'Now',
      cell: ({ presence, disabled_at: disabledAt, seen_at: seenAt }) => (
        <>
          {disabledAt === null ? (
            <Badge tone={presence === 'available' ? 'good' : 'neutral'}>{presence}</Badge>
          ) : (
            <Badge tone="danger">disabled</Badge>
          )}
          {presence === 'offline' && seenAt !== null && (
            <>
              <br />
              <Time at={seenAt} />
            </>
          )}
        </>
      ),
    },
    {
      header: 'Actions',
      cell: (person) => (
        <div class="row-actions">
          <Button aria-label={`Edit ${person.name}`} onClick={() => onOpen({ kind: 'change', person })}>
            Change
          </Button>
          {person.disabled_at === null && (
            <Button
              aria-label={`Sign ${person.name} out everywhere`}
              onClick={() => onOpen({ kind: 'sign-out', person })}
            >
              Sign out
            </Button>
          )}
          {person.id !== me.value?.id && (
            <>
              <Button
                aria-label={`New password for ${person.name}`}
                onClick={() => onOpen({ kind: 'reset', person })}
              >
                New password
              </Button>
              {person.disabled_at === null ? (
                <Button
                  kind="danger"
                  aria-label={`Disable ${person.name}`}
                  onClick={() => onOpen({ kind: 'disable', person })}
                >
                  Disable
                </Button>
              ) : (
                <Button aria-label={`Enable ${person.name}`} onClick={() => onEnable(person)}>
                  Enable
                </Button>
              )}
            </>
          )}
        </div>
      ),
    },
  ];
}

const QUESTIONS = {
  disable: {
    title: 'Disable',
    text: 'will be signed out now and can’t sign in again. Their conversations return to the queue.',
  },
  reset: {
    title: 'New password for',
    text: 'will be signed out everywhere and their old password stops working. The new password is shown once.',
  },
  'sign-out': { title: 'Sign out', text: 'will be signed out in every browser and can sign in again.' },
} as const;

function Question({
  open,
  onClose,
  onOpen,
}: {
  open: Open;
  onClose: () => void;
  onOpen: (open: Open) => void;
}): VNode | null {
  if (open.kind === 'password') return <PasswordDialog given={open.given} onClose={onClose} />;
  if (open.kind === 'invite' || open.kind === 'change') return null;
  const { kind, person } = open;
  const { title, text } = QUESTIONS[kind];
  const act = (): Promise<{ password?: string }> => callDesk('POST', `/people/${person.id}/${kind}`);
  const words = (
    <p>
      {person.name} ({person.email}) {text}
    </p>
  );
  const label = `${title} ${person.name}`;
  if (kind === 'reset')
    return (
      <FormDialog
        title={`${label}?`}
        submitLabel={label}
        onClose={onClose}
        onSubmit={async () => {
          const { password = '' } = await act();
          onOpen({ kind: 'password', given: { email: person.email, password } });
          await refresh();
        }}
      >
        {words}
      </FormDialog>
    );
  return (
    <ConfirmDialog
      title={`${label}?`}
      confirmLabel={label}
      onClose={onClose}
      onConfirm={async () => {
        await act();
        await refresh();
      }}
    >
      {words}
    </ConfirmDialog>
  );
}

function PasswordDialog({ given, onClose }: { given: NewPassword; onClose: () => void }): VNode {
  return (
    <SecretDialog title="Share the password" secret={given.password} onClose={onClose}>
      {given.email} signs in here with this password. It is shown this once; the person can change it at the
      desk.
    </SecretDialog>
  );
}
