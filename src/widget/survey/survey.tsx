import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { usePanel } from '../model/panel-model.ts';
import { ScoreScale } from './score-scale.tsx';
import { ENGLISH, selectSurveyTexts } from './survey-texts.ts';

/** The survey after a conversation, and the thanks for its answer. */
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
  const { chat, locale, focusComposer } = usePanel();
  const texts = selectSurveyTexts(locale.value);
  const chosen = useSignal<number | null>(null);
  const survey = chat.survey.value;
  if (!survey) return null;
  // Platforms send their default texts in English; the panel shows them in its own language. Source: TBD-3.
  const title = survey.title === ENGLISH.title ? texts.title : survey.title;
  const question = survey.question === ENGLISH.question ? texts.question : survey.question;

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
      <ScoreScale label={question} chosen={chosen} />
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
  // Focused because the pressed button is gone, and so that screen readers read it.
  useLayoutEffect(() => {
    if (isOpen.peek()) line.current?.focus();
  }, [isOpen]);
  return (
    <p class="survey-thanks" ref={line} tabIndex={-1}>
      {selectSurveyTexts(locale.value).thanks}
    </p>
  );
}
