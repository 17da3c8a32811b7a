const OPENING = ['<think>', '<thinking>', '<thought>'];
const CLOSING = /<\/(?:think|thinking|thought)>\s*/;
// As long as the longest closing tag: an end of the text that may be the beginning of one.
const TAG_CHARACTERS = 11;

/**
 * Removes the thinking that some servers put before an answer in special tags. Text passes at once; only a
 * beginning that may be a tag waits.
 */
export class ThinkingFilter {
  #state: 'beginning' | 'thinking' | 'answer' = 'beginning';
  #held = '';

  /** The part of the text that is for the visitor. */
  push(text: string): string {
    if (this.#state === 'answer') return text;
    this.#held += text;
    if (this.#state === 'beginning') {
      const begun = this.#held.trimStart();
      if (OPENING.some((tag) => tag.startsWith(begun))) {
        if (!OPENING.includes(begun)) return '';
      } else if (!OPENING.some((tag) => begun.startsWith(tag))) {
        return this.#answer(this.#held);
      }
      this.#state = 'thinking';
    }
    const end = CLOSING.exec(this.#held);
    if (end !== null) {
      const answer = this.#held.slice(end.index + end[0].length);
      if (answer === '') {
        // White space after the tag may still come.
        this.#held = end[0];
        return '';
      }
      return this.#answer(answer);
    }
    this.#held = this.#held.slice(-TAG_CHARACTERS);
    return '';
  }

  /** The text held back at the end of the answer: a beginning that was not a tag. */
  end(): string {
    return this.#state === 'beginning' ? this.#answer(this.#held) : '';
  }

  #answer(text: string): string {
    this.#state = 'answer';
    this.#held = '';
    return text;
  }
}
