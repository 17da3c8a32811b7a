import type { VNode } from 'preact';
import { usePanel } from '../../panel/model/panel-model.ts';
import { ContactForm } from './contact-form.tsx';
import { contactStateOf } from './contact-state.ts';
import { CONTACT_TEXTS } from './contact-texts.ts';

/** Replaces the conversation: the form for a message that is answered by email. */
export function ContactScreen(): VNode {
  const model = usePanel();
  const { focusComposer, partTexts, screen } = model;
  const { draft, sentTo, isReturning } = contactStateOf(model);
  const texts = partTexts('contact', CONTACT_TEXTS);
  return (
    <section
      class="contact-screen"
      aria-labelledby="contact-title"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable from the keyboard
      tabIndex={0}
    >
      <h3 id="contact-title">{texts.offer}</h3>
      <ContactForm
        draft={draft.peek()}
        texts={texts}
        onWrite={(written) => {
          draft.value = written;
        }}
        onCancel={() => {
          isReturning.value = true;
          screen.value = null;
        }}
        onSent={(email) => {
          sentTo.value = email;
          screen.value = null;
          // After the composer has been rendered again.
          queueMicrotask(focusComposer);
        }}
      />
    </section>
  );
}
