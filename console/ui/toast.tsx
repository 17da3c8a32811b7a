import { signal } from '@preact/signals';
import type { VNode } from 'preact';
import { Button } from './button.tsx';

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly tone: 'good' | 'danger';
}

const SHOWN_MS = 6_000;
const toasts = signal<readonly Toast[]>([]);
let lastId = 0;

/** Shows an event in a corner. Bad news stays until it is dismissed. */
export function showToast(text: string, tone: Toast['tone'] = 'good'): void {
  lastId += 1;
  const id = lastId;
  toasts.value = [...toasts.value, { id, text, tone }];
  if (tone === 'good') setTimeout(() => dismiss(id), SHOWN_MS);
}

/** Runs an action, and shows a toast if it fails. Resolves with whether it succeeded. */
export async function tryTo(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    showToast(error instanceof Error ? error.message : String(error), 'danger');
    return false;
  }
}

function dismiss(id: number): void {
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
}

/** Where toasts appear; once on a page. */
export function Toasts(): VNode {
  return (
    <div class="toasts" role="status">
      {toasts.value.map(({ id, text, tone }) => (
        <p key={id} class="toast" data-tone={tone}>
          <span class="grow">{text}</span>
          <Button kind="plain" icon="close" aria-label={`Dismiss: ${text}`} onClick={() => dismiss(id)} />
        </p>
      ))}
    </div>
  );
}
