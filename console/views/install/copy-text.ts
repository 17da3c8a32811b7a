import { showToast, tryTo } from '../../ui/index.ts';

/** Copies a text to the clipboard, and confirms it; `what` begins the confirmation. */
export const copyText = (text: string, what: string): Promise<boolean> =>
  tryTo(async () => {
    await navigator.clipboard.writeText(text);
    showToast(`${what} copied`);
  });
