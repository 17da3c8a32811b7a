/**
 * Letters of scripts that are written without blanks between words, and full-width punctuation, for a character class:
 * a bare address ends before them. Written out, because a pattern without the flag `u` knows no names of scripts.
 */
export const UNSPACED_LETTERS: string =
  // Thai, Lao, Tibetan, Burmese; Khmer; Tai Le to Tai Tham; Balinese; Japanese, Chinese, Yi with their punctuation.
  '\\u0e00-\\u109f\\u1780-\\u17ff\\u1950-\\u1aaf\\u1b00-\\u1b7f\\u2e80-\\u312f\\u3190-\\ua4cf' +
  // Javanese to Tai Viet; further ideographs; vertical, small, full-width and half-width forms; planes 1 (kana), 2 and 3.
  '\\ua980-\\uaadf\\uf900-\\ufaff\\ufe10-\\ufe1f\\ufe30-\\ufe6f\\uff00-\\uff9f\\uffe0-\\uffef\\ud82c\\ud840-\\ud88f';
