import { effect, type Signal, signal } from '@preact/signals-core';
import type { PanelModel } from '../panel-model.ts';

/** Under this name the site's storage holds that the visitor has turned the sound on, and nothing when it is off. */
const NAME = 'natter-sound';

const sounds = new WeakMap<PanelModel, Signal<boolean>>();

/** Whether a tone tells the visitor of a panel what comes in while nobody looks; the menu has the switch. */
export function soundOf(model: PanelModel): Signal<boolean> {
  const known = sounds.get(model) ?? signal(false);
  sounds.set(model, known);
  return known;
}

/** Remembers the visitor's choice in all tabs of the site; nothing is stored before there is one. */
export function rememberSound(hasSound: Signal<boolean>): () => void {
  const store = openStorage();
  hasSound.value = store?.getItem(NAME) === 'on';
  const onStorage = ({ key, newValue }: StorageEvent): void => {
    if (key === NAME) hasSound.value = newValue === 'on';
  };
  addEventListener('storage', onStorage);
  const stop = effect(() => {
    if (hasSound.value) store?.setItem(NAME, 'on');
    else store?.removeItem(NAME);
  });
  return () => {
    removeEventListener('storage', onStorage);
    stop();
  };
}

function openStorage(): Storage | null {
  try {
    return localStorage;
  } catch {
    // Storage is blocked: the choice holds as long as the page.
    return null;
  }
}
