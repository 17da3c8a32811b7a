import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { hasFeature } from '../../has-feature.ts';
import { useLink } from '../../links/use-link.ts';
import { useLazyPart, usePanel } from '../../panel/model/panel-model.ts';
import { MenuItem } from './menu-item.tsx';
import { FormatItems, SaveItems } from './save-items.tsx';
import { SoundItem } from './sound-item.tsx';
import { useMenuKeys } from './use-menu-keys.ts';

/** The open menu. It keeps the focus until it closes. Its second step has the formats of a transcript. */
export function MenuList({ onClose }: { onClose: () => void }): VNode | null {
  const { strings } = usePanel();
  const list = useRef<HTMLDivElement>(null);
  const isChoosing = useSignal(false);
  const hasFailed = useSignal(false);
  const onKeyDown = useMenuKeys(list, isChoosing, onClose);
  const save = { hasFailed, onClose };
  return (
    <div class="menu" part="menu">
      <div
        class="menu-list"
        role="menu"
        tabIndex={-1}
        ref={list}
        onKeyDown={onKeyDown}
        aria-label={isChoosing.value ? strings.value.menuSave : strings.value.menu}
      >
        {isChoosing.value ? (
          <FormatItems {...save} onBack={() => (isChoosing.value = false)} />
        ) : (
          <>
            <SaveItems {...save} onChoose={() => (isChoosing.value = true)} />
            <SoundItem hasFailed={hasFailed} />
            <PrivacyItem onClose={onClose} />
            <ChatItems onClose={onClose} />
          </>
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

/** Shows the stored data about the visitor, where the site offers it. */
function PrivacyItem({ onClose }: { onClose: () => void }): VNode | null {
  const { options } = usePanel();
  return hasFeature(options.value, 'privacy') ? <OpenPrivacy onClose={onClose} /> : null;
}

function OpenPrivacy({ onClose }: { onClose: () => void }): VNode | null {
  const { screen, partTexts, parts } = usePanel();
  const code = useLazyPart(parts.privacy);
  if (!code) return null;
  const show = () => {
    onClose();
    screen.value = code.PrivacyScreen;
  };
  return (
    <MenuItem className="privacy-item" onClick={show}>
      {partTexts('privacy', code.PRIVACY_TEXTS).title}
    </MenuItem>
  );
}

/** The contact link, and the entry that ends the chat or starts a new one. */
function ChatItems({ onClose }: { onClose: () => void }): VNode {
  const { chat, isAtHome, leaveHome, overlay, screen, strings, contactHref, isOver } = usePanel();
  const toLink = useLink();
  const contact = contactHref.value;
  const start = () => {
    onClose();
    screen.value = null;
    leaveHome();
    void chat.newChat();
  };
  const askToEnd = () => {
    // The question replaces the composer.
    screen.value = null;
    leaveHome();
    overlay.value = 'confirm_end';
  };
  // At home, nothing may have begun that could end.
  const canEnd = !isAtHome.value || chat.connection.value.status !== 'idle';
  return (
    <>
      {contact && (
        <a role="menuitem" tabIndex={-1} {...toLink(contact, strings.value.contactUs, onClose)}>
          {strings.value.contactUs}
        </a>
      )}
      {isOver.value ? (
        <MenuItem onClick={start}>{strings.value.newChat}</MenuItem>
      ) : (
        canEnd && <MenuItem onClick={askToEnd}>{strings.value.menuEndChat}</MenuItem>
      )}
    </>
  );
}
