import type { Signal } from '@preact/signals-core';
import type { VNode } from 'preact';
import { useLazyPart, usePanel } from '../model/panel-model.ts';
import { copyText } from '../page/copy-text.ts';
import type { ExportForm } from '../save/index.ts';
import { MenuItem } from './menu-item.tsx';

const FORMATS: readonly (readonly [format: ExportForm, label: string])[] = [
  ['text', 'TXT'],
  ['html', 'HTML'],
  ['json', 'JSON'],
];

interface SaveItemsProps {
  /** Set when the code that saves could not be loaded; the menu stays open so that the visitor can try again. */
  readonly hasFailed: Signal<boolean>;
  readonly onClose: () => void;
}

/** Entries that copy, save and print the conversation; null while it is empty. */
export function SaveItems({ hasFailed, onClose }: SaveItemsProps): VNode | null {
  const model = usePanel();
  const { chat, strings, parts } = model;
  // Loaded with the menu, because browsers allow copying only shortly after the click.
  useLazyPart(parts.save);
  if (chat.messages.value.length === 0) return null;

  const loadSave = async () => {
    const code = await parts.save.load();
    hasFailed.value = !code;
    return code;
  };
  const copy = async ({ currentTarget }: { readonly currentTarget: Element }) => {
    const code = await loadSave();
    if (code) void copyText(await code.readAsText(model), currentTarget).then(onClose);
  };
  const save =
    (form: ExportForm) =>
    async ({ currentTarget }: { readonly currentTarget: Element }) => {
      const root = currentTarget.getRootNode();
      const code = await loadSave();
      if (!code) return;
      onClose();
      code.exportConversation(form, model, root).catch(reportError);
    };
  return (
    <>
      <MenuItem onClick={copy}>{strings.value.menuCopy}</MenuItem>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset has no place in a menu */}
      <div class="menu-row" role="group" aria-label={strings.value.menuSave}>
        <span aria-hidden="true">{strings.value.menuSave}</span>
        {FORMATS.map(([format, label]) => (
          <MenuItem key={format} onClick={save(format)}>
            {label}
          </MenuItem>
        ))}
      </div>
      <MenuItem onClick={save('print')}>{strings.value.menuPrint}</MenuItem>
    </>
  );
}
