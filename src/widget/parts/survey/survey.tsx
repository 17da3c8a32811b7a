import type { Signal } from '@preact/signals';
import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Survey as OpenSurvey } from '../../../client/index.ts';
import { usePanel } from '../../panel/model/panel-model.ts';
import { ScoreScale } from './score-scale.tsx';
import { SURVEY_TEXTS, type SurveyTexts } from './survey-texts.ts';
import { useHeldAnswer } from './use-held-answer.ts';

/** In UTF-8 less than the 1,024 bytes that a value of the custom map may have. Source: MET-2. */
const MAX_COMMENT_CHARACTERS = 300;

/** The survey after a conversation, and the thanks for its answer. */
export function Survey(): VNode | null {
  const { chat } = usePanel();
  const survey = chat.survey.value;
  switch (survey?.status) {
    case 'open':
      return <Question survey={survey} />;
    case 'rated':
      return <Thanks />;
    default:
      return null;
  }
}

function Question({ survey }: { survey: OpenSurvey }): VNode {
  const { chat, partTexts, focusComposer } = usePanel();
  const texts = partTexts('survey', SURVEY_TEXTS);
  const section = useRef<HTMLElement>(null);
  const { score, comment, choose, send } = useHeldAnswer(survey, section);
  // Platforms send their default texts in English; the panel shows them in its own language. Source: TBD-3.
  const title = survey.title === SURVEY_TEXTS.en.title ? texts.title : survey.title;
  const question = survey.question === SURVEY_TEXTS.en.question ? texts.question : survey.question;
  const isRated = score.value !== null;
  const skip = () => {
    chat.answerSurvey(null);
    focusComposer();
  };
  return (
    <section class="survey" ref={section} aria-label={title}>
      <div class="survey-head">
        <h3 class="survey-title" dir="auto">
          {title}
        </h3>
        {!isRated && (
          <button type="button" class="text-button" onClick={skip}>
            {texts.skip}
          </button>
        )}
      </div>
      <p class="survey-question" dir="auto" role="status">
        {isRated ? texts.thanks : question}
      </p>
      <ScoreScale label={question} kind={survey.scale} chosen={score.value} onChoose={choose} />
      {isRated ? (
        <Comment texts={texts} comment={comment} onSend={send} />
      ) : (
        <div class="survey-ends" aria-hidden="true">
          <span>{texts.low}</span>
          <span>{texts.high}</span>
        </div>
      )}
    </section>
  );
}

function Comment(props: {
  readonly texts: SurveyTexts;
  readonly comment: Signal<string>;
  readonly onSend: () => void;
}): VNode {
  const { texts, comment, onSend } = props;
  return (
    <form
      class="survey-comment"
      onSubmit={(event) => {
        event.preventDefault();
        onSend();
      }}
    >
      <textarea
        rows={2}
        // An empty field shows its placeholder, which has the direction of the panel.
        dir={comment.value ? 'auto' : undefined}
        maxLength={MAX_COMMENT_CHARACTERS}
        aria-label={texts.comment}
        placeholder={texts.comment}
        onInput={({ currentTarget }) => {
          comment.value = currentTarget.value;
        }}
      />
      <button type="submit" class="button primary">
        {texts.send}
      </button>
    </form>
  );
}

function Thanks(): VNode | null {
  const { partTexts, isOpen } = usePanel();
  const line = useRef<HTMLParagraphElement>(null);
  // The pressed button is removed, and with it the focus. The line takes the focus, so that screen readers read it.
  useLayoutEffect(() => {
    const root = line.current?.getRootNode();
    const isFocused = root instanceof ShadowRoot && root.activeElement?.closest('.composer');
    if (isOpen.peek() && !isFocused) line.current?.focus();
  }, [isOpen]);
  return (
    <p class="survey-thanks" ref={line} tabIndex={-1}>
      {partTexts('survey', SURVEY_TEXTS).thanks}
    </p>
  );
}
