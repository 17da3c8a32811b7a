import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { Icon, MORE } from '../../icons.tsx';
import { usePanel } from '../model/panel-model.ts';

/** The menu button of the header, and its menu. */
export function MenuButton(): VNode | null {
  const { overlay, strings, parts } = usePanel();
  const button = useRef<HTMLButtonElement>(null);
  const isWanted = overlay.value === 'menu';
  const code = parts.menu.code.value;
  const isOpen = isWanted && code !== null;
  const close = () => {
    overlay.value = 'none';
    button.current?.focus();
  };
  return (
    <div class="menu-anchor">
      <button
        type="button"
        ref={button}
        class="icon-button"
        aria-label={strings.value.menu}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onPointerEnter={parts.menu.load}
        onFocus={parts.menu.load}
        onClick={() => {
          parts.menu.load();
          // Also while the code has not loaded, so that a failure shows the banner.
          overlay.value = isOpen ? 'none' : 'menu';
        }}
        onBlur={() => {
          if (!code) overlay.value = 'none';
        }}
      >
        <Icon path={MORE} />
      </button>
      {isOpen && <code.MenuList onClose={close} />}
    </div>
  );
}
