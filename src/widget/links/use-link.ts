import { usePanel } from '../panel/model/panel-model.ts';
import { NEW_TAB } from './safe-href.ts';

/** Attributes of one link. */
interface LinkAttributes extends Partial<typeof NEW_TAB> {
  readonly href: string;
  readonly 'aria-label'?: string;
  readonly onClick: (() => void) | undefined;
}

/**
 * Returns the function that makes a link's attributes from its safe address and its text. A page of the same site opens
 * in the same tab, where the panel opens again, and where a sheet that covers the page closes. Other pages open in a
 * new tab, and the link's name says so. A chat that fills the page stays, so that all its links open a new tab.
 */
export function useLink(): (href: string, name: string, onClick?: () => void) => LinkAttributes {
  const { strings, layout, close, isLeaving } = usePanel();
  return (href, name, onClick) => {
    const { protocol, origin } = new URL(href);
    // These open another program.
    if (protocol === 'mailto:' || protocol === 'tel:') return { href, onClick };
    if (origin !== location.origin || layout.value === 'fullscreen')
      return { href, ...NEW_TAB, 'aria-label': `${name} (${strings.value.opensNewTab})`, onClick };
    const follow = () => {
      onClick?.();
      if (layout.peek() !== 'sheet') return;
      isLeaving.value = true;
      close(false);
      isLeaving.value = false;
    };
    return { href, onClick: follow };
  };
}
