import type { TargetedSubmitEvent, VNode } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { callConsole } from '../../call-platform.ts';
import { queryClient, useQuery } from '../../query.ts';
import { Button, Card, EmptyState, QueryView, Table, TextArea, Time, useAttempt } from '../../ui/index.ts';
import { CallsCard } from './calls-card.tsx';
import { readJsonObject } from './read-json-object.ts';
import { type CallScope, toNumberCalls } from './to-calls.ts';

interface Numbers {
  readonly total: number;
  readonly reserved_total: number;
  readonly reserved: readonly {
    readonly number: string;
    readonly until: string;
    readonly attributes: Readonly<Record<string, unknown>>;
  }[];
}

const EXAMPLE = '{\n  "name": "Ada",\n  "booking": "KF-4821"\n}';

/** Reserves a number for one call, with what the agent is to know when it comes in. */
export function NumbersPage({ scope }: { scope: CallScope }): VNode {
  const [text, setText] = useState(EXAMPLE);
  const attributes = useMemo(() => readJsonObject(text), [text]);
  const key = ['numbers', scope.project];
  const search = `?project=${encodeURIComponent(scope.project)}`;
  const query = useQuery<Numbers>({
    queryKey: key,
    queryFn: ({ signal }) => callConsole<Numbers>('GET', `/numbers${search}`, { signal }),
  });
  const { attempt, isBusy, result, problem } = useAttempt<{ readonly dni: string }>();
  const onSubmit = async (event: TargetedSubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    if (attributes.value === null) return;
    const body = { attributes: attributes.value };
    await attempt(() => callConsole('POST', `/numbers/reserve${search}`, { body }));
    await queryClient.invalidateQueries({ queryKey: key });
  };
  return (
    <>
      <div class="try-columns">
        <Card title="Reserve a number">
          <form class="dialog-form" onSubmit={(event) => void onSubmit(event)}>
            <TextArea
              label="Attributes"
              rows={6}
              spellcheck={false}
              value={text}
              hint="JSON. The agent receives these attributes when the number is called."
              problem={attributes.problem}
              onInput={({ currentTarget }) => setText(currentTarget.value)}
            />
            <div>
              <Button
                type="submit"
                kind="main"
                icon="phone"
                isBusy={isBusy}
                disabled={attributes.value === null}
              >
                Reserve
              </Button>
            </div>
          </form>
          <div role="status">
            {result !== null && (
              <p>
                Reserved for the next call: <strong class="try-result">{result.dni}</strong>
              </p>
            )}
          </div>
          {problem !== null && <p role="alert">{problem}</p>}
        </Card>
        <CallsCard calls={toNumberCalls(scope, attributes.value ?? {})} permission="dni" />
      </div>
      <Card title="Number pool">
        <QueryView query={query}>
          {({ total, reserved_total: reservedTotal, reserved }) =>
            total === 0 ? (
              <EmptyState title="This project has no numbers" icon="phone">
                Add them to the configuration file as <code>numbers</code> of the project.
              </EmptyState>
            ) : (
              <>
                <p>
                  {(total - reservedTotal).toLocaleString()} of {total.toLocaleString()} numbers are free.
                </p>
                {reserved.length > 0 && (
                  <Table
                    caption="Reserved numbers, next to expire first"
                    isStacked
                    columns={[
                      { header: 'Number', cell: ({ number }) => number },
                      { header: 'Until', cell: ({ until }) => <Time at={until} /> },
                      {
                        header: 'Attributes',
                        cell: ({ attributes }) => <code class="try-facts">{JSON.stringify(attributes)}</code>,
                      },
                    ]}
                    rows={reserved}
                    keyOf={({ number }) => number}
                  />
                )}
              </>
            )
          }
        </QueryView>
      </Card>
    </>
  );
}
