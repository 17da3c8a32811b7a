import { useComputed, useSignal } from '@preact/signals';
import type { RefObject, TargetedKeyboardEvent, TextareaHTMLAttributes, VNode } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { announcement } from '../../session.ts';
import { replies, writeDraft } from './desk-model.ts';
import type { Reply } from './desk-types.ts';
import { findReplies, type ReplySearch, readSearch } from './reply-search.ts';

/** The list of canned replies at a field. */
export interface ReplyList {
  /** Null while the list is closed. */
  readonly view: VNode | null;
  /** Attributes of the field, which name the list for screen readers. */
  readonly attributes: TextareaHTMLAttributes<HTMLTextAreaElement>;
  /** Opens, filters or closes the list by the text before the caret. */
  readonly readField: () => void;
  readonly close: () => void;
  /** Handles a key of the field; true when the key was for the list. */
  readonly takeKey: (event: TargetedKeyboardEvent<HTMLTextAreaElement>) => boolean;
}

/** Lists the canned replies that a slash in the field asks for, and inserts the chosen one in its place. */
export function useReplyList(field: RefObject<HTMLTextAreaElement | null>): ReplyList {
  const search = useSignal<ReplySearch | null>(null);
  /** Place of the slash whose list was closed with Escape; null: none. */
  const closedAt = useSignal<number | null>(null);
  const at = useSignal(0);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const found = useComputed((): readonly Reply[] => {
    const { value } = search;
    return value === null || value.start === closedAt.value ? [] : findReplies(replies.value, value);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: it decides which option is selected
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [at.value]);
  const { length } = found.value;
  const readField = (): void => {
    const { current } = field;
    if (current === null) return;
    const { value, selectionStart, selectionEnd } = current;
    const next = selectionStart === selectionEnd ? readSearch(value, selectionStart) : null;
    if (next?.words === search.value?.words && next?.start === search.value?.start) return;
    if (next?.start !== closedAt.value) closedAt.value = null;
    search.value = next;
    at.value = 0;
    const count = found.value.length;
    if (count > 0) announcement.value = count === 1 ? '1 canned reply' : `${count} canned replies`;
  };
  const close = (): void => {
    search.value = null;
  };
  const insert = (reply: Reply | undefined): void => {
    const { current } = field;
    if (reply === undefined || search.value === null || current === null) return;
    current.setRangeText(reply.text, search.value.start, search.value.end, 'end');
    writeDraft({ reply: current.value });
    close();
  };
  const takeKey = (event: TargetedKeyboardEvent<HTMLTextAreaElement>): boolean => {
    if (length === 0 || event.isComposing || event.shiftKey) return false;
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: length - 1 };
    const step = steps[event.key];
    if (step !== undefined) at.value = (at.value + step) % length;
    else if (event.key === 'Enter' || event.key === 'Tab') insert(found.value[at.value]);
    else if (event.key === 'Escape') closedAt.value = search.value?.start ?? null;
    else return false;
    event.preventDefault();
    return true;
  };
  const view = (
    <div ref={list} class="replies" role="listbox" id={id} aria-label="Canned replies">
      {found.value.map((reply, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
        // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field
        <div
          key={reply.id}
          role="option"
          id={`${id}-${index}`}
          aria-selected={index === at.value}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => insert(reply)}
        >
          <span>{reply.name}</span>
          <small dir="auto">{reply.text}</small>
        </div>
      ))}
    </div>
  );
  return {
    view: length === 0 ? null : view,
    // Not the role of a combobox, which a field of several lines may not have.
    attributes: {
      'aria-autocomplete': 'list',
      'aria-haspopup': 'listbox',
      ...(length > 0 && { 'aria-controls': id, 'aria-activedescendant': `${id}-${at.value}` }),
    },
    readField,
    close,
    takeKey,
  };
}
