/**
 * Takes everything of the page but `frame` and what contains it away from the keyboard and from screen readers, as
 * behind a modal dialog. Returns what undoes it; elements that were inert before stay so.
 */
export function makePageInert(frame: Element): () => void {
  const changed: HTMLElement[] = [];
  let node: Element | null = frame;
  while (node) {
    const parent: ParentNode | null = node.parentNode;
    for (const sibling of parent?.children ?? []) {
      if (sibling === node || !(sibling instanceof HTMLElement) || sibling.inert) continue;
      sibling.inert = true;
      changed.push(sibling);
    }
    node = parent instanceof ShadowRoot ? parent.host : parent instanceof Element ? parent : null;
  }
  return () => {
    for (const element of changed) element.inert = false;
  };
}
