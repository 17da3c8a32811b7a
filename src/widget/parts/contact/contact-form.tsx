import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { usePanel } from '../../panel/model/panel-model.ts';
import type { ContactDraft } from './contact-state.ts';
import type { ContactTexts } from './contact-texts.ts';

interface ContactFormProps {
  readonly draft: ContactDraft | null;
  readonly texts: ContactTexts;
  readonly onWrite: (draft: ContactDraft) => void;
  readonly onSent: (email: string) => void;
  readonly onCancel: () => void;
}

function Fields({ draft, texts }: Pick<ContactFormProps, 'draft' | 'texts'>): VNode {
  return (
    <>
      <label>
        {texts.email}
        <input
          name="email"
          type="email"
          autocomplete="email"
          dir="ltr"
          required
          maxLength={254}
          defaultValue={draft?.email}
        />
      </label>
      <label>
        {texts.name}
        <input name="name" autocomplete="name" dir="auto" maxLength={100} defaultValue={draft?.name} />
      </label>
      <label>
        {texts.text}
        <textarea name="text" rows={6} dir="auto" required maxLength={2_000} defaultValue={draft?.text} />
      </label>
    </>
  );
}

/** Name, address and text of a visitor. The fields keep their values when a request fails. */
export function ContactForm({ draft, texts, onWrite, onSent, onCancel }: ContactFormProps): VNode {
  const { chat } = usePanel();
  const problem = useSignal('');
  const isSending = useSignal(false);
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => form.current?.querySelector<HTMLElement>('[name=email]')?.focus(), []);
  const read = (): ContactDraft => {
    const fields = new FormData(form.current ?? undefined);
    const fieldOf = (name: string): string => String(fields.get(name) ?? '').trim();
    return { name: fieldOf('name'), email: fieldOf('email'), text: fieldOf('text') };
  };
  const send = async (): Promise<void> => {
    if (isSending.peek()) return;
    const written = read();
    isSending.value = true;
    problem.value = '';
    const outcome = await chat.requestContact(written);
    isSending.value = false;
    if (outcome === 'sent') onSent(written.email);
    else problem.value = outcome === 'refused' ? texts.refused : texts.failed;
  };
  return (
    <form
      ref={form}
      class="contact-form"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
      onInput={() => onWrite(read())}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        // Escape closes the form, not the chat.
        event.stopPropagation();
        onCancel();
      }}
    >
      <p>{texts.hint}</p>
      <Fields draft={draft} texts={texts} />
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
