/** Runs in pages of the development server: style sheets in shadow roots follow the edits of their sources. */

interface Followed {
  readonly sheet: WeakRef<CSSStyleSheet>;
  /** The text that the sheet was made with. */
  readonly text: string;
}

/** State that a module of styles keeps from one version to the next. */
interface StyleMemory {
  /** Its texts so far, the current one last. */
  readonly texts?: readonly string[];
}

/** The current text for each earlier text, because code that was loaded before still has those. */
const latest = new Map<string, string>();
let followed: readonly Followed[] = [];

const { replaceSync } = CSSStyleSheet.prototype;
CSSStyleSheet.prototype.replaceSync = function follow(this: CSSStyleSheet, text: string): void {
  followed = [
    ...followed.filter(({ sheet }) => sheet.deref() !== undefined && sheet.deref() !== this),
    { sheet: new WeakRef(this), text },
  ];
  replaceSync.call(this, latest.get(text) ?? text);
};

/**
 * Shows the current text in all sheets that were made with an earlier one. Returns whether there are any; if not, only
 * the importers know how the text is used.
 */
export function followStyle(memory: StyleMemory, text: string): boolean {
  const { texts = [] } = memory;
  Object.assign(memory, { texts: [...texts, text] });
  if (texts.length === 0) return true;
  for (const earlier of [...texts, text]) latest.set(earlier, text);
  const sheets = followed.filter((one) => texts.includes(one.text));
  for (const { sheet } of sheets) {
    const living = sheet.deref();
    if (living) replaceSync.call(living, text);
  }
  return sheets.length > 0;
}
