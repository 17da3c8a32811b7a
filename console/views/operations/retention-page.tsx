import type { VNode } from 'preact';
import { callConsole } from '../../call-platform.ts';
import { useQuery } from '../../query.ts';
import { Card, EmptyState, QueryView, Table } from '../../ui/index.ts';
import type { Retention } from './operations-types.ts';

const KINDS: Readonly<Record<string, string>> = {
  conversations: 'Conversations and all of the following',
  turns: 'Messages',
  events: 'Session logs',
  audio: 'Stored audio',
};

/** How long projects keep their data, and what the next sweep removes. */
export function RetentionPage(): VNode {
  const query = useQuery<Retention>({
    queryKey: ['retention'],
    queryFn: ({ signal }) => callConsole<Retention>('GET', '/retention', { signal }),
  });
  return (
    <>
      <p class="quiet">
        Every ten minutes, the platform deletes data older than these limits. Set them in the configuration
        file (<code>retention_days</code>) or with <code>natter-platform retention set</code>.
      </p>
      <QueryView query={query}>
        {({ projects, most_due: most }) =>
          projects.length === 0 ? (
            <EmptyState title="This account has no projects" icon="list" />
          ) : (
            projects.map(({ slug, name, kinds }) => (
              <Card key={slug} title={name}>
                <Table
                  caption={`Retention of ${name}`}
                  isCaptionHidden
                  columns={[
                    { header: 'Data', cell: ({ kind }) => KINDS[kind] ?? kind },
                    {
                      header: 'Kept',
                      cell: ({ days }) =>
                        days === null ? (
                          <span class="quiet">indefinitely</span>
                        ) : (
                          `${days.toLocaleString()} ${days === 1 ? 'day' : 'days'}`
                        ),
                    },
                    {
                      header: 'Next to be deleted',
                      isNumber: true,
                      cell: ({ days, due }) =>
                        days === null
                          ? '–'
                          : due >= most
                            ? `${most.toLocaleString()} or more`
                            : due.toLocaleString(),
                    },
                  ]}
                  rows={kinds}
                  keyOf={({ kind }) => kind}
                />
              </Card>
            ))
          )
        }
      </QueryView>
    </>
  );
}
