/** Relevant fields of a keyboard event. */
export interface KeyPress {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly isComposing: boolean;
  readonly keyCode: number;
}

/** Code that Safari and older engines report for every key of a composition. */
const COMPOSITION_KEY_CODE = 229;

/**
 * True for Enter in a composer, which sends; Shift+Enter makes a new line. Enter that ends a composition (Japanese,
 * Chinese, Korean) selects a candidate, and must not send half a sentence.
 */
export const isSendKey = ({ key, shiftKey, isComposing, keyCode }: KeyPress): boolean =>
  key === 'Enter' && !shiftKey && !isComposing && keyCode !== COMPOSITION_KEY_CODE;
