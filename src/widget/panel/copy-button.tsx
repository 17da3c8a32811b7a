import { useSignal, useSignalEffect } from '@preact/signals';
import type { VNode } from 'preact';
import { copyText } from '../dom/copy-text.ts';
import { CHECK, COPY, Icon } from '../icons.tsx';
import { usePanel } from './model/panel-model.ts';

const CONFIRM_MS = 1_600;

/** An icon button that copies a text, and shows a check mark for a moment. */
export function CopyButton({ label, read }: { label: string; read: () => string }): VNode | null {
  const { strings } = usePanel();
  const isCopied = useSignal(false);
  useSignalEffect(() => {
    if (!isCopied.value) return;
    const timer = setTimeout(() => (isCopied.value = false), CONFIRM_MS);
    return () => clearTimeout(timer);
  });
  return (
    <button
      type="button"
      class="copy"
      aria-label={isCopied.value ? strings.value.copied : label}
      onClick={async ({ currentTarget }) => {
        isCopied.value = await copyText(read(), currentTarget);
      }}
    >
      <Icon path={isCopied.value ? CHECK : COPY} size={16} />
    </button>
  );
}

/** Copies a message that could not be sent, so that the visitor can use it elsewhere. */
export function CopyText({ text }: { readonly text: string }): VNode | null {
  const { strings } = usePanel();
  return (
    <button
      type="button"
      class="text-button"
      onClick={({ currentTarget }) => void copyText(text, currentTarget)}
    >
      {strings.value.copy}
    </button>
  );
}
