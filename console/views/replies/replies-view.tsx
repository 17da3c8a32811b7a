import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { callDesk } from '../../call-platform.ts';
import { queryClient, useQuery } from '../../query.ts';
import {
  Button,
  ConfirmDialog,
  EmptyState,
  nameOfLanguage,
  Page,
  QueryView,
  showToast,
  Table,
} from '../../ui/index.ts';
import type { Replies, Reply } from '../desk/desk-types.ts';
import { ReplyForm } from './reply-form.tsx';

const KEY = ['replies'];
const refresh = (): Promise<void> => queryClient.invalidateQueries({ queryKey: KEY });

type Open =
  | { readonly kind: 'edit'; readonly reply: Reply | null }
  | { readonly kind: 'delete'; readonly reply: Reply };

/** The canned replies of the account, by name and language. */
export function RepliesView(): VNode {
  const [open, setOpen] = useState<Open | null>(null);
  const query = useQuery({
    queryKey: KEY,
    queryFn: () => callDesk<Replies>('GET', '/replies'),
  });
  const close = (): void => setOpen(null);
  return (
    <Page
      title="Canned replies"
      summary="Texts that your team inserts at the desk with a slash. One in the conversation’s language replaces the one of the same name for all languages."
      actions={
        <Button kind="main" onClick={() => setOpen({ kind: 'edit', reply: null })}>
          New reply
        </Button>
      }
    >
      <QueryView query={query}>
        {({ replies }) =>
          replies.length === 0 ? (
            <EmptyState title="No canned replies yet" icon="desk">
              Add what your team writes often, such as a greeting.
            </EmptyState>
          ) : (
            <Table
              caption="Canned replies"
              isCaptionHidden
              isStacked
              columns={[
                { header: 'Name', cell: ({ name }) => <strong dir="auto">{name}</strong> },
                { header: 'Language', cell: ({ language }) => languageOf(language) },
                { header: 'Text', cell: ({ text }) => <span dir="auto">{text}</span> },
                {
                  header: 'Actions',
                  cell: (reply) => (
                    <div class="row-actions">
                      <Button
                        aria-label={`Edit ${titleOf(reply)}`}
                        onClick={() => setOpen({ kind: 'edit', reply })}
                      >
                        Edit
                      </Button>
                      <Button
                        kind="danger"
                        aria-label={`Delete ${titleOf(reply)}`}
                        onClick={() => setOpen({ kind: 'delete', reply })}
                      >
                        Delete
                      </Button>
                    </div>
                  ),
                },
              ]}
              rows={replies}
              keyOf={({ id }) => id}
            />
          )
        }
      </QueryView>
      {open?.kind === 'edit' && (
        <ReplyForm
          reply={open.reply}
          onClose={close}
          onDone={(name) => {
            close();
            showToast(`${name} is saved`);
            void refresh();
          }}
        />
      )}
      {open?.kind === 'delete' && (
        <ConfirmDialog
          title={`Delete ${titleOf(open.reply)}?`}
          confirmLabel="Delete"
          onClose={close}
          onConfirm={async () => {
            await callDesk('DELETE', `/replies/${open.reply.id}`);
            showToast(`${titleOf(open.reply)} is deleted`);
            await refresh();
          }}
        >
          <p>Your team can’t insert it any more. Messages that were sent stay as they are.</p>
        </ConfirmDialog>
      )}
    </Page>
  );
}

const languageOf = (language: string | null): string =>
  language === null ? 'All' : nameOfLanguage(language);

const titleOf = ({ name, language }: Reply): string =>
  language === null ? name : `${name} (${nameOfLanguage(language)})`;
