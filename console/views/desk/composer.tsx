import { signal, useSignal, useSignalEffect } from '@preact/signals';
import type { VNode } from 'preact';
import { useId, useRef } from 'preact/hooks';
import { callDesk } from '../../call-platform.ts';
import { TabList, TabPanel, useFollowedEnd } from '../../ui/index.ts';
import { Markdown } from '../../ui/markdown.tsx';
import { addNote, draft, isMine, replies, selectedId, send, writeDraft } from './desk-model.ts';
import type { Kind } from './drafts.ts';
import { useReplyList } from './use-reply-list.tsx';

const TYPING_EVERY_MS = 3_000;

const TEXTS = {
  reply: { tab: 'Reply', label: 'Message', placeholder: 'Write to the visitor …', button: 'Send' },
  note: {
    tab: 'Note',
    label: 'Private note',
    placeholder: 'Write to your team. Visitors never see it.',
    button: 'Add note',
  },
} as const satisfies Record<Kind, object>;

const PLACEHOLDER_WITH_REPLIES = 'Write to the visitor. Type / for canned replies.';

/** Whether replies are shown as they will look, in every conversation until the page is left. */
const isPreviewed = signal(false);

/**
 * Where a person writes: replies and notes in their own conversations, notes in the others that they see. Enter sends,
 * Shift and Enter begin a new line.
 */
export function Composer(): VNode {
  const isAdding = useSignal(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const toldAt = useRef(0);
  const list = useReplyList(field);
  const id = useId();
  const canReply = isMine.value;
  const kinds: readonly Kind[] = canReply ? ['reply', 'note'] : ['note'];
  const kind = canReply ? draft.value.kind : 'note';
  const text = draft.value[kind];
  useSignalEffect(() => {
    if (isMine.value) field.current?.focus();
  });
  const readField = (): void => {
    if (kind === 'reply') list.readField();
  };
  const tellTyping = (): void => {
    const now = Date.now();
    if (now - toldAt.current < TYPING_EVERY_MS || draft.value.reply === '') return;
    toldAt.current = now;
    // Nothing depends on it: when it is lost, the visitor sees no dots.
    void callDesk('POST', `/requests/${selectedId.value}/typing`, { state: 'started' }).catch(() => {});
  };
  const submit = async (): Promise<void> => {
    if (text.trim() === '' || isAdding.value) return;
    field.current?.focus();
    if (kind === 'reply') {
      send();
      toldAt.current = 0;
      return;
    }
    isAdding.value = true;
    await addNote();
    isAdding.value = false;
  };
  return (
    <form
      class="composer"
      data-kind={kind}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <div class="written-head">
        <TabList
          id={id}
          label="What to write"
          tabs={kinds.map((each) => ({ id: each, name: TEXTS[each].tab }))}
          shown={kind}
          onShow={(each) => writeDraft({ kind: each })}
          onClick={() => field.current?.focus()}
        />
        {kind === 'reply' && (
          <button
            type="button"
            class="plain"
            aria-pressed={isPreviewed.value}
            onClick={() => {
              isPreviewed.value = !isPreviewed.value;
              field.current?.focus();
            }}
          >
            Preview
          </button>
        )}
      </div>
      {kind === 'reply' && isPreviewed.value && <Preview text={text} />}
      <TabPanel id={id} tab={kind} class="written">
        {kind === 'reply' && list.view}
        <textarea
          ref={field}
          aria-label={TEXTS[kind].label}
          placeholder={
            kind === 'reply' && replies.value.length > 0 ? PLACEHOLDER_WITH_REPLIES : TEXTS[kind].placeholder
          }
          rows={2}
          {...(kind === 'reply' && list.attributes)}
          dir="auto"
          readOnly={isAdding.value}
          value={text}
          onInput={({ currentTarget }) => {
            writeDraft({ [kind]: currentTarget.value });
            readField();
            if (kind === 'reply') tellTyping();
          }}
          onKeyUp={readField}
          onClick={readField}
          onBlur={list.close}
          onKeyDown={(event) => {
            if (list.takeKey(event)) return;
            if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
            event.preventDefault();
            void submit();
          }}
        />
        <button type="submit" class="main" disabled={text.trim() === '' || isAdding.value}>
          {TEXTS[kind].button}
        </button>
      </TabPanel>
    </form>
  );
}

/** A reply as the visitor will see it: the widget's own reader of Markdown reads it. */
function Preview({ text }: { text: string }): VNode {
  const end = useFollowedEnd(text, '');
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
    <section {...end} class="preview" aria-label="As the visitor will see it" tabIndex={0}>
      {text.trim() === '' ? (
        <p class="quiet">The reply as the visitor will see it</p>
      ) : (
        <Markdown text={text} />
      )}
    </section>
  );
}
