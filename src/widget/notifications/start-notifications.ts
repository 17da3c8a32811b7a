import { effect, signal } from '@preact/signals-core';
import { pageDocument } from '../page-document.ts';
import type { PanelModel } from '../panel-model.ts';
import { playSound, soundSettingOf, watchSoundSetting } from './sound.ts';
import { createTitleNotice } from './title-notice.ts';

/** Time for the tab that the visitor looks at to say that a message was read, before the others make a sound. */
const SETTLED_MS = 400;

/**
 * Tells the visitor who is elsewhere of what comes in: by the page's title while its tab is hidden, and by a tone, if
 * wanted, while it is hidden or the panel is closed. Returns what ends it and gives the title back.
 */
export function startNotifications(model: PanelModel): () => void {
  const { chat, isOpen, locale } = model;
  const hasSound = soundSettingOf(model);
  const isHidden = signal(pageDocument.hidden);
  const onVisibility = (): void => {
    isHidden.value = pageDocument.hidden;
  };
  pageDocument.addEventListener('visibilitychange', onVisibility);
  const title = createTitleNotice();
  // What came before this code did is news still.
  let notifiedCount = 0;
  const stops = [
    watchSoundSetting(hasSound),
    effect(() => {
      const { value: unread } = chat.unread;
      const isNoted = isHidden.value && unread > 0;
      title.show(isNoted ? `(${new Intl.NumberFormat(locale.value).format(unread)}) ` : '');
    }),
    effect(() => {
      const { value: unread } = chat.unread;
      const isNews = unread > notifiedCount;
      notifiedCount = unread;
      if (!isNews || !hasSound.peek() || (isOpen.peek() && !pageDocument.hidden)) return;
      const timer = setTimeout(playSound, SETTLED_MS);
      return () => clearTimeout(timer);
    }),
  ];
  return () => {
    pageDocument.removeEventListener('visibilitychange', onVisibility);
    for (const stop of stops) stop();
    title.dispose();
  };
}
