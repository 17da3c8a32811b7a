/** Signs without a shape: blanks, control characters, what fonts draw nothing for, and the empty Braille pattern. */
const BLANK = /^[\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/** Returns true for a text in which there is nothing to see. */
export const isBlank = (text: string): boolean => BLANK.test(text);
