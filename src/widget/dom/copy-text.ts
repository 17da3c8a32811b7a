import { retryImport } from '../../client/index.ts';

/** Copies text to the clipboard. Resolves with true on success. Must be called in a click handler. */
export async function copyText(text: string, near: Node): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // The clipboard API is missing without a secure context, and may be forbidden in a frame.
    const { copyFromField } = await retryImport(() => import('./copy-from-field.ts'));
    return copyFromField(text, near);
  }
}
