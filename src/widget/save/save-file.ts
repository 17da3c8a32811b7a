import { pageDocument } from '../page-document.ts';

/** Browsers read a file after the click that saves it, some a while after. */
const KEPT_MS = 60_000;

/** Hands the visitor a file. A `blob:` address that is saved and not opened needs no word in a page's policy. */
export function saveFile(name: string, type: string, text: string): void {
  const href = URL.createObjectURL(new Blob([text], { type }));
  const link = pageDocument.createElement('a');
  link.href = href;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(href), KEPT_MS);
}
