import { pageDocument } from './page-document.ts';

/** Listens in the page and in the widget around `element`, whose events do not reach the page. */
export function listenEverywhere(
  element: Element,
  types: readonly string[],
  listener: (event: Event) => void,
  signal: AbortSignal,
): void {
  for (const target of [pageDocument, element.getRootNode()])
    for (const type of types) target.addEventListener(type, listener, { capture: true, signal });
}
