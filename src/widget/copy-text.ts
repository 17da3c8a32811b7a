/** Puts text on the clipboard; resolves to whether that worked. Must run inside a click. */
export async function copyText(text: string, near: Node): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Without a secure context, or where a frame's policy forbids it, only the old way is left.
    return copyFromField(text, near);
  }
}

function copyFromField(text: string, near: Node): boolean {
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
