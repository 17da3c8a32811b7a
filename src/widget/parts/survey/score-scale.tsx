import type { VNode } from 'preact';
import { Icon } from '../../icons.tsx';
import { fill } from '../../locales/fill.ts';
import { usePanel } from '../../panel/model/panel-model.ts';
import { SURVEY_TEXTS } from './survey-texts.ts';

const STAR = 'M12 3.5l2.6 5.6 6.1.7-4.5 4.2 1.2 6L12 17l-5.4 3 1.2-6-4.5-4.2 6.1-.7z';
const HEAD = 'M12 3a9 9 0 10.01 0zM9 9.8v.6m6-.6v.6';
/** Paths of the mouths, from the lowest score to the highest. */
const MOUTHS = [
  'M8.3 16.6q3.7-3.8 7.4 0',
  'M8.5 16.2q3.5-2 7 0',
  'M8.5 15.6h7',
  'M8.5 15q3.5 2.4 7 0',
  'M7.8 14.2q4.2 5.4 8.4 0',
] as const;

interface ScoreScaleProps {
  readonly label: string;
  readonly kind: 'faces' | 'stars';
  /** The chosen score; `null` before the choice. */
  readonly chosen: number | null;
  readonly onChoose: (score: number) => void;
}

/** Five buttons, each of which gives a score from 1 to 5. */
export function ScoreScale({ label, kind, chosen, onChoose }: ScoreScaleProps): VNode {
  const { locale, partTexts } = usePanel();
  const texts = partTexts('survey', SURVEY_TEXTS);
  const format = new Intl.NumberFormat(locale.value);
  const nameOf = (score: number): string => {
    const name = fill(texts.score, { score: format.format(score) });
    const end = { 1: texts.low, 5: texts.high }[score];
    return end ? `${name}, ${end}` : name;
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is named by a legend, which would stand beside the question
    <div class={`survey-scale ${kind}`} role="group" aria-label={label}>
      {MOUTHS.map((mouth, index) => {
        const score = index + 1;
        return (
          <button
            key={score}
            type="button"
            class="survey-score"
            aria-pressed={chosen === score}
            aria-label={nameOf(score)}
            title={nameOf(score)}
            onClick={() => onChoose(score)}
          >
            <Icon path={kind === 'stars' ? STAR : HEAD + mouth} size={34} />
          </button>
        );
      })}
    </div>
  );
}
