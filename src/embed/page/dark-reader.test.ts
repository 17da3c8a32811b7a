import { disable, enable } from 'darkreader';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { contrast } from '../../../test/widget/contrast.ts';
import { type MountedPanel, mountPanel } from '../../../test/widget/mount-panel.ts';
import { createLauncher } from '../launcher/launcher.ts';

let view: MountedPanel;
const pageSheet = document.createElement('style');
beforeEach(() => {
  document.head.append(pageSheet);
});
afterEach(() => {
  disable();
  pageSheet.remove();
  view.destroy();
});

/** The texts whose contrast with the nearest background is less than 4.5:1, and the icons with less than 3:1. */
function findPale(root: ShadowRoot): readonly string[] {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts = new Set<Element>(root.querySelectorAll('svg'));
  while (walker.nextNode()) if (walker.currentNode.parentElement) texts.add(walker.currentNode.parentElement);
  return [...texts].flatMap((element) => {
    if (element.closest('style') || !element.checkVisibility({ visibilityProperty: true })) return [];
    let behind: Element | null = element;
    while (behind && getComputedStyle(behind).backgroundColor === 'rgba(0, 0, 0, 0)')
      behind = behind.parentElement;
    if (!behind) return [];
    const [text, surface] = [getComputedStyle(element).color, getComputedStyle(behind).backgroundColor];
    const ratio = contrast(text, surface);
    return ratio < (element.localName === 'svg' ? 3 : 4.5)
      ? [
          `${element.localName}.${element.getAttribute('class')}: ${text} on ${surface} is ${ratio.toFixed(2)}:1`,
        ]
      : [];
  });
}

for (const theme of ['light', 'dark'] as const)
  for (const accent of ['', '#0b6e75', '#ffd400', '#e6007a', '#808080', 'black', 'white'])
    it(`the ${theme} palette with the accent "${accent}" is legible if Dark Reader recolours it`, async () => {
      enable({ brightness: 100, contrast: 90, sepia: 10 });
      view = mountPanel({ theme });
      view.host.className = 'recoloured';
      pageSheet.textContent = accent && `.recoloured { --natter-accent: ${accent} }`;
      view.launcher.remove();
      const { setLooks, setFault } = createLauncher(
        view.root,
        () => {},
        () => {},
      );
      setLooks({ language: 'en' }, true);
      setFault('The chat did not load.', 'https://ferries.example');
      view.panel.open(true);
      view.chat.says('A [link](https://x.example), `code` and\n\n> a quotation');
      view.chat.asks('Question', { status: 'failed', reason: 'no_answer', isRetryable: true });
      view.chat.asks('Question');
      view.chat.suggestions.value = [{ text: 'Yes' }];
      await vi.waitFor(() => view.find('.suggestion'));
      await vi.waitFor(() => view.find('.rich code'));
      const hasPainted = () => getComputedStyle(view.find('.frame')).getPropertyValue('--darkreader-bg--_in');
      await vi.waitFor(() => expect(hasPainted()).not.toBe(''));
      view.root.adoptedStyleSheets.push(withoutTransitions());
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(findPale(view.root)).toEqual([]);
    });

function withoutTransitions(): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('* { transition: none !important; animation: none !important; }');
  return sheet;
}
