import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { usePanel } from '../model/panel-model.ts';
import { fill } from '../strings/fill.ts';
import { type ContactDraft, ContactForm } from './contact-form.tsx';
import { selectContactTexts } from './contact-texts.ts';

/** Offers to leave a message, for an answer by e-mail: a button, the form, then the thanks. */
export function ContactOffer(): VNode | null {
  const { chat, locale } = usePanel();
  const texts = selectContactTexts(locale.value);
  const isOpen = useSignal(false);
  const sentTo = useSignal('');
  const draft = useSignal<ContactDraft | null>(null);
  const offer = useRef<HTMLDivElement>(null);
  if (!chat.canRequestContact.value) return null;
  const close = () => {
    isOpen.value = false;
    // The button is there again after the next rendering.
    queueMicrotask(() => offer.current?.querySelector('button')?.focus());
  };
  return (
    <div class="contact" ref={offer}>
      {/* It is there before its text, so that screen readers say the text. */}
      <p role="status">{sentTo.value && fill(texts.thanks, { email: sentTo.value })}</p>
      {isOpen.value ? (
        <ContactForm
          draft={draft.peek()}
          texts={texts}
          onCancel={(written) => {
            draft.value = written;
            close();
          }}
          onSent={(email) => {
            sentTo.value = email;
            isOpen.value = false;
          }}
        />
      ) : (
        !sentTo.value && (
          <button
            type="button"
            class="text-button"
            onClick={() => {
              isOpen.value = true;
            }}
          >
            {texts.offer}
          </button>
        )
      )}
    </div>
  );
}
