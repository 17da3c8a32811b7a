import type { ComponentChildren, VNode } from 'preact';
import { Button } from '../button.tsx';
import { showToast, tryTo } from '../toast.tsx';
import { Dialog } from './dialog.tsx';

/** Shows a password, key or token the only time that it is shown. */
export function SecretDialog({
  title,
  secret,
  onClose,
  children,
}: {
  title: string;
  secret: string;
  onClose: () => void;
  /** Its purpose, and that it is shown only once. */
  children: ComponentChildren;
}): VNode {
  const copy = (): Promise<boolean> =>
    tryTo(async () => {
      await navigator.clipboard.writeText(secret);
      showToast('Copied');
    });
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{children}</p>
      <p>
        <code class="secret">{secret}</code>
      </p>
      <div class="dialog-actions">
        <Button onClick={() => void copy()}>Copy</Button>
        <Button kind="main" onClick={onClose}>
          Done
        </Button>
      </div>
    </Dialog>
  );
}
