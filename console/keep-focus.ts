const FOCUSABLE = ['a[href]', 'button', 'input', 'select', 'textarea', 'summary', '[tabindex="0"]'].join();

const listFocusable = (parent: Element): readonly HTMLElement[] =>
  [...parent.querySelectorAll<HTMLElement>(FOCUSABLE)].filter(
    (element) => !element.matches(':disabled') && element.checkVisibility(),
  );

/**
 * Moves the focus when the focused element is removed, because browsers then leave the keyboard at the top of the page.
 * It goes to the element that takes the removed one's place in their list, form or section, or, if that is empty or has
 * gone too, to the first one around it. Returns a function that stops it.
 */
export function keepFocus(root: HTMLElement): () => void {
  let focused: HTMLElement | null = null;
  /** The elements around the focused one, from inside to outside, with its place in each. */
  let around: readonly { readonly parent: Element; readonly place: number }[] = [];
  const note = ({ target }: FocusEvent): void => {
    if (!(target instanceof HTMLElement)) return;
    focused = target;
    const found: { parent: Element; place: number }[] = [];
    for (let parent = target.parentElement; parent && root.contains(parent); parent = parent.parentElement)
      found.push({ parent, place: listFocusable(parent).indexOf(target) });
    around = found;
  };
  // A press on no control takes the focus away on purpose.
  const forget = (): void => {
    focused = null;
  };
  const observer = new MutationObserver(() => {
    if (!focused || focused.isConnected || document.activeElement !== document.body) return;
    focused = null;
    const places = around.filter(({ parent }) => parent.isConnected);
    for (const { parent, place } of places) {
      const elements = listFocusable(parent);
      const next = parent === places[0]?.parent ? (elements[place] ?? elements.at(-1)) : elements[0];
      if (next) return next.focus();
    }
  });
  root.addEventListener('focusin', note);
  root.addEventListener('pointerdown', forget);
  observer.observe(root, { childList: true, subtree: true });
  return () => {
    root.removeEventListener('focusin', note);
    root.removeEventListener('pointerdown', forget);
    observer.disconnect();
  };
}
