import { retryImport } from '../../client/index.ts';
import type { ContactTexts } from '../parts/contact/contact-texts.ts';
import type { FeedbackTexts } from '../parts/feedback/feedback-texts.ts';
import type { HomeTexts } from '../parts/home/home-texts.ts';
import type { HoursTexts } from '../parts/hours/hours-texts.ts';
import type { NoticeTexts } from '../parts/notices/notice-texts.ts';
import type { PrivacyTexts } from '../parts/privacy/privacy-texts.ts';
import type { SurveyTexts } from '../parts/survey/survey-texts.ts';
import type { ToolTexts } from '../parts/tools/tool-texts.ts';
import type { strings as english } from './en.ts';

/** A text with a count: one form per plural category of its language; `other` replaces a missing one. */
export type Counted = { readonly other: string } & Readonly<Partial<Record<Intl.LDMLPluralRule, string>>>;

/** The widget's own texts in one language, except the texts of parts that load late. */
export type Strings = {
  readonly [Key in keyof typeof english]: (typeof english)[Key] extends string ? string : Counted;
};

/** Key of a text without a count. */
export type StringKey = {
  [Key in keyof Strings]: Strings[Key] extends string ? Key : never;
}[keyof Strings];

/** The texts of the parts that are loaded late, by part. Those of all languages load with the code of the part. */
export interface PartTexts {
  readonly contact: ContactTexts;
  readonly feedback: FeedbackTexts;
  readonly home: HomeTexts;
  readonly hours: HoursTexts;
  readonly notices: NoticeTexts;
  readonly privacy: PrivacyTexts;
  readonly survey: SurveyTexts;
  readonly tools: ToolTexts;
}

/** The texts of one part in all languages. */
export type ByLanguage<Texts> = Readonly<Record<string, Texts>> & { readonly en: Texts };

/** A site's own texts of parts, in one language. */
export type PartOverrides = { readonly [Part in keyof PartTexts]?: Partial<PartTexts[Part]> };

/** A site's own wording by language: each given text replaces the widget's. */
export type StringOverrides = Readonly<Record<string, Partial<Strings> & PartOverrides>>;

type Load = () => Promise<{ readonly strings: Strings }>;

/** Each language is a separate chunk, loaded when it is first shown. */
export const LOADERS: Readonly<Record<string, Load>> & { readonly en: Load } = {
  ar: () => import('./ar.ts'),
  de: () => import('./de.ts'),
  en: () => import('./en.ts'),
  es: () => import('./es.ts'),
  fr: () => import('./fr.ts'),
  he: () => import('./he.ts'),
  it: () => import('./it.ts'),
  ja: () => import('./ja.ts'),
  nl: () => import('./nl.ts'),
  pl: () => import('./pl.ts'),
  pt: () => import('./pt.ts'),
  zh: () => import('./zh.ts'),
};

/** Loads the texts of a language, or the English ones for an unknown language. Rejects if they cannot be loaded. */
export async function loadStrings(language: string): Promise<Strings> {
  const load = LOADERS[language] ?? LOADERS.en;
  return (await retryImport(load)).strings;
}
