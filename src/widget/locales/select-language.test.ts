import { describe, expect, it } from 'vitest';
import { pickLocale, selectLanguage } from './select-language.ts';

describe('the language of the texts', () => {
  it('selects the first wanted language with texts', () => {
    expect(selectLanguage([null, undefined, 'fr', 'de'])).toBe('fr');
    expect(selectLanguage(['da', 'xx', 'de-AT', 'en'])).toBe('de');
    expect(selectLanguage(['en-GB', 'de'])).toBe('en');
  });

  it('selects English if no language is wanted', () => {
    expect(selectLanguage([])).toBe('en');
    expect(selectLanguage(['da', 'sv-SE'])).toBe('en');
  });

  it.each([
    ['pt-BR', 'pt'],
    ['es-419', 'es'],
    ['zh', 'zh'],
    ['zh-CN', 'zh'],
    ['zh-Hans-HK', 'zh'],
    ['iw', 'he'],
    ['DE_de', 'de'],
  ])('selects for the language %s the texts %s', (tag, language) => {
    expect(selectLanguage([tag])).toBe(language);
  });

  it('does not select Simplified Chinese for Traditional, nor for the bare zh that browsers add', () => {
    expect(selectLanguage(['zh-TW', 'zh', 'ja'])).toBe('ja');
    expect(selectLanguage(['zh-Hant-CN'])).toBe('en');
    expect(selectLanguage(['zh-HK', 'zh-CN'])).toBe('zh');
  });

  it('ignores an invalid language tag', () => {
    expect(selectLanguage(['', '*', 'not a tag', '__proto__', 'constructor', 'it'])).toBe('it');
  });

  it('selects a language that the site’s own wording adds', () => {
    expect(selectLanguage(['da-DK', 'en'], { da: {} })).toBe('da');
    expect(selectLanguage(['zh-TW', 'zh'], { 'zh-Hant': {} })).toBe('zh-Hant');
  });
});

describe('the locale of times and numbers', () => {
  it('formats times and numbers by the visitor’s own variant of the language', () => {
    expect(pickLocale('en', ['de-AT', 'en-GB'])).toBe('en-GB');
    expect(pickLocale('zh', ['zh-TW', 'zh-SG'])).toBe('zh-SG');
  });

  it('formats times and numbers by the language with the visitor’s region otherwise', () => {
    expect(pickLocale('en', ['da'])).toBe('en-DK');
    expect(pickLocale('ar', ['en-AE', 'en'])).toBe('ar-AE');
    expect(pickLocale('fr', [])).toBe('fr');
  });
});

it.each([
  ['en-US@posix', 'en', 'en-US'],
  ['de_AT', 'de', 'de-AT'],
  ['en_GB.UTF-8', 'en', 'en-GB'],
  ['de_AT', 'da', 'da-AT'],
  ['C', 'en', 'en'],
])('reads the system locale %s, which some browsers pass on', (tag, language, locale) => {
  expect(pickLocale(language, [tag])).toBe(locale);
});
