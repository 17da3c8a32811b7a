import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { NEW_TAB } from '../markdown/safe-href.ts';
import { usePanel } from '../model/panel-model.ts';
import { MenuItem } from './menu-item.tsx';
import { SaveItems } from './save-items.tsx';
import { SoundItem } from './sound-item.tsx';
import { useMenuKeys } from './use-menu-keys.ts';

/** The open menu. It keeps the focus until it closes. */
export function MenuList({ onClose }: { onClose: () => void }): VNode | null {
  const { chat, overlay, strings, contactHref, isOver } = usePanel();
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = useMenuKeys(list, onClose);
  const hasFailed = useSignal(false);
  const contact = contactHref.value;
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
        <SaveItems hasFailed={hasFailed} onClose={onClose} />
        <SoundItem hasFailed={hasFailed} />
        {contact && (
          <a role="menuitem" tabIndex={-1} href={contact} {...NEW_TAB} onClick={onClose}>
            {strings.value.contactUs}
          </a>
        )}
        {isOver.value ? (
          <MenuItem onClick={start}>{strings.value.newChat}</MenuItem>
        ) : (
          <MenuItem onClick={() => (overlay.value = 'confirm_end')}>{strings.value.menuEndChat}</MenuItem>
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
