import type { VNode } from 'preact';
import { Button } from '../button.tsx';
import { Dialog } from '../dialogs/dialog.tsx';

/** The keys of one place, each with its effect. */
export interface Shortcuts {
  readonly place: string;
  readonly keys: readonly (readonly [keys: readonly string[], does: string])[];
}

/** All keyboard shortcuts, by the place where they work. */
export function ShortcutsDialog({
  shortcuts,
  onClose,
}: {
  shortcuts: readonly Shortcuts[];
  onClose: () => void;
}): VNode {
  return (
    <Dialog title="Keyboard shortcuts" className="shortcuts" onClose={onClose}>
      {shortcuts.map(({ place, keys }) => (
        <section key={place}>
          <h3>{place}</h3>
          <dl>
            {keys.map(([pressed, does]) => (
              <div key={does}>
                <dt>{does}</dt>
                <dd>
                  {pressed.map((key) => (
                    <kbd key={key}>{key}</kbd>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <div class="dialog-actions">
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}
