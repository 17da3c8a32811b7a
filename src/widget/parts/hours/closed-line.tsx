import type { VNode } from 'preact';
import { fill } from '../../locales/fill.ts';
import { usePanel } from '../../panel/model/panel-model.ts';
import { formatReturn } from './format-return.ts';
import { HOURS_TEXTS } from './hours-texts.ts';

/** Replaces the composer while the chat is closed: says when it opens, and where to go until then. */
export function ClosedLine({ untilMs }: { readonly untilMs: number }): VNode {
  const { contactHref, locale, partTexts, parts, strings } = usePanel();
  const offer = parts.contact.code.value;
  const time = formatReturn(untilMs, Date.now(), locale.value);
  return (
    <div class="closed-line">
      <p>
        {fill(partTexts('hours', HOURS_TEXTS).closed, { time })}{' '}
        {contactHref.value && (
          <a class="text-button" href={contactHref.value}>
            {strings.value.contactUs}
          </a>
        )}
      </p>
      {offer && <offer.ContactOffer />}
    </div>
  );
}
