/**
 * Invisible characters: white space, control characters, default-ignorable characters, and the empty Braille pattern.
 */
const BLANK = /^[\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/** Returns true for a text without visible characters. */
export const isBlank = (text: string): boolean => BLANK.test(text);
