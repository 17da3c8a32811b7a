import { useComputed, useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { Dialog } from '../dialogs/dialog.tsx';
import { type Command, commands } from './commands.ts';
import { type Find, useFound } from './use-found.ts';

const MAX_SHOWN = 50;

/**
 * The command palette: a field, and below it the commands whose names contain the text, then what `find` finds for it.
 */
export function Palette({ find, onClose }: { find: Find | null; onClose: () => void }): VNode {
  const text = useSignal('');
  const at = useSignal(0);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const found = useFound(text, find);
  const shown = useComputed(() => [...findCommands(commands.value, text.value), ...found.value.commands]);
  const chosen = Math.min(at.value, shown.value.length - 1);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the chosen one is shown
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
  const run = (command: Command | undefined): void => {
    if (command === undefined) return;
    onClose();
    // After the palette is removed, so that the command can move the focus.
    setTimeout(command.run);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const { length } = shown.value;
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: length - 1 };
    const step = steps[event.key];
    if (event.key === 'Enter') run(shown.value[chosen]);
    else if (step !== undefined && length > 0) at.value = (chosen + step) % length;
    else return;
    event.preventDefault();
  };
  const { status, problem } = found.value;
  return (
    <Dialog title="Commands" isTitleHidden className="palette" onClose={onClose}>
      <input
        type="text"
        role="combobox"
        aria-label={find === null ? 'Search pages and actions' : 'Search pages, actions and conversations'}
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={shown.value.length === 0 ? undefined : `${id}-${chosen}`}
        aria-autocomplete="list"
        placeholder={
          find === null ? 'Type a command or page …' : 'Text, visitor, tag or ID; a page or action …'
        }
        autocomplete="off"
        value={text.value}
        onInput={({ currentTarget }) => {
          text.value = currentTarget.value;
          at.value = 0;
        }}
        onKeyDown={onKeyDown}
      />
      <div ref={list} class="palette-list" role="listbox" id={id} aria-label="Commands">
        {shown.value.map((command, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above handles the keys
          // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field
          <div
            key={command.id ?? `${command.group} ${command.name}`}
            role="option"
            id={`${id}-${index}`}
            aria-selected={index === chosen}
            onClick={() => run(command)}
          >
            <span class="grow">
              <span dir="auto">{command.name}</span>
              {command.detail !== undefined && <small>{command.detail}</small>}
            </span>
            <small>{command.group}</small>
          </div>
        ))}
      </div>
      <p class="quiet palette-status" role="status">
        {status === 'searching' && 'Searching …'}
        {status !== 'searching' && status !== 'failed' && shown.value.length === 0 && 'No results'}
      </p>
      {status === 'failed' && <p role="alert">Couldn’t search the conversations. Try again. {problem}</p>}
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
