import type { VNode } from 'preact';
import { usePanel } from '../model/panel-model.ts';
import { fill } from '../strings/fill.ts';
import { formatReturn } from './format-return.ts';
import { selectHoursTexts } from './hours-texts.ts';

/** In place of the composer while the chat is closed: when it opens, and where to go until then. */
export function ClosedLine({ untilMs }: { readonly untilMs: number }): VNode {
  const { contactHref, locale, strings } = usePanel();
  const time = formatReturn(untilMs, Date.now(), locale.value);
  return (
    <p class="closed-line">
      {fill(selectHoursTexts(locale.value).closed, { time })}{' '}
      {contactHref.value && (
        <a class="text-button" href={contactHref.value}>
          {strings.value.contactUs}
        </a>
      )}
    </p>
  );
}
