import { useSignal, useSignalEffect } from '@preact/signals';
import type { VNode } from 'preact';
import { copyText } from './copy-text.ts';
import { CHECK, COPY, Icon } from './icons.tsx';
import { usePanel } from './panel-model.ts';

const CONFIRM_MS = 1_600;

/** A small button that copies and, for a moment, says so. */
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

/** Copies words that could not be sent, so that they are not lost with the chat. */
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
