import { useComputed } from '@preact/signals';
import type { VNode } from 'preact';
import { Avatar } from '../avatar.tsx';
import { usePanel } from '../model/panel-model.ts';

/** The greeting of an empty conversation; the site's own stays above the conversation. */
export function WelcomeMessage({ isAtStart }: { readonly isAtStart: boolean }): VNode | null {
  const { entries, options, strings } = usePanel();
  const isEmpty = useComputed(() => !entries.value.some(({ value }) => value.kind !== 'system'));
  const { welcome } = options.value;
  if (!(welcome ? isAtStart : isEmpty.value)) return null;
  return (
    <div class="intro">
      <Avatar />
      <p class="intro-title" dir="auto">
        {welcome || strings.value.greeting}
      </p>
    </div>
  );
}
