import { retryImport } from '../../client/index.ts';
import { adoptCss, createLazyPart, type Texts } from '../../widget/index.ts';
import type { LauncherAnimation } from './animate-launcher.ts';
import type { Bubble, BubbleOptions } from './bubble.ts';
import css from './launcher-status.css?inline';

/** Shows the state of the conversation on the launcher, once the panel has loaded. */
export interface LauncherStatus {
  /**
   * Shows the name and state of the button, and the number of unread messages. Reads signals, so that an effect can
   * follow them.
   */
  show(isOpen: boolean, unread: number, texts: Pick<Texts, 'strings' | 'locale'>): void;
  /**
   * Shows a text beside the button; a click on it opens the chat. An empty text removes it, and so does opening the
   * chat. Rejects if the bubble's code cannot be loaded.
   */
  showBubble(bubble: string | BubbleOptions): Promise<void>;
  /** Moves the button for a moment, unless the visitor asked for less motion. Rejects if its code cannot be loaded. */
  animate(animation?: LauncherAnimation): Promise<void>;
  /** Removes the bubble, prevents later ones, and restores the icon of the button. */
  destroy(): void;
}

export function createLauncherStatus(
  root: ShadowRoot,
  button: HTMLElement,
  onOpen: () => void,
): LauncherStatus {
  const dropSheet = adoptCss(root, css);
  const icon = button.firstElementChild;
  const chevron = icon?.firstElementChild?.cloneNode() as Element;
  chevron.setAttribute('d', 'M17 20.5l6 6 6-6');
  icon?.append(chevron);
  // Loaded late, because most visitors have no unread messages.
  const counter = createLazyPart(() => retryImport(() => import('./unread.ts')), reportError);
  let bubble: Bubble | null = null;
  let dismissLabel = '';
  let isBubbleHidden = false;

  return {
    show(isOpen, unread, texts) {
      const strings = texts.strings.value;
      const count = isOpen ? 0 : unread;
      button.ariaExpanded = String(isOpen);
      button.ariaLabel = isOpen ? strings.closeChat : strings.openChat;
      if (count > 0) counter.load();
      counter.code.value?.showUnread(root, button, count, texts);
      dismissLabel = strings.dismiss;
      isBubbleHidden = isOpen;
      if (isOpen) bubble?.show('', '');
    },
    async showBubble(bubbleOptions) {
      const { createBubble } = await retryImport(() => import('./bubble.ts'));
      if (isBubbleHidden) return;
      bubble ??= createBubble(root, button, onOpen);
      bubble.show(bubbleOptions, dismissLabel);
    },
    async animate(animation) {
      const { animateLauncher } = await retryImport(() => import('./animate-launcher.ts'));
      return animateLauncher(button, animation);
    },
    destroy() {
      isBubbleHidden = true;
      bubble?.destroy();
      chevron.remove();
      dropSheet();
    },
  };
}
