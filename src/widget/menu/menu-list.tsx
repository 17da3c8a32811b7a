import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { copyText } from '../copy-text.ts';
import { NEW_TAB } from '../markdown/safe-href.ts';
import { pageDocument } from '../page-document.ts';
import { usePanel, usePart } from '../panel-model.ts';
import type { ExportForm } from '../save/index.ts';

const FORMATS: readonly (readonly [format: ExportForm, label: string])[] = [
  ['text', 'TXT'],
  ['html', 'HTML'],
  ['json', 'JSON'],
];

/** The entries of the menu; it has the focus as long as it is open. */
export function MenuList({ onClose }: { onClose: () => void }): VNode | null {
  const model = usePanel();
  const { chat, overlay, strings, contactHref, isOver } = model;
  const hasSound = usePart(model.parts.attention)?.soundOf(model).value ?? false;
  // Fetched with the menu, because browsers allow copying only shortly after the click.
  usePart(model.parts.save);
  const list = useRef<HTMLDivElement>(null);
  const hasFailed = useSignal(false);
  useLayoutEffect(() => {
    items(list.current)[0]?.focus();
    // A click anywhere else, inside the shadow root or on the page, puts the menu away.
    const onPointerDown = (event: Event) => {
      const anchor = list.current?.closest('.menu-anchor');
      if (anchor && !event.composedPath().includes(anchor)) overlay.value = 'none';
    };
    pageDocument.addEventListener('pointerdown', onPointerDown, true);
    return () => pageDocument.removeEventListener('pointerdown', onPointerDown, true);
  }, [overlay]);

  const onKeyDown = (event: KeyboardEvent) => {
    const all = items(list.current);
    const root = list.current?.getRootNode();
    const active = root instanceof ShadowRoot ? root.activeElement : null;
    const index = all.indexOf(active as HTMLElement);
    const forward = model.direction.peek() === 'rtl' ? -1 : 1;
    const step = { ArrowDown: 1, ArrowUp: -1, ArrowRight: forward, ArrowLeft: -forward }[event.key];
    if (step !== undefined) all[(index + step + all.length) % all.length]?.focus();
    else if (event.key === 'Home') all[0]?.focus();
    else if (event.key === 'End') all.at(-1)?.focus();
    else if (event.key === 'Escape' || event.key === 'Tab') onClose();
    else return;
    event.stopPropagation();
    event.preventDefault();
  };

  const hasMessages = chat.messages.value.length > 0;
  const contact = contactHref.value;
  /** When the code that saves cannot be fetched, the menu stays open and says so: the visitor can try again. */
  const loadSave = async () => {
    const code = await model.parts.save.need();
    hasFailed.value = !code;
    return code;
  };
  const copy = async ({ currentTarget }: { readonly currentTarget: Element }) => {
    const code = await loadSave();
    if (code) void copyText(await code.readAsText(model), currentTarget).then(onClose);
  };
  const take = (form: ExportForm) => async () => {
    const root = list.current?.getRootNode();
    const code = await loadSave();
    if (!code || !root) return;
    onClose();
    code.exportConversation(form, model, root).catch(reportError);
  };
  const toggleSound = async () => {
    const code = await model.parts.attention.need();
    hasFailed.value = !code;
    code?.switchSound(model);
  };
  const start = () => {
    onClose();
    void chat.newChat();
  };
  return (
    <div class="menu" part="menu">
      <div
        class="menu-list"
        role="menu"
        tabIndex={-1}
        ref={list}
        onKeyDown={onKeyDown}
        aria-label={strings.value.menu}
      >
        {hasMessages && <MenuItem label={strings.value.menuCopy} onClick={copy} />}
        {hasMessages && (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset has no place in a menu
          <div class="menu-row" role="group" aria-label={strings.value.menuSave}>
            <span aria-hidden="true">{strings.value.menuSave}</span>
            {FORMATS.map(([format, label]) => (
              <MenuItem key={format} label={label} onClick={take(format)} />
            ))}
          </div>
        )}
        {hasMessages && <MenuItem label={strings.value.menuPrint} onClick={take('print')} />}
        <button
          type="button"
          role="menuitemcheckbox"
          tabIndex={-1}
          aria-checked={hasSound}
          onClick={toggleSound}
        >
          <span>{strings.value.menuSound}</span>
          <i class="switch" />
        </button>
        {contact && (
          <a role="menuitem" tabIndex={-1} href={contact} {...NEW_TAB} onClick={onClose}>
            {strings.value.contactUs}
          </a>
        )}
        {isOver.value ? (
          <MenuItem label={strings.value.newChat} onClick={start} />
        ) : (
          <MenuItem label={strings.value.menuEndChat} onClick={() => (overlay.value = 'confirm_end')} />
        )}
      </div>
      {hasFailed.value && (
        <p class="menu-fault" role="alert">
          {strings.value.failedConnection}
        </p>
      )}
    </div>
  );
}

function MenuItem({
  label,
  onClick,
}: {
  key?: string;
  label: string;
  onClick: (event: { readonly currentTarget: Element }) => void;
}): VNode {
  return (
    <button type="button" role="menuitem" tabIndex={-1} onClick={onClick}>
      {label}
    </button>
  );
}

function items(list: HTMLElement | null): readonly HTMLElement[] {
  return [...(list?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? [])];
}
