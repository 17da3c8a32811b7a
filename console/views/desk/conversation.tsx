import { useComputed, useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { me } from '../../session.ts';
import { EmptyState, FormDialog, TextArea, useFollowedEnd } from '../../ui/index.ts';
import { LinkedText } from '../../ui/markdown/linked-text.tsx';
import { Markdown } from '../../ui/markdown/markdown.tsx';
import { Attachments } from './attachments.tsx';
import { Composer } from './composer.tsx';
import {
  details,
  gone,
  inbox,
  isMine,
  isTyping,
  lines,
  onRequest,
  returnToAgent,
  select,
  selected,
  selectedId,
  transfer,
  unsent,
} from './desk-model.ts';
import type { DeskRequest, TransferTarget } from './desk-types.ts';
import { sendAgain } from './outbox.ts';
import { Presence } from './presence.tsx';

/** The conversation that is shown, with what can be done with it. */
export function Conversation(): VNode {
  const count = lines.value.length + unsent.value.length;
  const length = lines.value.at(-1)?.text.length ?? 0;
  // Scroll to a message that the person sends, wherever they were reading.
  const subject = `${selectedId.value} ${unsent.value.at(-1)?.id ?? ''}`;
  const end = useFollowedEnd(`${count} ${length} ${isTyping.value}`, subject);
  const request = selected.value;
  // Below the last message, and gone with the next one until that is seen, too.
  const last = lines.value.findLast(({ author }) => author !== 'notice');
  const seenKey = last?.author === 'person' && last.key === request?.seen_message_id ? last.key : null;
  if (selectedId.value === null)
    return (
      <section class="conversation" aria-label="Conversation">
        <EmptyState title={gone.value?.title ?? 'Choose a conversation'} icon="desk">
          {gone.value?.next ?? 'New requests appear on the left.'}
        </EmptyState>
      </section>
    );
  return (
    <section class="conversation" aria-label="Conversation">
      <div class="bar">
        <button type="button" class="plain back" onClick={() => select(null)}>
          Back
        </button>
        <Title queue={request?.queue_name ?? 'Conversation'} request={request} />
        {isMine.value && <Actions />}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard */}
      <div {...end} class="transcript" role="log" aria-label="Transcript" tabIndex={0}>
        {lines.value.map(({ key, author, name, text, attachments, at }, index) => (
          <article key={key} class="line" data-author={author}>
            {name !== '' && (
              <header class={continues(index) ? 'unseen' : undefined}>
                {name}{' '}
                <time dateTime={at}>{new Date(at).toLocaleTimeString([], { timeStyle: 'short' })}</time>
              </header>
            )}
            {text !== '' &&
              (author === 'agent' || author === 'person' ? (
                <Markdown text={text} />
              ) : (
                <LinkedText text={text} />
              ))}
            <Attachments attachments={attachments} />
            {key === seenKey && <footer>Seen</footer>}
          </article>
        ))}
        {unsent.value.map(({ id, text, file, problem }) => (
          <article key={id} class="line" data-author="person" data-unsent>
            <header>{problem ?? 'Sending …'}</header>
            {file === null ? <Markdown text={text} /> : <p dir="auto">{file.name}</p>}
            {problem !== null && (
              <button type="button" onClick={() => sendAgain(id)}>
                Send again
              </button>
            )}
          </article>
        ))}
        {isTyping.value && <p class="quiet">The visitor is typing …</p>}
      </div>
      {request !== null && <Composer key={selectedId.value} />}
    </section>
  );
}

/** Whether a line follows another one of the same speaker within a minute: their name is only read out. */
function continues(index: number): boolean {
  const [previous, line] = [lines.value[index - 1], lines.value[index]];
  return (
    previous?.author === line?.author &&
    previous?.name === line?.name &&
    Date.parse(line?.at ?? '') - Date.parse(previous?.at ?? '') < 60_000
  );
}

/** The visitor's name, where their page gave one, the queue, and whether the visitor is there. */
function Title({ queue, request }: { queue: string; request: DeskRequest | null }): VNode {
  const name = details.value?.page['name'];
  return (
    <div class="grow title">
      <h2>
        {typeof name === 'string' && name !== '' ? (
          <>
            <bdi>{name}</bdi> <small>{queue}</small>
          </>
        ) : (
          queue
        )}
      </h2>
      {/* Always there, so that a change is read out. */}
      <small role="status">{request !== null && <Presence request={request} />}</small>
    </div>
  );
}

function Actions(): VNode {
  const isSure = useSignal(false);
  const target = useSignal('');
  const targets = useComputed((): readonly TransferTarget[] => [
    ...(inbox.value?.queues ?? []).map(({ id, name }) => ({ kind: 'queue' as const, id, name })),
    ...(inbox.value?.people ?? [])
      .filter(({ id, presence }) => id !== me.value?.id && presence === 'available')
      .map(({ id, name }) => ({ kind: 'person' as const, id, name })),
  ]);
  const open = useSignal<'transfer' | 'return' | null>(null);
  const close = (): void => {
    open.value = null;
  };
  const chosen = targets.value.find(({ id }) => id === target.value);
  return (
    <div class="actions">
      {/* Arrow keys change it step by step, so that choosing alone transfers no visitor. */}
      <select
        aria-label="Transfer to"
        value={target.value}
        onChange={({ currentTarget }) => {
          target.value = currentTarget.value;
        }}
      >
        <option value="">Transfer to …</option>
        {targets.value.map(({ kind, id, name }) => (
          <option key={id} value={id}>
            {kind === 'queue' ? `Queue ${name}` : name}
          </option>
        ))}
      </select>
      {target.value !== '' && (
        <button type="button" class="main" onClick={() => (open.value = 'transfer')}>
          Transfer
        </button>
      )}
      <button type="button" onClick={() => (open.value = 'return')}>
        Return to agent
      </button>
      <button
        type="button"
        class="danger"
        onBlur={() => {
          isSure.value = false;
        }}
        onClick={() => {
          if (isSure.value) void onRequest('end');
          else isSure.value = true;
        }}
      >
        {isSure.value ? 'End conversation?' : 'End'}
      </button>
      {open.value === 'transfer' && chosen !== undefined && (
        <FormDialog
          title={`Transfer to ${chosen.name}`}
          submitLabel="Transfer"
          onClose={close}
          onSubmit={async (form) => {
            await transfer(chosen, String(form.get('note')).trim());
            close();
          }}
        >
          <TextArea label="Note (optional)" hint="Your team reads it; visitors don’t." name="note" rows={4} />
        </FormDialog>
      )}
      {open.value === 'return' && (
        <FormDialog
          title="Return to the agent"
          submitLabel="Return"
          onClose={close}
          onSubmit={async (form) => {
            await returnToAgent(String(form.get('summary')).trim());
            close();
          }}
        >
          <TextArea
            label="Summary for the agent (optional)"
            hint="The agent takes it into account. It isn’t sent to the visitor."
            name="summary"
            rows={4}
          />
        </FormDialog>
      )}
    </div>
  );
}
