import type { TargetedSubmitEvent, VNode } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { callConsole } from '../../call-platform.ts';
import { hrefOf } from '../../location.ts';
import { queryClient, useQuery } from '../../query.ts';
import { Button, Card, EmptyState, QueryView, Table, TextArea, TextField, Time } from '../../ui/index.ts';
import { CallsCard } from './calls-card.tsx';
import { readFacts } from './read-facts.ts';
import { type CallScope, toEventCalls } from './to-calls.ts';
import { useAttempt } from './use-attempt.ts';

interface Waits {
  readonly waits: readonly {
    readonly event_id: string;
    readonly conversation_id: string;
    readonly name: string;
    readonly expires_at: string;
  }[];
}

const EXAMPLE = '{\n  "status": "paid",\n  "amount": "84.50"\n}';
const REFRESH_MS = 5_000;

/** Tells a conversation that waits what happened elsewhere. */
export function EventsPage({ scope }: { scope: CallScope }): VNode {
  const [eventId, setEventId] = useState('');
  const [text, setText] = useState(EXAMPLE);
  const facts = useMemo(() => readFacts(text), [text]);
  const key = ['external-events', scope.project];
  const search = `?project=${encodeURIComponent(scope.project)}`;
  const query = useQuery<Waits>({
    queryKey: key,
    queryFn: ({ signal }) => callConsole<Waits>('GET', `/external-events${search}`, { signal }),
    refetchInterval: REFRESH_MS,
  });
  const { attempt, isBusy, result, problem } = useAttempt<object>();
  const onSubmit = async (event: TargetedSubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    if (facts.value === null) return;
    const body = { event_id: eventId.trim(), json: facts.value };
    await attempt(() => callConsole<object>('POST', `/external-events${search}`, { body }));
    await queryClient.invalidateQueries({ queryKey: key });
  };
  return (
    <>
      <div class="try-columns">
        <Card title="Send an event">
          <form class="dialog-form" onSubmit={(event) => void onSubmit(event)}>
            <TextField
              label="Event id"
              value={eventId}
              placeholder="evt_…"
              hint="The agent gives it out when it begins to wait. Choose one below."
              autocomplete="off"
              required
              onInput={({ currentTarget }) => setEventId(currentTarget.value)}
            />
            <TextArea
              label="What happened"
              rows={6}
              spellcheck={false}
              value={text}
              hint="JSON. Over HTTP it may be a form, XML or text as well."
              problem={facts.problem}
              onInput={({ currentTarget }) => setText(currentTarget.value)}
            />
            <div>
              <Button type="submit" kind="main" isBusy={isBusy} disabled={facts.value === null}>
                Send
              </Button>
            </div>
          </form>
          <div role="status">{result !== null && <p>It is stored, and the conversation is told.</p>}</div>
          {problem !== null && <p role="alert">{problem}</p>}
        </Card>
        <CallsCard
          calls={toEventCalls(scope, eventId || 'evt_…', facts.value ?? {})}
          permission="external_events"
        />
      </div>
      <Card title="What conversations wait for">
        <QueryView query={query}>
          {({ waits }) =>
            waits.length === 0 ? (
              <EmptyState title="No conversation waits for anything." icon="live">
                Ask the demo's agent to let you pay your balance, for example.
              </EmptyState>
            ) : (
              <Table
                caption="Events that are waited for, the latest first"
                isCaptionHidden
                isStacked
                columns={[
                  { header: 'Event', cell: ({ name, event_id: id }) => <WaitName name={name} id={id} /> },
                  {
                    header: 'Conversation',
                    cell: ({ conversation_id: id }) => (
                      <a href={hrefOf(`/conversations/${encodeURIComponent(id)}`)}>{id}</a>
                    ),
                  },
                  { header: 'Valid until', cell: ({ expires_at: at }) => <Time at={at} /> },
                  {
                    header: 'Action',
                    cell: ({ event_id: id, name }) => (
                      <Button aria-label={`Use the id of ${name}`} onClick={() => setEventId(id)}>
                        Use
                      </Button>
                    ),
                  },
                ]}
                rows={waits}
                keyOf={({ event_id: id }) => id}
              />
            )
          }
        </QueryView>
      </Card>
    </>
  );
}

function WaitName({ name, id }: { name: string; id: string }): VNode {
  return (
    <>
      {name}
      <br />
      <code class="try-facts">{id}</code>
    </>
  );
}
