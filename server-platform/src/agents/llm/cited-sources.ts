import type { AgentAttachment } from '../agent.ts';

const MAX_CARDS = 3;

/** The sources that a model was given in a turn, by their numbers, and those that it has cited. */
export class CitedSources {
  readonly #cards: (readonly AgentAttachment[])[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #cited = new Set<number>();

  /** The number of an article, the same each time it is found. `cards` show it to the visitor. */
  number(slug: string, cards: readonly AgentAttachment[]): number {
    const known = this.#numbers.get(slug);
    if (known !== undefined) return known;
    const number = this.#cards.push(cards);
    this.#numbers.set(slug, number);
    return number;
  }

  /** Records a citation. One of an unknown source is dropped. */
  cite(number: number): void {
    if (number >= 1 && number <= this.#cards.length) this.#cited.add(number);
  }

  /** The cards of the cited sources, in the order of their citations. */
  get cards(): readonly AgentAttachment[] {
    return [...this.#cited].flatMap((number) => this.#cards[number - 1] ?? []).slice(0, MAX_CARDS);
  }
}

// A number in brackets that no link follows, with the space before it: "welcome [1]." or "[1, 2]". Each run is bounded, so
// that a text of spaces or brackets takes no longer than any other.
const CITATION = /[ \t]{0,4}\[(\d{1,3}(?: {0,2}, {0,2}\d{1,3}){0,9})\](?!\()/g;
// An end of the text that may become one, or whose next character says whether it is one.
const UNFINISHED = /[ \t]{0,4}(?:\[[\d, ]{0,50}\]?)?$/;

/** Removes citations from a text while it arrives: the cards of the sources replace them. */
export class CitationFilter {
  readonly #sources: CitedSources;
  #held = '';

  constructor(sources: CitedSources) {
    this.#sources = sources;
  }

  /** The part of the text that is for the visitor. */
  push(text: string): string {
    const all = this.#held + text;
    const end = all.search(UNFINISHED);
    this.#held = all.slice(end);
    return this.#take(all.slice(0, end));
  }

  /** The text held back at the end of the answer. */
  end(): string {
    const rest = this.#take(this.#held);
    this.#held = '';
    return rest;
  }

  #take(text: string): string {
    return text.replace(CITATION, (_, numbers: string) => {
      for (const number of numbers.split(',')) this.#sources.cite(Number(number));
      return '';
    });
  }
}
