import { retryImport } from '../client/index.ts';

/** Puts text on the clipboard; resolves to whether that worked. Must run inside a click. */
export async function copyText(text: string, near: Node): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Without a secure context, or where a frame's policy forbids it, only the old way is left.
    const { copyFromField } = await retryImport(() => import('./copy-from-field.ts'));
    return copyFromField(text, near);
  }
}
