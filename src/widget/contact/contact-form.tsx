import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { usePanel } from '../model/panel-model.ts';
import type { ContactTexts } from './contact-texts.ts';

interface ContactFormProps {
  readonly texts: ContactTexts;
  readonly onSent: (email: string) => void;
  readonly onCancel: () => void;
}

/** Name, address and text of a visitor. A request that fails leaves the fields as they are. */
export function ContactForm({ texts, onSent, onCancel }: ContactFormProps): VNode {
  const { chat } = usePanel();
  const problem = useSignal('');
  const isSending = useSignal(false);
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => form.current?.querySelector<HTMLElement>('[name=email]')?.focus(), []);
  const send = async (fields: FormData): Promise<void> => {
    if (isSending.peek()) return;
    const read = (name: string): string => String(fields.get(name) ?? '').trim();
    const email = read('email');
    isSending.value = true;
    problem.value = '';
    const outcome = await chat.requestContact({ name: read('name'), email, text: read('text') });
    isSending.value = false;
    if (outcome === 'sent') onSent(email);
    else problem.value = outcome === 'refused' ? texts.refused : texts.failed;
  };
  return (
    <form
      ref={form}
      class="contact-form"
      onSubmit={(event) => {
        event.preventDefault();
        void send(new FormData(event.currentTarget));
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        // Escape puts away the form, not the chat.
        event.stopPropagation();
        onCancel();
      }}
    >
      <p>{texts.hint}</p>
      <label>
        {texts.email}
        <input name="email" type="email" autocomplete="email" dir="ltr" required maxLength={254} />
      </label>
      <label>
        {texts.name}
        <input name="name" autocomplete="name" dir="auto" maxLength={100} />
      </label>
      <label>
        {texts.text}
        <textarea name="text" rows={3} dir="auto" required maxLength={2_000} />
      </label>
      <p class="contact-problem" role="alert">
        {problem.value}
      </p>
      <div class="contact-actions">
        <button type="button" class="text-button" onClick={onCancel}>
          {texts.cancel}
        </button>
        <button type="submit" class="button primary" aria-disabled={isSending.value}>
          {texts.send}
        </button>
      </div>
    </form>
  );
}
