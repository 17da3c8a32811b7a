import type { ComponentChildren, TargetedSubmitEvent, VNode } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from '../button.tsx';
import { Dialog } from './dialog.tsx';

/** A form in a dialog. Shows the error if sending fails; its opener closes it. */
export function FormDialog({
  title,
  submitLabel,
  onSubmit,
  onClose,
  children,
}: {
  title: string;
  submitLabel: string;
  onSubmit: (form: FormData) => Promise<unknown>;
  onClose: () => void;
  children: ComponentChildren;
}): VNode {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const submit = async (event: TargetedSubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setBusy(true);
    setProblem(null);
    try {
      await onSubmit(form);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
      setBusy(false);
    }
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form class="dialog-form" onSubmit={(event) => void submit(event)}>
        {children}
        {problem !== null && <p role="alert">{problem}</p>}
        <div class="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="main" isBusy={isBusy}>
            {submitLabel}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
