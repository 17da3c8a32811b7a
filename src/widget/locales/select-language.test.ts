import { describe, expect, it } from 'vitest';
import { pickLocale, selectLanguage } from './select-language.ts';

describe('the language of the texts', () => {
  it('is the first of those wanted that there are texts for', () => {
    expect(selectLanguage([null, undefined, 'fr', 'de'])).toBe('fr');
    expect(selectLanguage(['da', 'xx', 'de-AT', 'en'])).toBe('de');
    expect(selectLanguage(['en-GB', 'de'])).toBe('en');
  });

  it('the language is English when none is named', () => {
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
  ])('is found for %s as %s', (tag, language) => {
    expect(selectLanguage([tag])).toBe(language);
  });

  it('is not Simplified for those who read Traditional Chinese, nor for the bare zh that browsers add', () => {
    expect(selectLanguage(['zh-TW', 'zh', 'ja'])).toBe('ja');
    expect(selectLanguage(['zh-Hant-CN'])).toBe('en');
    expect(selectLanguage(['zh-HK', 'zh-CN'])).toBe('zh');
  });

  it('passes over what is no language tag', () => {
    expect(selectLanguage(['', '*', 'not a tag', '__proto__', 'constructor', 'it'])).toBe('it');
  });

  it('may be one that the site brings itself', () => {
    expect(selectLanguage(['da-DK', 'en'], { da: {} })).toBe('da');
    expect(selectLanguage(['zh-TW', 'zh'], { 'zh-Hant': {} })).toBe('zh-Hant');
  });
});

describe('the locale of times and numbers', () => {
  it('is the visitor’s own variant of the language', () => {
    expect(pickLocale('en', ['de-AT', 'en-GB'])).toBe('en-GB');
    expect(pickLocale('zh', ['zh-TW', 'zh-SG'])).toBe('zh-SG');
  });

  it('is else the language as it is used where the visitor is from', () => {
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
])('reads %s, as some browsers pass on the locale of their system', (tag, language, locale) => {
  expect(pickLocale(language, [tag])).toBe(locale);
});
