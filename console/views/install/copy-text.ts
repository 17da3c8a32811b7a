import { showToast, tryTo } from '../../ui/index.ts';

/** Copies a text to the clipboard, and says so; `what` begins the sentence. */
export const copyText = (text: string, what: string): Promise<boolean> =>
  tryTo(async () => {
    await navigator.clipboard.writeText(text);
    showToast(`${what} copied`);
  });
