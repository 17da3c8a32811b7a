import type { Signal } from '@preact/signals-core';
import type { VNode } from 'preact';
import { useLazyPart, usePanel } from '../../panel/model/panel-model.ts';

/** The switch of the notification sound. `hasFailed` is set when its code could not be loaded. */
export function SoundItem({ hasFailed }: { readonly hasFailed: Signal<boolean> }): VNode {
  const model = usePanel();
  const hasSound = useLazyPart(model.parts.notifications)?.soundSettingOf(model).value ?? false;
  const toggle = async () => {
    const code = await model.parts.notifications.load();
    hasFailed.value = !code;
    code?.toggleSound(model);
  };
  return (
    <button type="button" role="menuitemcheckbox" tabIndex={-1} aria-checked={hasSound} onClick={toggle}>
      <span>{model.strings.value.menuSound}</span>
      <i class="switch" />
    </button>
  );
}
