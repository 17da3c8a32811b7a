import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { useLink } from '../../links/use-link.ts';
import { Avatar } from '../../panel/avatar.tsx';
import { usePanel } from '../../panel/model/panel-model.ts';
import { PolicyLinks } from './policy-links.tsx';

/** Replaces the conversation until the visitor agrees. Source: messaging.md 18. */
export function ConsentScreen(): VNode | null {
  const { terms } = usePanel();
  return terms.value?.isAsking.value ? <Question /> : null;
}

function Question(): VNode | null {
  const { terms, options, strings, contactHref, isOpen, focusComposer } = usePanel();
  const toLink = useLink();
  const text = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (terms.peek()?.isAfterChat && isOpen.peek()) text.current?.focus();
  }, [terms, isOpen]);
  const { welcome, disclaimer } = options.value;
  const agree = () => {
    terms.peek()?.agree();
    // After the composer has been rendered.
    queueMicrotask(focusComposer);
  };
  return (
    <div class="gate" part="gate">
      <section
        class="gate-text"
        ref={text}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable from the keyboard
        tabIndex={0}
        aria-label={welcome || strings.value.greeting}
      >
        <Avatar />
        <p class="intro-title" dir="auto">
          {welcome || strings.value.greeting}
        </p>
        {disclaimer && (
          <p class="gate-disclaimer" dir="auto">
            {disclaimer}
          </p>
        )}
        <PolicyLinks />
      </section>
      <div class="footer gate-actions">
        <button type="button" class="button primary" onClick={agree}>
          {strings.value.consent}
        </button>
        {contactHref.value && (
          <a class="button gate-contact" {...toLink(contactHref.value, strings.value.contactUs)}>
            {strings.value.contactUs}
          </a>
        )}
      </div>
    </div>
  );
}
