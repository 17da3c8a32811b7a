import { useComputed } from '@preact/signals';
import type { VNode } from 'preact';
import { Avatar } from '../avatar.tsx';
import { usePanel } from '../model/panel-model.ts';

/** The greeting of an empty conversation. */
export function WelcomeMessage(): VNode | null {
  const { entries, options, strings } = usePanel();
  const isEmpty = useComputed(() => !entries.value.some(({ value }) => value.kind !== 'system'));
  if (!isEmpty.value) return null;
  const { welcome } = options.value;
  return (
    <div class="intro">
      <Avatar />
      <p class="intro-title" dir="auto">
        {welcome || strings.value.greeting}
      </p>
    </div>
  );
}
