const EMOJI = /^(?:\p{Emoji_Presentation}|\p{Extended_Pictographic}\ufe0f)/u;
/** A message with more emoji is drawn as text. */
const MAX_EMOJI = 3;
/** The longest emoji are families of four, with joiners and shades. */
const MAX_CHARACTERS = 60;

/** Returns true for a message of one to three emoji, which is drawn large. */
export function isEmojiOnly(text: string): boolean {
  const words = text.replace(/\s/g, '');
  // Splitting into signs takes long, and a history has many messages.
  if (words.length > MAX_CHARACTERS || !EMOJI.test(words)) return false;
  const signs = [...new Intl.Segmenter().segment(words)];
  return signs.length <= MAX_EMOJI && signs.every(({ segment }) => EMOJI.test(segment));
}
