import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { usePanel } from '../panel-model.ts';
import { fill } from '../strings/fill.ts';
import { ENGLISH, selectSurveyTexts } from './survey-texts.ts';

const SCORES = [1, 2, 3, 4, 5] as const;

/** Asks how the conversation was, and thanks for the answer. */
export function Survey(): VNode | null {
  const { chat } = usePanel();
  switch (chat.survey.value?.status) {
    case 'open':
      return <Question />;
    case 'rated':
      return <Thanks />;
    default:
      return null;
  }
}

function Question(): VNode | null {
  const { chat, locale, direction, focusComposer } = usePanel();
  const texts = selectSurveyTexts(locale.value);
  const scale = useRef<HTMLDivElement>(null);
  const chosen = useSignal<number | null>(null);
  const survey = chat.survey.value;
  if (!survey) return null;
  // What a platform asks by default it asks in English; the panel has it in its own language. Source: TBD-3.
  const title = survey.title === ENGLISH.title ? texts.title : survey.title;
  const question = survey.question === ENGLISH.question ? texts.question : survey.question;
  const format = new Intl.NumberFormat(locale.value);

  // One stop for the tab key; the arrows go round, in the direction in which the scale is read.
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
  const send = () => {
    if (chosen.peek() !== null) chat.answerSurvey(chosen.peek());
  };
  const skip = () => {
    chat.answerSurvey(null);
    focusComposer();
  };
  return (
    <section class="survey" aria-label={title}>
      <h3 class="survey-title" dir="auto">
        {title}
      </h3>
      <p class="survey-question" dir="auto">
        {question}
      </p>
      <div
        class="survey-scale"
        ref={scale}
        role="radiogroup"
        tabIndex={-1}
        aria-label={question}
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
      <div class="survey-ends" aria-hidden="true">
        <span>{texts.low}</span>
        <span>{texts.high}</span>
      </div>
      <div class="survey-actions">
        <button type="button" class="button quiet" onClick={skip}>
          {texts.skip}
        </button>
        <button type="button" class="button primary" aria-disabled={chosen.value === null} onClick={send}>
          {texts.send}
        </button>
      </div>
    </section>
  );
}

function Thanks(): VNode | null {
  const { locale, isOpen } = usePanel();
  const line = useRef<HTMLParagraphElement>(null);
  // Takes over the focus of the button that is gone, which has it said aloud.
  useLayoutEffect(() => {
    if (isOpen.peek()) line.current?.focus();
  }, [isOpen]);
  return (
    <p class="survey-thanks" ref={line} tabIndex={-1}>
      {selectSurveyTexts(locale.value).thanks}
    </p>
  );
}
