/**
 * Makes all elements of the page inert except `frame` and its ancestors, like a modal dialog does. Returns a function
 * that undoes it; elements that were inert before stay inert.
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
