import { computed, effect, signal } from '@preact/signals-core';
import type { PanelModel } from '../panel-model.ts';
import { coverVisibleArea } from './cover-visible-area.ts';
import { rememberSound, soundOf } from './sound-setting.ts';
import { createTitleNotice } from './title-notice.ts';

/** Time for the tab that the visitor looks at to say that a message was read, before the others make a sound. */
const SETTLED_MS = 400;

/**
 * Keeps the sheet of a small screen over what is visible of it, and tells the visitor who is elsewhere of what has come in: by the page's title while its tab is hidden, and by a tone,
 * if wanted, while it is hidden or the panel is closed. Returns what ends it and gives the title back.
 */
export function attend(model: PanelModel, frame: HTMLElement): () => void {
  const { chat, isOpen, layout, locale } = model;
  const hasSound = soundOf(model);
  const isHidden = signal(document.hidden);
  const onVisibility = (): void => {
    isHidden.value = document.hidden;
  };
  document.addEventListener('visibilitychange', onVisibility);
  const title = createTitleNotice();
  let heard = chat.unread.peek();
  const stops = [
    rememberSound(hasSound),
    coverVisibleArea(
      frame,
      computed(() => isOpen.value && layout.value === 'sheet'),
    ),
    effect(() => {
      const { value: unread } = chat.unread;
      const isNoted = isHidden.value && unread > 0;
      title.show(isNoted ? `(${new Intl.NumberFormat(locale.value).format(unread)}) ` : '');
    }),
    effect(() => {
      const { value: unread } = chat.unread;
      const isNews = unread > heard;
      heard = unread;
      if (!isNews || !hasSound.peek() || (isOpen.peek() && !document.hidden)) return;
      const timer = setTimeout(sound, SETTLED_MS);
      return () => clearTimeout(timer);
    }),
  ];
  return () => {
    document.removeEventListener('visibilitychange', onVisibility);
    for (const stop of stops) stop();
    title.dispose();
  };
}

/** Plays the tone, in one tab of the site. A part that cannot be fetched is a message without a sound. */
export function sound(): void {
  import('../tone/play-tone.ts').then(({ playTone }) => playTone()).catch(reportError);
}
