import type { ComponentChildren, VNode } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../button.tsx';

/** A dialog, open for as long as it is rendered. Escape closes it, and the focus goes back to where it was. */
export function Dialog({
  title,
  isTitleHidden = false,
  className = '',
  onClose,
  children,
}: {
  title: string;
  isTitleHidden?: boolean;
  className?: string;
  onClose: () => void;
  children: ComponentChildren;
}): VNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  // During the rendering, so that an immediate Escape finds the dialog open.
  useLayoutEffect(() => {
    const element = dialog.current;
    const before = document.activeElement;
    element?.showModal();
    return () => {
      element?.close();
      // Browsers restore the focus when a dialog is closed, but not when it is removed with the focus in it.
      if (before instanceof HTMLElement && document.activeElement === document.body) before.focus();
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does the same
    <dialog
      ref={dialog}
      class={`dialog ${className}`}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        // The backdrop is part of the element.
        if (event.target === event.currentTarget) onClose();
      }}
    >
      <div class="dialog-body">
        <h2 id={id} class={isTitleHidden ? 'unseen' : undefined}>
          {title}
        </h2>
        {children}
      </div>
    </dialog>
  );
}

/** Asks for confirmation before an action that cannot be undone. Shows the error if the action fails. */
export function ConfirmDialog({
  title,
  confirmLabel,
  onConfirm,
  onClose,
  children,
}: {
  title: string;
  confirmLabel: string;
  /** Closes the dialog when it resolves. */
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
  children: ComponentChildren;
}): VNode {
  const [state, setState] = useState<{ isBusy: boolean; problem: string | null }>({
    isBusy: false,
    problem: null,
  });
  const confirm = async (): Promise<void> => {
    setState({ isBusy: true, problem: null });
    try {
      await onConfirm();
      onClose();
    } catch (error) {
      setState({ isBusy: false, problem: error instanceof Error ? error.message : String(error) });
    }
  };
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      {state.problem !== null && <p role="alert">{state.problem}</p>}
      <div class="dialog-actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="danger" isBusy={state.isBusy} onClick={() => void confirm()}>
          {confirmLabel}
        </Button>
      </div>
    </Dialog>
  );
}
