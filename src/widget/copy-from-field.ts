/** The old way: selects the text in a field of its own and copies that. Returns whether it worked. */
export function copyFromField(text: string, near: Node): boolean {
  const root = near.getRootNode();
  const parent = root instanceof ShadowRoot ? root : document.body;
  const previous = root instanceof ShadowRoot ? root.activeElement : document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'sr';
  parent.append(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  if (previous instanceof HTMLElement) previous.focus({ preventScroll: true });
  return isCopied;
}
