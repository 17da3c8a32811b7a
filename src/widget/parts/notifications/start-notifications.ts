import { effect, signal } from '@preact/signals-core';
import { pageDocument } from '../../dom/page-document.ts';
import type { PanelModel } from '../../panel/model/panel-model.ts';
import { playSound, soundSettingOf, watchSoundSetting } from './sound.ts';
import { createTitleNotice } from './title-notice.ts';

/** Delay before the sound, in which a visible tab can report the message as read. */
const SETTLED_MS = 400;

/**
 * Notifies a visitor who is elsewhere of new messages: with the page's title while the tab is hidden, and with a sound, if
 * enabled, while the tab is hidden or the panel is closed. Returns a function that stops it and restores the title.
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
  // From 0, because messages that came while this code loaded are new too.
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
