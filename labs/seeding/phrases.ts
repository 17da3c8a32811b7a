import { GERMAN } from './phrases-de.ts';
import { ENGLISH } from './phrases-en.ts';
import { SPANISH } from './phrases-es.ts';
import { FRENCH } from './phrases-fr.ts';

/** Texts about one topic. `{place}`, `{day}`, `{time}`, `{number}` and `{count}` are filled in. */
export interface Topic {
  /** The turn's intent. */
  readonly intent: string;
  readonly questions: readonly string[];
  readonly answers: readonly string[];
}

/** Texts in one language. */
export interface Phrases {
  /** BCP-47 tag. */
  readonly language: string;
  readonly greetings: readonly string[];
  readonly topics: readonly Topic[];
  /** Topics unknown to the agent, and its replies. */
  readonly strange: readonly string[];
  readonly ignorance: readonly string[];
  readonly thanks: readonly string[];
  readonly farewells: readonly string[];
  readonly personPlease: readonly string[];
  readonly handingOver: readonly string[];
  readonly stillThere: readonly string[];
  readonly days: readonly string[];
}

/** Every language, with how much of the conversations is held in it. */
export const LANGUAGES: readonly (readonly [share: number, phrases: Phrases])[] = [
  [0.62, ENGLISH],
  [0.16, GERMAN],
  [0.13, FRENCH],
  [0.09, SPANISH],
];

/** Where the boats go. */
export const PLACES: readonly string[] = [
  'Farholm',
  'Skarvik',
  'Port Ellis',
  'Saint Corin',
  'Tern Island',
  'Low Haven',
  'Grey Sound',
  'Marnock',
];
