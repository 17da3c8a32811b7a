import { useComputed } from '@preact/signals';
import { effect, type ReadonlySignal } from '@preact/signals-core';
import type { RefObject, VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { isBlank, isSendKey } from '../../../client/index.ts';
import { directionOf } from '../../dom/text-direction.ts';
import { usePanel } from '../model/panel-model.ts';
import { SendButton } from './send-button.tsx';

/** The input field: grows to six lines, Enter sends, Shift+Enter makes a new line. */
export function Composer(): VNode | null {
  const model = usePanel();
  const { chat, isOver, parts, strings, send, textDirection } = model;
  const field = useRef<HTMLTextAreaElement>(null);
  // An empty field shows its placeholder, which has the direction of the panel.
  const direction = useComputed(() => {
    const { value: text } = chat.unsent;
    return text === '' ? undefined : directionOf(text, textDirection.value);
  });
  useFieldText(field, chat.unsent);
  useFieldHeight(field, chat.unsent);
  const tools = useTools();

  const submit = () => {
    const typed = field.current?.value ?? '';
    const text = tools ? tools.composeMessage(model, typed) : typed;
    if (isBlank(text)) return;
    send(text);
    chat.setUnsent('');
    field.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isSendKey(event)) return;
    event.preventDefault();
    submit();
  };
  const onInput = (event: Event) => {
    chat.setUnsent((event.currentTarget as HTMLTextAreaElement).value);
    chat.notifyTyping();
    // Loads in time for the answer.
    void parts.markdown.load();
  };
  return (
    <form
      class="composer"
      part="composer"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {tools && <tools.ChosenFiles />}
      <textarea
        ref={field}
        class="field"
        part="input"
        rows={1}
        dir={direction.value}
        aria-label={strings.value.composerLabel}
        placeholder={isOver.value ? strings.value.composerEnded : strings.value.composerPlaceholder}
        enterkeyhint="send"
        autocomplete="off"
        onInput={onInput}
        // Safari may report the last letters of an input method with this event alone.
        onCompositionEnd={onInput}
        onKeyDown={onKeyDown}
      />
      <div class="keys">
        {tools && <tools.ToolButtons />}
        <SendButton />
      </div>
    </form>
  );
}

/** The buttons beside the field, for the features that need them; null until their code has loaded. */
function useTools() {
  const { options, parts } = usePanel();
  const hasTools = /files|dictation|emoji/.test(`${options.value.features}`);
  const { code, load } = parts.tools;
  useLayoutEffect(() => {
    if (hasTools) load();
  }, [hasTools, load]);
  return code.value;
}

/**
 * Keeps the text in the field, so that a key press renders nothing. The signal is no property of the element, because
 * @preact/signals then reads the properties of `Object.prototype` too, which pages may have extended.
 */
function useFieldText(field: RefObject<HTMLTextAreaElement | null>, unsent: ReadonlySignal<string>): void {
  useLayoutEffect(
    () =>
      effect(() => {
        const text = unsent.value;
        if (field.current && field.current.value !== text) field.current.value = text;
      }),
    [field, unsent],
  );
}

/** Keeps the field as high as its text, in browsers without `field-sizing`. */
function useFieldHeight(field: RefObject<HTMLTextAreaElement | null>, unsent: ReadonlySignal<string>): void {
  useLayoutEffect(() => {
    const element = field.current;
    if (!element || CSS.supports('field-sizing', 'content')) return;
    return effect(() => {
      const isFilled = unsent.value !== '';
      // The text is put into the field after this effect has run.
      queueMicrotask(() => fitToText(element, isFilled));
    });
  }, [field, unsent]);
}

/** Makes the field as high as its text. */
function fitToText(field: HTMLTextAreaElement, isFilled: boolean): void {
  field.style.height = 'auto';
  field.style.overflowY = 'hidden';
  // The style sheet gives it one line. Measuring it would lay out a panel that is about to open.
  if (!isFilled) return;
  // Without a layout there is nothing to measure.
  if (field.scrollHeight > 0) field.style.height = `${field.scrollHeight}px`;
  // A scroll bar only once there is something to scroll.
  if (field.scrollHeight > field.clientHeight) field.style.overflowY = 'auto';
}
