import type { Signal } from '@preact/signals-core';
import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { usePanel } from '../model/panel-model.ts';
import { fill } from '../strings/fill.ts';
import { selectSurveyTexts } from './survey-texts.ts';

const SCORES = [1, 2, 3, 4, 5] as const;

interface ScoreScaleProps {
  readonly label: string;
  /** The chosen score; null before there is one. */
  readonly chosen: Signal<number | null>;
}

/** A radio group of five scores: one tab stop, and arrow keys that wrap in reading direction. */
export function ScoreScale({ label, chosen }: ScoreScaleProps): VNode {
  const { locale, direction } = usePanel();
  const texts = selectSurveyTexts(locale.value);
  const scale = useRef<HTMLDivElement>(null);
  const format = new Intl.NumberFormat(locale.value);

  const onKeyDown = (event: KeyboardEvent) => {
    const isRightToLeft = direction.peek() === 'rtl';
    const onward = isRightToLeft ? 'ArrowLeft' : 'ArrowRight';
    const back = isRightToLeft ? 'ArrowRight' : 'ArrowLeft';
    const step = { [onward]: 1, ArrowDown: 1, [back]: -1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const at = chosen.peek();
    const place = at === null ? (step > 0 ? 0 : 4) : (at + step + 4) % 5;
    chosen.value = place + 1;
    scale.current?.querySelectorAll<HTMLElement>('[role=radio]')[place]?.focus();
  };
  const nameOf = (score: number): string => {
    const name = fill(texts.score, { score: format.format(score) });
    const end = { 1: texts.low, 5: texts.high }[score];
    return end ? `${name}, ${end}` : name;
  };
  return (
    <div
      class="survey-scale"
      ref={scale}
      role="radiogroup"
      tabIndex={-1}
      aria-label={label}
      onKeyDown={onKeyDown}
    >
      {SCORES.map((score) => (
        // biome-ignore lint/a11y/useSemanticElements: a figure in a circle, with the keys of a radio group
        <button
          key={score}
          type="button"
          role="radio"
          class="survey-score"
          aria-checked={chosen.value === score}
          aria-label={nameOf(score)}
          tabIndex={(chosen.value ?? 1) === score ? 0 : -1}
          onClick={() => {
            chosen.value = score;
          }}
        >
          {format.format(score)}
        </button>
      ))}
    </div>
  );
}
