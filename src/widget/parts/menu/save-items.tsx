import type { Signal } from '@preact/signals-core';
import type { VNode } from 'preact';
import { copyText } from '../../dom/copy-text.ts';
import { Icon } from '../../icons.tsx';
import { useLazyPart, usePanel } from '../../panel/model/panel-model.ts';
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

/** Loads the code that saves when the menu opens, because browsers allow copying only shortly after the click. */
function useSave({ hasFailed, onClose }: SaveItemsProps) {
  const model = usePanel();
  const { parts } = model;
  useLazyPart(parts.save);
  const load = async () => {
    const code = await parts.save.load();
    hasFailed.value = !code;
    return code;
  };
  const copy = async ({ currentTarget }: { readonly currentTarget: Element }) => {
    const code = await load();
    if (code) void copyText(await code.readAsText(model), currentTarget).then(onClose);
  };
  const save =
    (form: ExportForm) =>
    async ({ currentTarget }: { readonly currentTarget: Element }) => {
      const root = currentTarget.getRootNode();
      const code = await load();
      if (!code) return;
      onClose();
      code.exportConversation(form, model, root).catch(reportError);
    };
  return { copy, save };
}

/** Entries that copy, save and print the transcript; null while it is empty. `onChoose` shows the formats of files. */
export function SaveItems(props: SaveItemsProps & { readonly onChoose: () => void }): VNode | null {
  const { entries, strings } = usePanel();
  const { copy, save } = useSave(props);
  if (entries.value.length === 0) return null;
  return (
    <>
      <MenuItem onClick={copy}>{strings.value.menuCopy}</MenuItem>
      <button type="button" role="menuitem" tabIndex={-1} aria-haspopup="menu" onClick={props.onChoose}>
        {strings.value.menuSave}
      </button>
      <MenuItem onClick={save('print')}>{strings.value.menuPrint}</MenuItem>
    </>
  );
}

const BACK = 'M14.5 6l-6 6 6 6';

/** The formats of the file, in place of the other entries of the menu, and the way back to these. */
export function FormatItems(props: SaveItemsProps & { readonly onBack: () => void }): VNode {
  const { strings } = usePanel();
  const { save } = useSave(props);
  return (
    <>
      <p class="menu-title" aria-hidden="true">
        {strings.value.menuSave}
      </p>
      {FORMATS.map(([format, label]) => (
        <MenuItem key={format} onClick={save(format)}>
          {label}
        </MenuItem>
      ))}
      <MenuItem className="menu-back" onClick={props.onBack}>
        <Icon path={BACK} size={16} />
        {strings.value.menu}
      </MenuItem>
    </>
  );
}
