import type { VNode } from 'preact';
import { hrefOf, useSearch } from '../../location.ts';
import { EnvironmentField, VariantField } from '../../project-filters.tsx';
import {
  Badge,
  Button,
  EmptyState,
  FoldedFilters,
  formatTurns,
  LoadingState,
  nameOfLanguage,
  Page,
  SelectField,
  shortFormat,
  TextField,
  Time,
} from '../../ui/index.ts';
import type { ViewProps } from '../../views.ts';
import './live.css';
import { LiveTranscript } from './live-transcript.tsx';
import type { LiveConversation } from './live-types.ts';
import { useLive } from './use-live.ts';

const FILTERS = ['project', 'language', 'variant_id', 'state', 'client_env'] as const;

const STATES = {
  agent: { text: 'automated agent', tone: 'neutral' },
  waiting: { text: 'waiting for your team', tone: 'warning' },
  person: { text: 'with a person', tone: 'good' },
} as const;

/** Open conversations in real time, and one of them with its messages. */
export function LiveView({ rest }: ViewProps): VNode {
  const [search] = useSearch();
  const id = rest === '' ? null : rest;
  const query = new URLSearchParams();
  const kept: Record<string, string> = {};
  for (const name of FILTERS) {
    const value = search.get(name);
    if (value !== null) query.set(name, value);
    if (value !== null && name !== 'project') kept[name] = value;
  }
  if (id !== null) query.set('conversation_id', id);
  const { list, entries, typing, status, goOn } = useLive(query.toString());
  const conversations = list?.conversations ?? [];
  return (
    <Page title="Live" summary="Open conversations, newest first." isWide>
      <Filters isOnNarrow={id === null} />
      {status === 'lost' && <p role="status">Connection lost. Reconnecting…</p>}
      {status === 'resting' && (
        <p role="alert">
          This view is paused because more than five live views are open.{' '}
          <Button onClick={goOn}>Resume here</Button>
        </p>
      )}
      <div class="live" data-shows={id === null ? 'list' : 'conversation'}>
        <section class="live-list" aria-label="Open conversations">
          {list === null && <LoadingState />}
          {list !== null && conversations.length === 0 && (
            <EmptyState title="No open conversations" icon="live">
              New conversations appear here.
            </EmptyState>
          )}
          <ul>
            {conversations.map((each) => (
              <Row key={each.id} conversation={each} isShown={each.id === id} search={kept} />
            ))}
          </ul>
          {list?.has_more === true && (
            <p class="quiet">Not all open conversations are shown. Narrow them down with filters.</p>
          )}
        </section>
        <LiveTranscript
          id={id}
          conversation={conversations.find((each) => each.id === id) ?? null}
          entries={entries}
          typing={typing}
          back={hrefOf('/live', kept)}
        />
      </div>
    </Page>
  );
}

function Row({
  conversation,
  isShown,
  search,
}: {
  conversation: LiveConversation;
  isShown: boolean;
  search: Readonly<Record<string, string>>;
}): VNode {
  const { id, started_at, language, variant_name, num_turns, state, last_words, has_log, request } =
    conversation;
  const path = has_log ? `/live/${encodeURIComponent(id)}` : `/conversations/${encodeURIComponent(id)}`;
  const { text, tone } = STATES[state];
  return (
    <li>
      <a href={hrefOf(path, has_log ? search : {})} aria-current={isShown ? 'true' : undefined}>
        <strong dir="auto">{last_words || 'No messages yet'}</strong>
        <span class="live-badges">
          <Badge tone={tone}>
            {state === 'person' && request?.person_name ? `with ${request.person_name}` : text}
          </Badge>
          {variant_name !== '' && <Badge>{variant_name}</Badge>}
          <small>
            <Time at={started_at} format={shortFormat(started_at, Date.now())} /> · {nameOfLanguage(language)}{' '}
            · {formatTurns(num_turns)}
          </small>
        </span>
      </a>
    </li>
  );
}

/** Where the window is narrow, a conversation that is shown has their place. */
function Filters({ isOnNarrow }: { isOnNarrow: boolean }): VNode {
  const [search, change] = useSearch();
  const get = (name: string): string => search.get(name) ?? '';
  const set = (name: string) => (event: { currentTarget: { value: string } }) =>
    change({ [name]: event.currentTarget.value.trim() });
  return (
    <search class="live-filters toolbar" data-narrow={isOnNarrow}>
      <FoldedFilters>
        <SelectField
          label="Answered by"
          value={get('state')}
          options={[
            ['', 'All'],
            ['agent', 'Automated agent'],
            ['waiting', 'Waiting for your team'],
            ['person', 'A person'],
          ]}
          onChange={set('state')}
        />
        <TextField
          key={get('language')}
          label="Language"
          placeholder="en"
          defaultValue={get('language')}
          onChange={set('language')}
        />
        <VariantField value={get('variant_id')} onChange={set('variant_id')} />
        <EnvironmentField value={get('client_env')} onChange={set('client_env')} />
      </FoldedFilters>
    </search>
  );
}
