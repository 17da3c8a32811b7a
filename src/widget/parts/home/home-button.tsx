import type { VNode } from 'preact';
import { Icon } from '../../icons.tsx';
import { usePanel } from '../../panel/model/panel-model.ts';
import { HOME_TEXTS } from './home-texts.ts';

const HOME = 'M4.5 10.5L12 4l7.5 6.5V20h-5v-6h-5v6h-5z';

/** In the header of the conversation: leads to the home screen. */
export function HomeButton(): VNode {
  const { partTexts, screen, goHome } = usePanel();
  const show = () => {
    screen.value = null;
    goHome();
  };
  return (
    <button
      type="button"
      class="icon-button home-button"
      aria-label={partTexts('home', HOME_TEXTS).home}
      onClick={show}
    >
      <Icon path={HOME} />
    </button>
  );
}
