import type { TargetedSubmitEvent, VNode } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { callConsole } from '../../call-platform.ts';
import { hrefOf } from '../../location.ts';
import { queryClient, useQuery } from '../../query.ts';
import {
  Button,
  Card,
  EmptyState,
  QueryView,
  Table,
  TextArea,
  TextField,
  Time,
  useAttempt,
} from '../../ui/index.ts';
import { CallsCard } from './calls-card.tsx';
import { readJsonObject } from './read-json-object.ts';
import { type CallScope, toEventCalls } from './to-calls.ts';

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

/** Sends an external event to a conversation that waits for it. */
export function EventsPage({ scope }: { scope: CallScope }): VNode {
  const [eventId, setEventId] = useState('');
  const [text, setText] = useState(EXAMPLE);
  const payload = useMemo(() => readJsonObject(text), [text]);
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
    if (payload.value === null) return;
    const body = { event_id: eventId.trim(), json: payload.value };
    await attempt(() => callConsole<object>('POST', `/external-events${search}`, { body }));
    await queryClient.invalidateQueries({ queryKey: key });
  };
  return (
    <>
      <div class="try-columns">
        <Card title="Send an event">
          <form class="dialog-form" onSubmit={(event) => void onSubmit(event)}>
            <TextField
              label="Event ID"
              value={eventId}
              placeholder="evt_…"
              hint="The agent issues it when it starts waiting. Choose one below."
              autocomplete="off"
              required
              onInput={({ currentTarget }) => setEventId(currentTarget.value)}
            />
            <TextArea
              label="Event data"
              rows={6}
              spellcheck={false}
              value={text}
              hint="JSON. The HTTP API also accepts forms, XML and text."
              problem={payload.problem}
              onInput={({ currentTarget }) => setText(currentTarget.value)}
            />
            <div>
              <Button type="submit" kind="main" isBusy={isBusy} disabled={payload.value === null}>
                Send
              </Button>
            </div>
          </form>
          <div role="status">{result !== null && <p>Event stored and sent to the conversation.</p>}</div>
          {problem !== null && <p role="alert">{problem}</p>}
        </Card>
        <CallsCard
          calls={toEventCalls(scope, eventId || 'evt_…', payload.value ?? {})}
          permission="external_events"
        />
      </div>
      <Card title="Pending events">
        <QueryView query={query}>
          {({ waits }) =>
            waits.length === 0 ? (
              <EmptyState title="No pending events" icon="live">
                Ask the demo's agent to let you pay your balance, for example.
              </EmptyState>
            ) : (
              <Table
                caption="Pending events, latest first"
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
                  { header: 'Expires', cell: ({ expires_at: at }) => <Time at={at} /> },
                  {
                    header: 'Action',
                    cell: ({ event_id: id, name }) => (
                      <Button aria-label={`Use the ID of ${name}`} onClick={() => setEventId(id)}>
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
