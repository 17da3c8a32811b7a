import type { ComponentChildren, VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from '../../icons.tsx';
import { usePanel } from '../../panel/model/panel-model.ts';
import { HOME_TEXTS } from './home-texts.ts';

const BACK = 'M14.5 6l-6 6 6 6';

/** In place of the home screen: something to read, with a way back. The focus is on its title. */
export function ReadingScreen(props: {
  readonly title: string;
  /** Below the title. */
  readonly subtitle: ComponentChildren;
  /** Leads back to the home screen. */
  readonly onBack: () => void;
  readonly children: ComponentChildren;
  readonly footer: ComponentChildren;
}): VNode {
  const { title, subtitle, onBack, children, footer } = props;
  const texts = usePanel().partTexts('home', HOME_TEXTS);
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => heading.current?.focus(), []);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.isComposing) return;
    // Escape leads back to the home screen, not out of the chat.
    event.stopPropagation();
    onBack();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: takes Escape before the panel does
    <div class="past-screen" onKeyDown={onKeyDown}>
      <div class="past-head">
        <button type="button" class="icon-button" aria-label={texts.back} onClick={onBack}>
          <Icon path={BACK} />
        </button>
        <div>
          <h3 ref={heading} id="past-screen-title" tabIndex={-1} dir="auto">
            {title}
          </h3>
          <p>{subtitle}</p>
        </div>
      </div>
      <section
        class="past-body"
        aria-labelledby="past-screen-title"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable from the keyboard
        tabIndex={0}
      >
        {children}
      </section>
      <div class="footer">{footer}</div>
    </div>
  );
}
