import css from './bubble.css?inline';

/** A text beside the launcher that opens the chat. */
export interface Bubble {
  /** An empty text takes the bubble away. */
  show(text: string, dismissLabel: string): void;
  destroy(): void;
}

/** A bubble is a glance, not a page. */
const MAX_CHARACTERS = 160;

/** Sets a bubble up in `root`; nothing is seen before it has a text. */
export function createBubble(root: ShadowRoot, button: HTMLElement, onOpen: () => void): Bubble {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  root.adoptedStyleSheets.push(sheet);
  const bubble = document.createElement('div');
  // The launcher's cards stand where the launcher stands.
  bubble.className = `${button.className.replace('launcher', 'card')} teaser`;
  const opener = document.createElement('button');
  opener.dir = 'auto';
  opener.onclick = () => {
    bubble.remove();
    onOpen();
  };
  const closer = document.createElement('button');
  closer.textContent = '×';
  closer.onclick = () => bubble.remove();
  bubble.append(opener, closer);

  return {
    show(text, dismissLabel) {
      const characters = [...text.trim()];
      const isCut = characters.length > MAX_CHARACTERS;
      opener.textContent = isCut
        ? `${characters.slice(0, MAX_CHARACTERS - 1).join('')}…`
        : characters.join('');
      closer.ariaLabel = dismissLabel;
      if (characters.length > 0) root.append(bubble);
      else bubble.remove();
    },
    destroy() {
      bubble.remove();
      root.adoptedStyleSheets = root.adoptedStyleSheets.filter((adopted) => adopted !== sheet);
    },
  };
}
