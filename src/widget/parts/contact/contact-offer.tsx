import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { fill } from '../../locales/fill.ts';
import { usePanel } from '../../panel/model/panel-model.ts';
import { ContactScreen } from './contact-screen.tsx';
import { contactStateOf } from './contact-state.ts';
import { CONTACT_TEXTS } from './contact-texts.ts';

/** Offers to leave a message, for an answer by email: a button that leads to the form, then the thanks. */
export function ContactOffer(): VNode | null {
  const model = usePanel();
  const { chat, partTexts, screen } = model;
  const { sentTo, isReturning } = contactStateOf(model);
  const texts = partTexts('contact', CONTACT_TEXTS);
  const button = useRef<HTMLButtonElement>(null);
  const thanks = useSignal('');
  useLayoutEffect(() => {
    if (isReturning.peek()) button.current?.focus();
    isReturning.value = false;
  }, [isReturning]);
  // The element exists before its text, so that screen readers announce the text.
  useEffect(() => {
    if (sentTo.value) thanks.value = fill(texts.thanks, { email: sentTo.value });
  });
  if (!chat.canRequestContact.value) return null;
  return (
    <div class="contact">
      <p role="status">{thanks}</p>
      {!sentTo.value && (
        <button
          type="button"
          class="text-button"
          ref={button}
          onClick={() => {
            screen.value = ContactScreen;
          }}
        >
          {texts.offer}
        </button>
      )}
    </div>
  );
}
