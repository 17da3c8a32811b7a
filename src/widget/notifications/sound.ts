import { type Signal, signal } from '@preact/signals-core';
import { retryImport } from '../../client/index.ts';
import type { PanelModel } from '../panel-model.ts';

/** Under this name the site's storage holds that the visitor has turned the sound on, and nothing when it is off. */
const NAME = 'natter-sound';

const sounds = new WeakMap<PanelModel, Signal<boolean>>();

/** Whether a tone tells the visitor of a panel what comes in while nobody looks; the menu has the switch. */
export function soundSettingOf(model: PanelModel): Signal<boolean> {
  const known = sounds.get(model) ?? signal(openStorage()?.getItem(NAME) === 'on');
  sounds.set(model, known);
  return known;
}

/** Turns the tone on or off, in a click, for all tabs of the site; nothing is stored before there is a choice. */
export function toggleSound(model: PanelModel): void {
  const hasSound = soundSettingOf(model);
  hasSound.value = !hasSound.peek();
  if (hasSound.peek()) {
    openStorage()?.setItem(NAME, 'on');
    // So that one knows what it will be; this click is also what lets the page be heard.
    playSound();
  } else openStorage()?.removeItem(NAME);
}

/** Follows what is chosen in another tab. Returns what stops that. */
export function watchSoundSetting(hasSound: Signal<boolean>): () => void {
  const onStorage = ({ key, newValue }: StorageEvent): void => {
    if (key === NAME) hasSound.value = newValue === 'on';
  };
  addEventListener('storage', onStorage);
  return () => removeEventListener('storage', onStorage);
}

/** Plays the tone, in one tab of the site. A part that cannot be fetched is a message without a sound. */
export function playSound(): void {
  retryImport(() => import('../tone/play-tone.ts'))
    .then(({ playTone }) => playTone())
    .catch(reportError);
}

function openStorage(): Storage | null {
  try {
    return localStorage;
  } catch {
    // Storage is blocked: the choice holds as long as the page.
    return null;
  }
}
