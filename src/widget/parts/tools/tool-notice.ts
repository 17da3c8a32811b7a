import { effect, type Signal, signal } from '@preact/signals-core';
import type { PanelModel } from '../../panel/model/panel-model.ts';

const notices = new WeakMap<PanelModel, Signal<string>>();

/**
 * Returns a panel's sentence about a tool, which is shown above the field until the text in it changes; empty for none.
 */
export function toolNoticeOf(model: PanelModel): Signal<string> {
  const known = notices.get(model);
  if (known) return known;
  const notice = signal('');
  notices.set(model, notice);
  effect(() => {
    model.chat.unsent.value;
    notice.value = '';
  });
  return notice;
}
