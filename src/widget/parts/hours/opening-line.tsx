import type { VNode } from 'preact';
import { fill } from '../../locales/fill.ts';
import { usePanel } from '../../panel/model/panel-model.ts';
import { formatReturn } from './format-return.ts';
import { HOURS_TEXTS, joinSentences } from './hours-texts.ts';
import { useOpening } from './use-opening.ts';

/**
 * On the home screen: until when the team is available, or when it is back. Renders nothing if the team is away for
 * more than a year.
 */
export function OpeningLine({ hours }: { readonly hours: string }): VNode | null {
  const { options, locale, partTexts, nameOf } = usePanel();
  const { hoursTimeZone, outsideHours } = options.value;
  const { isOpen, changesAtMs } = useOpening(hours, hoursTimeZone);
  const texts = partTexts('hours', HOURS_TEXTS);
  if (changesAtMs === null && !isOpen) return null;
  const time = changesAtMs === null ? '' : formatReturn(changesAtMs, Date.now(), locale.value);
  const isClosed = outsideHours === 'closed';
  const state = changesAtMs === null ? 'always' : isOpen ? 'present' : isClosed ? 'closed' : 'away';
  const sentence = fill(texts[state], { time });
  const isAway = !isOpen && !isClosed;
  return (
    <p class={isOpen ? 'opening present' : 'opening'}>
      <span>
        {isAway ? joinSentences(sentence, fill(texts.agentAnswers, { name: nameOf(null) })) : sentence}
      </span>
    </p>
  );
}
