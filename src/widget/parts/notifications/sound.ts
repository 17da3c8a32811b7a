import { type Signal, signal } from '@preact/signals-core';
import { retryImport } from '../../../client/index.ts';
import type { PanelModel } from '../../panel/model/panel-model.ts';

/** Storage key of the setting: `on`, or absent when the sound is off. */
const NAME = 'natter-sound';

const sounds = new WeakMap<PanelModel, Signal<boolean>>();

/** Returns whether the visitor of a panel has enabled the notification sound. The menu has the switch. */
export function soundSettingOf(model: PanelModel): Signal<boolean> {
  const known = sounds.get(model) ?? signal(openStorage()?.getItem(NAME) === 'on');
  sounds.set(model, known);
  return known;
}

/** Enables or disables the sound for all tabs of the site. Call it in a click handler. */
export function toggleSound(model: PanelModel): void {
  const hasSound = soundSettingOf(model);
  hasSound.value = !hasSound.peek();
  if (hasSound.peek()) {
    openStorage()?.setItem(NAME, 'on');
    // Plays it once as a sample. Browsers allow sound only after a click like this one.
    playSound();
  } else openStorage()?.removeItem(NAME);
}

/** Forgets the setting, in all tabs of the site. */
export function forgetSound(model: PanelModel): void {
  if (soundSettingOf(model).peek()) toggleSound(model);
}

/** Applies changes of the setting from other tabs. Returns a function that stops it. */
export function watchSoundSetting(hasSound: Signal<boolean>): () => void {
  const onStorage = ({ key, newValue }: StorageEvent): void => {
    if (key === NAME) hasSound.value = newValue === 'on';
  };
  addEventListener('storage', onStorage);
  return () => removeEventListener('storage', onStorage);
}

/** Plays the sound in one tab of the site. If its code cannot be loaded, there is no sound. */
export function playSound(): void {
  retryImport(() => import('../tone/play-tone.ts'))
    .then(({ playTone }) => playTone())
    .catch(reportError);
}

function openStorage(): Storage | null {
  try {
    return localStorage;
  } catch {
    // Storage is blocked: the setting lasts until the page is closed.
    return null;
  }
}
