import { adoptCss, pageDocument } from '../../widget/index.ts';
import css from './bubble.css?inline';

/** A bubble, and when it is shown. */
export interface BubbleOptions {
  readonly text: string;
  /** Name of the sender, above the text. Default none. */
  readonly from?: string;
  /** Delay in milliseconds. Default 0. */
  readonly delayMs?: number;
  /** Duration in milliseconds. Default: until the visitor opens or dismisses it. */
  readonly durationMs?: number;
  /** Called when the visitor dismisses it. */
  readonly onDismiss?: () => void;
}

/** A text beside the launcher that opens the chat. */
export interface Bubble {
  /** Replaces an earlier bubble, visible or delayed. An empty text removes it. */
  show(bubble: string | BubbleOptions, dismissLabel: string): void;
  destroy(): void;
}

/** A longer text is cut, so that the bubble covers little of the page. */
const MAX_CHARACTERS = 160;

/** Creates the bubble of `root`, which is invisible until it has a text. */
export function createBubble(root: ShadowRoot, button: HTMLElement, onOpen: () => void): Bubble {
  const dropSheet = adoptCss(root, css);
  let timer = 0;
  const bubble = pageDocument.createElement('div');
  // Prototype.js replaces `remove` by one that throws for an element without a parent.
  const hide = () => bubble.parentNode?.removeChild(bubble);
  const opener = pageDocument.createElement('button');
  opener.dir = 'auto';
  opener.onclick = () => {
    hide();
    onOpen();
  };
  const closer = pageDocument.createElement('button');
  closer.textContent = '×';
  bubble.append(opener, closer);

  return {
    show(content, dismissLabel) {
      const {
        text,
        from = '',
        delayMs = 0,
        durationMs = 0,
        onDismiss,
      }: Partial<BubbleOptions> = typeof content === 'object' ? { ...content } : { text: content };
      if (typeof text !== 'string')
        throw new TypeError('showBubble takes a text, or { text, from, delayMs, durationMs, onDismiss }.');
      clearTimeout(timer);
      const shortText = cutAtWord(text.trim());
      opener.textContent = shortText;
      if (from) {
        const name = pageDocument.createElement('b');
        name.textContent = from;
        opener.prepend(name, ' ');
      }
      closer.ariaLabel = dismissLabel;
      closer.onclick = () => {
        // The pressed button is removed, and with it the focus.
        if (root.activeElement === closer) button.focus();
        hide();
        onDismiss?.();
      };
      hide();
      if (shortText === '') return;
      const appear = (): void => {
        // On the side of the launcher.
        bubble.className = `${button.className.replace('launcher', 'card')} teaser`;
        root.append(bubble);
        if (durationMs > 0) timer = window.setTimeout(hide, durationMs);
      };
      if (delayMs > 0) timer = window.setTimeout(appear, delayMs);
      else appear();
    },
    destroy() {
      clearTimeout(timer);
      hide();
      dropSheet();
    },
  };
}

/** Cuts a long text after a whole word, or after a whole character if it has no spaces. */
function cutAtWord(text: string): string {
  const characters = [...text];
  if (characters.length <= MAX_CHARACTERS) return text;
  const start = characters.slice(0, MAX_CHARACTERS - 1).join('');
  return `${start.replace(/[\s.,;:–-]+\S*$/, '')}…`;
}
