import { pageDocument } from '../../dom/page-document.ts';

/** Browsers may read the file long after the click, so its URL stays valid for this time. */
const KEPT_MS = 60_000;

/** Starts the download of a file. A CSP does not restrict the download of a `blob:` URL. */
export function saveFile(name: string, type: string, text: string): void {
  const href = URL.createObjectURL(new Blob([text], { type }));
  const link = pageDocument.createElement('a');
  link.href = href;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(href), KEPT_MS);
}
