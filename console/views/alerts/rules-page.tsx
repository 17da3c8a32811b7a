import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { callConsole } from '../../call-platform.ts';
import { useSearch } from '../../location.ts';
import { queryClient, useQuery } from '../../query.ts';
import { isAdmin, projects } from '../../session.ts';
import {
  Badge,
  Button,
  type Column,
  ConfirmDialog,
  EmptyState,
  QueryView,
  SelectField,
  showToast,
  Table,
  Time,
  tryTo,
} from '../../ui/index.ts';
import type { AlertRule, AlertRules } from './alert-types.ts';
import { RuleForm } from './rule-form.tsx';
import { describeRule, isUnchecked, writeValue } from './rule-words.ts';
import { Timeline } from './timeline.tsx';
import { toSegments } from './to-segments.ts';

// Rules are evaluated once a minute.
const REFRESH_MS = 15_000;
const KEY = ['alert-rules'];
const refresh = (): Promise<void> => queryClient.invalidateQueries({ queryKey: KEY });

type Open =
  | { readonly kind: 'edit'; readonly rule: AlertRule | null }
  | { readonly kind: 'delete'; readonly rule: AlertRule };

/** The rules of the account with their states over time. */
export function RulesPage(): VNode {
  const [search, change] = useSearch();
  const [open, setOpen] = useState<Open | null>(null);
  const hours = search.get('hours') ?? '24';
  const query = useQuery<AlertRules>({
    queryKey: [...KEY, hours],
    queryFn: ({ signal }) => callConsole<AlertRules>('GET', `/alert-rules?hours=${hours}`, { signal }),
    refetchInterval: REFRESH_MS,
  });
  const close = (): void => setOpen(null);
  return (
    <>
      <div class="toolbar">
        <SelectField
          label="Period"
          value={hours}
          options={[
            ['1', 'Last hour'],
            ['24', 'Last 24 hours'],
            ['168', 'Last 7 days'],
          ]}
          onChange={({ currentTarget }) => change({ hours: currentTarget.value })}
        />
        <span class="grow" />
        {isAdmin.value && (
          <Button kind="main" icon="bell" onClick={() => setOpen({ kind: 'edit', rule: null })}>
            New rule
          </Button>
        )}
      </div>
      <QueryView query={query}>
        {(data) =>
          data.rules.length === 0 ? (
            <EmptyState title="No alert rules yet" icon="bell">
              A rule checks a metric every minute and notifies your endpoints when it crosses the threshold.
            </EmptyState>
          ) : (
            <Table
              caption="Alert rules"
              isCaptionHidden
              isStacked
              columns={columnsOf(data, setOpen)}
              rows={data.rules}
              keyOf={({ id }) => id}
            />
          )
        }
      </QueryView>
      {query.data !== undefined && <Unresolved unresolved={query.data.unresolved} />}
      {open?.kind === 'edit' && (
        <RuleForm
          rule={open.rule}
          onClose={close}
          onDone={() => {
            close();
            void refresh();
          }}
        />
      )}
      {open?.kind === 'delete' && <DeleteRule rule={open.rule} onClose={close} />}
    </>
  );
}

const TONES = { ok: 'good', alert: 'danger', no_data: 'neutral', unknown: 'warning' } as const;
const WORDS = { ok: 'ok', alert: 'firing', no_data: 'no data', unknown: 'unknown' } as const;

