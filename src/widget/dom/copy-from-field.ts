import { pageDocument } from './page-document.ts';

/** Copies through a temporary field and `execCommand`. Returns true on success. */
export function copyFromField(text: string, near: Node): boolean {
  const root = near.getRootNode();
  const parent = root instanceof ShadowRoot ? root : pageDocument.body;
  const previous = root instanceof ShadowRoot ? root.activeElement : pageDocument.activeElement;
  const field = pageDocument.createElement('textarea');
  field.value = text;
  field.className = 'sr';
  parent.append(field);
  field.select();
  const isCopied = pageDocument.execCommand('copy');
  field.remove();
  if (previous instanceof HTMLElement) previous.focus({ preventScroll: true });
  return isCopied;
}
