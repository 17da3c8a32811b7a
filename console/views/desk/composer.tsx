import { signal, useSignal, useSignalEffect } from '@preact/signals';
import type { VNode } from 'preact';
import { useId, useRef } from 'preact/hooks';
import { callDesk } from '../../call-platform.ts';
import { Icon, TabList, TabPanel, useFollowedEnd } from '../../ui/index.ts';
import { Markdown } from '../../ui/markdown/markdown.tsx';
import { addFiles, addNote, draft, isMine, replies, selectedId, send, writeDraft } from './desk-model.ts';
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
  const files = kind === 'reply' ? draft.value.files : [];
  const isEmpty = text.trim() === '' && files.length === 0;
  const takeFiles = (event: Event, given: FileList | undefined): void => {
    if (kind !== 'reply' || given === undefined || given.length === 0) return;
    event.preventDefault();
    addFiles(given);
    field.current?.focus();
  };
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
    if (isEmpty || isAdding.value) return;
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
      onDragOver={(event) => {
        if (kind === 'reply') event.preventDefault();
      }}
      onDrop={(event) => takeFiles(event, event.dataTransfer?.files)}
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
          <div class="written-tools">
            <FileButton onFiles={takeFiles} />
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
          </div>
        )}
      </div>
      {files.length > 0 && <ChosenFiles files={files} />}
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
          onPaste={(event) => takeFiles(event, event.clipboardData?.files)}
          onKeyDown={(event) => {
            if (list.takeKey(event)) return;
            if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
            event.preventDefault();
            void submit();
          }}
        />
        <button type="submit" class="main" disabled={isEmpty || isAdding.value}>
          {TEXTS[kind].button}
        </button>
      </TabPanel>
    </form>
  );
}

/** The types that the platform takes. */
const ACCEPTED = '.png,.jpg,.jpeg,.gif,.webp,.avif,.pdf,.txt,.csv,.docx,.xlsx,.odt,.ods';

/** Chooses files for the visitor; they can be pasted and dropped as well. */
function FileButton({ onFiles }: { onFiles: (event: Event, files: FileList | undefined) => void }): VNode {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button
        type="button"
        class="plain"
        aria-label="Add files"
        title="Add files"
        onClick={() => input.current?.click()}
      >
        <Icon name="clip" />
      </button>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept={ACCEPTED}
        onChange={(event) => {
          onFiles(event, event.currentTarget.files ?? undefined);
          // The same file may be chosen again.
          event.currentTarget.value = '';
        }}
      />
    </>
  );
}

/** The files that go with the reply. */
function ChosenFiles({ files }: { files: readonly File[] }): VNode {
  return (
    <ul class="chosen" aria-label="Files to send">
      {files.map((file, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same file may be there twice
        <li key={index}>
          <bdi>{file.name}</bdi>
          <button
            type="button"
            class="plain"
            aria-label={`Remove ${file.name}`}
            onClick={() => writeDraft({ files: files.filter((each) => each !== file) })}
          >
            <Icon name="close" />
          </button>
        </li>
      ))}
    </ul>
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
