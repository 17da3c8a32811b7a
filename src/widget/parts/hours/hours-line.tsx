import type { VNode } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { fill } from '../../locales/fill.ts';
import { usePanel } from '../../panel/model/panel-model.ts';
import { formatReturn } from './format-return.ts';
import { HOURS_TEXTS, joinSentences } from './hours-texts.ts';
import { useOpening } from './use-opening.ts';

/** One line below the header while the team is away. Also closes the chat for that time, if the site wants that. */
export function HoursLine({ hours }: { readonly hours: string }): VNode | null {
  const { chat, closedUntilMs, options, locale, partTexts, nameOf, parts } = usePanel();
  const offer = parts.contact.code.value;
  const { hoursTimeZone, outsideHours } = options.value;
  const { isOpen, changesAtMs } = useOpening(hours, hoursTimeZone);
  // A conversation that has begun is not cut off.
  const hasBegun = chat.messages.value.some((entry) => entry.peek().kind === 'user');
  const isClosed = !isOpen && outsideHours === 'closed' && !hasBegun;
  useLayoutEffect(() => {
    closedUntilMs.value = isClosed ? changesAtMs : null;
    return () => {
      closedUntilMs.value = null;
    };
  }, [closedUntilMs, isClosed, changesAtMs]);
  // A human agent may answer outside the hours.
  if (isOpen || changesAtMs === null || isClosed || chat.speaker.value?.kind === 'live_agent') return null;
  const texts = partTexts('hours', HOURS_TEXTS);
  return (
    <div class="hours" role="note">
      <p>
        {joinSentences(
          fill(texts.away, { time: formatReturn(changesAtMs, Date.now(), locale.value) }),
          fill(texts.agentAnswers, { name: nameOf(null) }),
        )}
      </p>
      {offer && <offer.ContactOffer />}
    </div>
  );
}