function columnsOf(data: AlertRules, onOpen: (open: Open) => void): readonly Column<AlertRule>[] {
  const actions: Column<AlertRule> = {
    header: 'Actions',
    cell: (rule) => <Actions rule={rule} onOpen={onOpen} />,
  };
  return [
    {
      header: 'Rule',
      cell: (rule) => (
        <>
          <strong>{rule.name}</strong>
          <br />
          <small>
            {describeRule(rule)}
            {rule.project_id !== null && `, ${nameOf(rule.project_id)}`}
          </small>
        </>
      ),
    },
    {
      header: 'State',
      cell: (rule) => {
        const { enabled, current_state: state, since } = rule;
        if (!enabled) return <Badge>off</Badge>;
        if (state === null || isUnchecked(rule)) return <Badge>not checked yet</Badge>;
        return (
          <>
            <Badge tone={TONES[state] ?? 'neutral'}>{WORDS[state] ?? state}</Badge>
            <br />
            {since !== null && (
              <small>
                since <Time at={since} />
              </small>
            )}
          </>
        );
      },
    },
    {
      header: 'Current value',
      isNumber: true,
      cell: ({ metric, current_value: value }) => writeValue(metric, value),
    },
    {
      header: 'History',
      cell: (rule) => (
        <Timeline
          segments={toSegments(rule, data.states, data.from_ms, data.to_ms)}
          fromMs={data.from_ms}
          toMs={data.to_ms}
        />
      ),
    },
    ...(isAdmin.value ? [actions] : []),
  ];
}

const nameOf = (projectId: string): string =>
  projects.value.find(({ id }) => id === projectId)?.name ?? projectId;

const resolve = async (ruleId: string, name: string): Promise<void> => {
  if (!(await tryTo(() => callConsole('POST', `/alert-rules/${ruleId}/resolve`)))) return;
  showToast(`${name} is resolved; endpoints were notified`);
  await refresh();
};

function Actions({ rule, onOpen }: { rule: AlertRule; onOpen: (open: Open) => void }): VNode {
  const { id, name, enabled, current_state: state } = rule;
  const toggle = async (): Promise<void> => {
    const body = { enabled: !enabled };
    if (!(await tryTo(() => callConsole('PUT', `/alert-rules/${id}`, { body })))) return;
    showToast(`${name} is ${enabled ? 'off' : 'on'}`);
    await refresh();
  };
  return (
    <div class="row-actions">
      {enabled && state === 'alert' && (
        <Button aria-label={`Resolve ${name}`} onClick={() => void resolve(id, name)}>
          Resolve
        </Button>
      )}
      <Button aria-label={`Edit ${name}`} onClick={() => onOpen({ kind: 'edit', rule })}>
        Edit
      </Button>
      <Button aria-label={`${enabled ? 'Disable' : 'Enable'} ${name}`} onClick={() => void toggle()}>
        {enabled ? 'Disable' : 'Enable'}
      </Button>
      <Button kind="danger" aria-label={`Delete ${name}`} onClick={() => onOpen({ kind: 'delete', rule })}>
        Delete
      </Button>
    </div>
  );
}

/** Incidents whose rule was changed or deleted: pagers may still be open for them. */
function Unresolved({ unresolved }: { unresolved: AlertRules['unresolved'] }): VNode | null {
  if (unresolved.length === 0) return null;
  return (
    <Table
      caption="Alerts of changed or deleted rules that endpoints still see as firing"
      isStacked
      columns={[
        { header: 'Rule', cell: ({ name }) => name },
        { header: 'Closed', cell: ({ closed_at: at }) => <Time at={at} /> },
        {
          header: 'Action',
          cell: ({ rule_id: id, name }) =>
            isAdmin.value && (
              <Button aria-label={`Resolve ${name}`} onClick={() => void resolve(id, name)}>
                Notify endpoints
              </Button>
            ),
        },
      ]}
      rows={unresolved}
      keyOf={({ rule_id: id }) => id}
    />
  );
}

function DeleteRule({ rule, onClose }: { rule: AlertRule; onClose: () => void }): VNode {
  return (
    <ConfirmDialog
      title={`Delete ${rule.name}?`}
      confirmLabel={`Delete ${rule.name}`}
      onClose={onClose}
      onConfirm={async () => {
        await callConsole('DELETE', `/alert-rules/${rule.id}`);
        showToast(`${rule.name} is deleted`);
        await refresh();
      }}
    >
      <p>
        {describeRule(rule)}: it sends no alerts any more, and its history is deleted.
        {rule.current_state === 'alert' &&
          ' It’s firing now; you can notify the endpoints on this page afterwards.'}
      </p>
    </ConfirmDialog>
  );
}
