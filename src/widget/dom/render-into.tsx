import { type ComponentChildren, render } from 'preact';
import { PanelContext, type PanelModel } from '../panel/model/panel-model.ts';
import { pageDocument } from './page-document.ts';

/** Renders `children` with the panel's model into an empty element. Returns a function that unmounts them. */
export function renderInto(children: ComponentChildren, parent: Element, model: PanelModel): () => void {
  guardOwnerDocument(parent);
  render(<PanelContext.Provider value={model}>{children}</PanelContext.Provider>, parent);
  return () => render(null, parent);
}

/**
 * Preact calls `createElementNS` and `createTextNode` of the parent's `ownerDocument`. Elements of the page can shadow
 * both (see `pageDocument`), so each element gets a guarded document, which creates elements with a guarded document.
 */
function guardOwnerDocument<E extends Element>(element: E): E {
  return Object.defineProperty(element, 'ownerDocument', { value: guardedDocument });
}

const guardedDocument: Document = new Proxy({} as Document, {
  get: (_, name) =>
    name === 'createElementNS'
      ? (namespace: string, tag: string) => guardOwnerDocument(pageDocument.createElementNS(namespace, tag))
      : Reflect.get(pageDocument, name),
});
