import { useComputed, useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { type Command, commands } from './commands.ts';
import { Dialog } from './dialog.tsx';

const MAX_SHOWN = 50;

/** The command palette: a field, and below it the commands that have what is written in their names. */
export function Palette({ onClose }: { onClose: () => void }): VNode {
  const text = useSignal('');
  const at = useSignal(0);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const found = useComputed(() => findCommands(commands.value, text.value));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the chosen one is shown
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [at.value]);
  const run = (command: Command | undefined): void => {
    if (command === undefined) return;
    onClose();
    // When the palette is gone, so that the command can move the focus.
    setTimeout(command.run);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const { length } = found.value;
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: length - 1 };
    const step = steps[event.key];
    if (event.key === 'Enter') run(found.value[at.value]);
    else if (step !== undefined && length > 0) at.value = (at.value + step) % length;
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title="Commands" isTitleHidden className="palette" onClose={onClose}>
      <input
        type="text"
        role="combobox"
        aria-label="Search for a view or an action"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={found.value.length === 0 ? undefined : `${id}-${at.value}`}
        aria-autocomplete="list"
        placeholder="Go to, or do …"
        autocomplete="off"
        value={text.value}
        onInput={({ currentTarget }) => {
          text.value = currentTarget.value;
          at.value = 0;
        }}
        onKeyDown={onKeyDown}
      />
      <div ref={list} class="palette-list" role="listbox" id={id} aria-label="Commands">
        {found.value.map((command, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above handles the keys
          // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field
          <div
            key={`${command.group} ${command.name}`}
            role="option"
            id={`${id}-${index}`}
            aria-selected={index === at.value}
            onClick={() => run(command)}
          >
            <span class="grow">{command.name}</span>
            <small>{command.group}</small>
          </div>
        ))}
      </div>
      {found.value.length === 0 && <p class="quiet">No command has that in its name.</p>}
    </Dialog>
  );
}

/** The commands whose names have every word of a text. */
function findCommands(all: readonly Command[], text: string): readonly Command[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return all
    .filter(({ name, group }) => words.every((word) => `${name} ${group}`.toLowerCase().includes(word)))
    .slice(0, MAX_SHOWN);
}
