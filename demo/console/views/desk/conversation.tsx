import { useComputed, useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { me } from '../../session.ts';
import { EmptyState, useFollowedEnd } from '../../ui/index.ts';
import { Markdown } from '../../ui/markdown.tsx';
import { Composer } from './composer.tsx';
import {
  inbox,
  isMine,
  isTyping,
  lines,
  onRequest,
  select,
  selected,
  selectedId,
  sendAgain,
  unsent,
} from './desk-model.ts';

/** The conversation that is shown, with what can be done with it. */
export function Conversation(): VNode {
  const count = lines.value.length + unsent.value.length;
  const length = lines.value.at(-1)?.text.length ?? 0;
  // What the person sends is shown to them, wherever they have read.
  const subject = `${selectedId.value} ${unsent.value.at(-1)?.id ?? ''}`;
  const end = useFollowedEnd(`${count} ${length} ${isTyping.value}`, subject);
  const request = selected.value;
  if (selectedId.value === null)
    return (
      <section class="conversation" aria-label="Conversation">
        <EmptyState title="Choose a conversation." icon="desk">
          What is offered to you comes up on the left by itself.
        </EmptyState>
      </section>
    );
  return (
    <section class="conversation" aria-label="Conversation">
      <div class="bar">
        <button type="button" class="plain back" onClick={() => select(null)}>
          Back
        </button>
        <h2 class="grow">{request?.queue_name ?? 'Conversation'}</h2>
        {isMine.value && <Actions />}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard */}
      <div {...end} class="transcript" role="log" aria-label="Transcript" tabIndex={0}>
        {lines.value.map(({ key, author, name, text, at }) => (
          <article key={key} class="line" data-author={author}>
            {name !== '' && (
              <header>
                {name}{' '}
                <time dateTime={at}>{new Date(at).toLocaleTimeString([], { timeStyle: 'short' })}</time>
              </header>
            )}
            {author === 'agent' ? <Markdown text={text} /> : <p dir="auto">{text}</p>}
          </article>
        ))}
        {unsent.value.map(({ id, text, problem }) => (
          <article key={id} class="line" data-author="person" data-unsent>
            <header>{problem ?? 'Sending …'}</header>
            <p dir="auto">{text}</p>
            {problem !== null && (
              <button type="button" onClick={() => sendAgain(id)}>
                Send again
              </button>
            )}
          </article>
        ))}
        {isTyping.value && <p class="quiet">The visitor is typing …</p>}
      </div>
      {isMine.value && <Composer key={selectedId.value} />}
    </section>
  );
}

function Actions(): VNode {
  const isSure = useSignal(false);
  const target = useSignal('');
  const targets = useComputed(() => [
    ...(inbox.value?.queues ?? []).map(({ id, name }) => ({
      value: `queue_id:${id}`,
      label: `Queue ${name}`,
    })),
    ...(inbox.value?.people ?? [])
      .filter(({ id, presence }) => id !== me.value?.id && presence === 'available')
      .map(({ id, name }) => ({ value: `person_id:${id}`, label: name })),
  ]);
  const transfer = (): void => {
    const [field = '', id = ''] = target.value.split(':');
    target.value = '';
    void onRequest('transfer', { [field]: id });
  };
  return (
    <div class="actions">
      {/* Arrow keys change it step by step, so that choosing alone sends nobody away. */}
      <select
        aria-label="Transfer to"
        value={target.value}
        onChange={({ currentTarget }) => {
          target.value = currentTarget.value;
        }}
      >
        <option value="">Transfer to …</option>
        {targets.value.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      {target.value !== '' && (
        <button type="button" class="main" onClick={transfer}>
          Transfer
        </button>
      )}
      <button type="button" onClick={() => void onRequest('return')}>
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
        {isSure.value ? 'End for good?' : 'End'}
      </button>
    </div>
  );
}
