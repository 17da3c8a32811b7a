import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { CONTACT_TEXTS } from '../parts/contact/contact-texts.ts';
import { FEEDBACK_TEXTS } from '../parts/feedback/feedback-texts.ts';
import { HOME_TEXTS } from '../parts/home/home-texts.ts';
import { HOURS_TEXTS } from '../parts/hours/hours-texts.ts';
import { NOTICE_TEXTS } from '../parts/notices/notice-texts.ts';
import { PRIVACY_TEXTS } from '../parts/privacy/privacy-texts.ts';
import { SURVEY_TEXTS } from '../parts/survey/survey-texts.ts';
import { TOOL_TEXTS } from '../parts/tools/tool-texts.ts';
import {
  type ByLanguage,
  type Counted,
  LOADERS,
  loadStrings,
  type PartTexts,
  type Strings,
} from './catalogue.ts';
import { strings as en } from './en.ts';

const FOLDER = fileURLToPath(new URL('..', import.meta.url));
/** Words that are the same in both languages. */
const SAME_AS_ENGLISH: Readonly<Record<string, readonly string[]>> = {
  de: ['Code'],
  fr: ['Conversation', 'Code', 'Sources'],
  nl: ['Code'],
};

/** Informal forms of address. The widget uses the formal ones, in the survey too. */
const FAMILIAR: Readonly<Record<string, RegExp>> = {
  de: /\b(?:du|dir|dich|deine?)\b/i,
  es: /\b(?:tú|tus?|ti|te)\b/i,
  fr: /\b(?:tu|toi|ton|ta)\b/i,
  it: /\b(?:tu|tuo|tua|tuoi|tue|ti)\b/i,
  nl: /\b(?:je|jij|jou|jouw)\b/i,
};

/** The texts of each late part. */
const PARTS: { readonly [Part in keyof PartTexts]: ByLanguage<PartTexts[Part]> } = {
  contact: CONTACT_TEXTS,
  feedback: FEEDBACK_TEXTS,
  home: HOME_TEXTS,
  hours: HOURS_TEXTS,
  notices: NOTICE_TEXTS,
  privacy: PRIVACY_TEXTS,
  survey: SURVEY_TEXTS,
  tools: TOOL_TEXTS,
};

const formsOf = (text: string | Counted): readonly string[] =>
  typeof text === 'string' ? [text] : Object.values(text);
const placesOf = (text: string): readonly string[] => text.match(/\{\w+\}/g) ?? [];
const keys = Object.keys(en) as readonly (keyof Strings)[];

describe.each(Object.keys(LOADERS))('the texts in %s', (language) => {
  it(`has all texts in ${language}, in the order of the English ones, and no others`, async () => {
    expect(Object.keys(await loadStrings(language))).toEqual(keys);
  });

  it(`has every placeholder of the English texts in ${language} and no others`, async () => {
    const strings = await loadStrings(language);
    for (const key of keys) {
      const english = new Set(formsOf(en[key]).flatMap(placesOf));
      const own = strings[key];
      const fullest = typeof own === 'string' ? own : own.other;
      expect(new Set(placesOf(fullest)), key).toEqual(english);
      for (const place of formsOf(own).flatMap(placesOf)) expect(english, key).toContain(place);
    }
  });

  it(`has no English, empty or padded text in ${language}`, async () => {
    const strings = await loadStrings(language);
    const english = new Set(Object.values(en).flatMap(formsOf));
    const texts = Object.values(strings).flatMap(formsOf);
    const same = texts.filter((text) => english.has(text));
    if (language !== 'en') expect(same).toEqual(SAME_AS_ENGLISH[language] ?? []);
    expect(texts.filter((text) => text === '' || text !== text.trim() || text.includes('  '))).toEqual([]);
  });

  it.each(Object.entries(PARTS))(
    `translates all texts of the part %s into ${language}, with the placeholders of the English ones`,
    (_, all) => {
      const english = { ...all.en };
      const texts = { ...all[language] };
      const own = new Map<string, string>(Object.entries(texts));
      expect([...own.keys()]).toEqual(Object.keys(english));
      for (const [key, text] of Object.entries<string>(english)) {
        expect(placesOf(own.get(key) ?? ''), key).toEqual(placesOf(text));
        if (language !== 'en') expect(own.get(key), key).not.toBe(text);
      }
    },
  );

  it(`addresses the visitor in one form, with typographic punctuation, in ${language}`, async () => {
    const texts = [
      ...Object.values(await loadStrings(language)).flatMap(formsOf),
      ...Object.values(PARTS).flatMap((all) => Object.values<string>({ ...all[language] })),
    ];
    expect(texts.filter((text) => FAMILIAR[language]?.test(text))).toEqual([]);
    // Straight quotes and three dots; French has a no-break space before two-part punctuation marks, Chinese full-width marks.
    expect(texts.filter((text) => /['"]|\.\.\./.test(text))).toEqual([]);
    if (language === 'fr')
      expect(texts.filter((text) => /[^\u00a0\u202f][!?:;»]|«[^\u00a0]/.test(text))).toEqual([]);
    if (language === 'zh') expect(texts.filter((text) => /[,;:!?()]|\.$/.test(text))).toEqual([]);
  });

  it(`has a plural form for every counted number in ${language}`, async () => {
    const strings = await loadStrings(language);
    const rules = new Intl.PluralRules(language);
    // The widget counts no fractions or millions of messages. Arabic and Polish use the same form for "many" and "other".
    const counted = Array.from({ length: 200 }, (_, index) => rules.select(index + 1));
    const wanted = new Set([...counted.filter((category) => category !== 'many'), 'other']);
    for (const key of keys) {
      const text = strings[key];
      if (typeof text !== 'string') expect(new Set(Object.keys(text)), key).toEqual(wanted);
    }
  });
});

describe('the English texts', () => {
  it('uses every English text', () => {
    const code = readdirSync(FOLDER, { recursive: true, withFileTypes: true })
      .filter(({ name }) => /\.tsx?$/.test(name) && !name.includes('.test.'))
      .filter(({ parentPath }) => !/locales/.test(parentPath))
      .map(({ name, parentPath }) => readFileSync(`${parentPath}/${name}`, 'utf8'))
      .concat(
        ['launcher-status', 'unread'].map((name) =>
          readFileSync(`${FOLDER}../embed/launcher/${name}.ts`, 'utf8'),
        ),
      )
      .join('\n');
    expect(keys.filter((key) => !new RegExp(`(\\.|')${key}\\b`).test(code))).toEqual([]);
  });
});
