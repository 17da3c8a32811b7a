import { copyText } from '../copy-text.ts';
import { NEW_TAB } from '../markdown/safe-href.ts';
import { usePanel } from '../panel-model.ts';
import { createRef, useMounted, useOnce, type View, type VNode, view } from '../view/index.ts';
import { writeTranscript } from './write-transcript.ts';

/** The entries of the menu; it has the focus as long as it is open. */
export const MenuList: View<{ onClose: () => void }> = view(({ onClose }) => {
  const { chat, overlay, strings, contactHref, isOver, locale, agentName } = usePanel();
  const list = useOnce(createRef<HTMLDivElement>);
  useMounted(() => {
    items(list.current)[0]?.focus();
    // A click anywhere else, inside the shadow root or on the page, puts the menu away.
    const onPointerDown = (event: Event) => {
      const anchor = list.current?.parentElement;
      if (anchor && !event.composedPath().includes(anchor)) overlay.value = 'none';
    };
    document.addEventListener('pointerdown', onPointerDown, true);
    return () => document.removeEventListener('pointerdown', onPointerDown, true);
  });

  const onKeyDown = (event: KeyboardEvent) => {
    const all = items(list.current);
    const root = list.current?.getRootNode();
    const active = root instanceof ShadowRoot ? root.activeElement : null;
    const index = all.indexOf(active as HTMLElement);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
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
  const copy = (event: MouseEvent) => {
    const text = writeTranscript(chat.messages.peek(), strings.peek(), locale.peek(), agentName.peek());
    if (event.currentTarget instanceof Node) void copyText(text, event.currentTarget).then(onClose);
  };
  const start = () => {
    onClose();
    void chat.newChat();
  };
  return (
    <div
      class="menu"
      role="menu"
      tabIndex={-1}
      ref={list}
      onKeyDown={onKeyDown}
      aria-label={strings.value.menu}
    >
      {hasMessages && <MenuItem label={strings.value.menuCopy} onClick={copy} />}
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
  );
});

function MenuItem({ label, onClick }: { label: string; onClick: (event: MouseEvent) => void }): VNode {
  return (
    <button type="button" role="menuitem" tabIndex={-1} onClick={onClick}>
      {label}
    </button>
  );
}

function items(list: HTMLElement | null): readonly HTMLElement[] {
  return [...(list?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])];
}
