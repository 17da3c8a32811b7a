import { describe, expect, it } from 'vitest';
import type { WidgetOptions } from '../../options.ts';
import { readSiteTexts, selectSiteTexts } from './read-site-texts.ts';

const read = (options: Omit<WidgetOptions, 'endpoint'>) =>
  readSiteTexts({ endpoint: 'https://chat.example', ...options });
const PRIVACY = { label: 'Privacy', url: 'https://example.com/privacy' };

describe('a site’s own texts', () => {
  it.each([
    ['agentName', 50],
    ['title', 100],
    ['welcome', 100],
    ['disclaimer', 500],
  ] as const)('shows %s in full up to %i characters, and cuts and reports longer ones', (name, max) => {
    const fits = 'ü'.repeat(max);
    expect(read({ [name]: fits })).toMatchObject({ usual: { [name]: fits }, problems: [] });
    const { usual, problems } = read({ [name]: `${fits}ü` });
    expect([...(usual[name] ?? '')]).toHaveLength(max);
    expect(usual[name]?.endsWith('…')).toBe(true);
    expect(problems).toEqual([`${name} has ${max + 1} characters and is cut to ${max}.`]);
  });

  it('counts characters of the site’s texts by code point, so that an emoji is one', () => {
    const ferries = '🛳'.repeat(50);
    expect(read({ agentName: ferries })).toMatchObject({ usual: { agentName: ferries }, problems: [] });
  });

  it.each(['http://example.com', 'javascript:alert(1)', 'data:text/html,x', '/privacy', '', 7, null])(
    'omits and reports a policy link to %j',
    (url) => {
      const given = [{ label: 'Bad', url }, PRIVACY];
      const { usual, problems } = read({ policyLinks: JSON.stringify(given) });
      expect(usual.policyLinks).toEqual([PRIVACY]);
      expect(problems).toHaveLength(1);
      expect(problems[0]).toContain('not an https address');
    },
  );

  it('reads policy links from a list and from its JSON, and names a link without a label by its host', () => {
    expect(read({ policyLinks: [PRIVACY] }).usual.policyLinks).toEqual([PRIVACY]);
    expect(read({ policyLinks: JSON.stringify([{ url: PRIVACY.url }]) }).usual.policyLinks).toEqual([
      { label: 'example.com', url: PRIVACY.url },
    ]);
  });

  it.each(['{', '"text"', '{"label":"x"}'])('reports policy links that are not a list: %s', (policyLinks) => {
    const { usual, problems } = read({ policyLinks });
    expect(usual.policyLinks).toBeUndefined();
    expect(problems).toEqual(['policyLinks is not a list of { "label", "url" }.']);
  });

  it.each(['{', '[]', '5'])('reports localized texts that are not an object: %s', (localized) => {
    expect(read({ localized }).problems).toHaveLength(1);
  });

  it('reports site texts that are not texts, and a language without an object', () => {
    // As JSON, which no compiler has checked.
    expect(read({ localized: '{"de":5,"fr":{"welcome":7,"title":null}}' }).problems).toEqual([
      'localized (de) is not an object with texts.',
      'welcome (fr) is not a text.',
    ]);
  });

  it('checks the site’s texts in every language by the same rules', () => {
    const { problems } = read({
      localized: {
        de: { disclaimer: 'ü'.repeat(501), policyLinks: [{ label: 'x', url: 'http://x.example' }] },
      },
    });
    expect(problems).toHaveLength(2);
    for (const problem of problems) expect(problem).toContain('(de)');
  });

  it('uses the default for a site text that is not a text, or blank', () => {
    const given = { agentName: {}, title: 5, welcome: [], disclaimer: '  ' } as unknown as WidgetOptions;
    const texts = read(given);
    expect(selectSiteTexts(texts, 'en')).toEqual({ agentName: '', title: '', welcome: '', disclaimer: '' });
    expect(texts.problems).toEqual([
      'agentName is not a text.',
      'welcome is not a text.',
      'title is not a text.',
    ]);
  });

  it.each([
    ['hello', 'strings is not an object with a language in each key.'],
    [{ en: null }, 'strings (en) is not an object with texts.'],
    [{ 'pt-BR': {} }, 'strings (pt-BR) is not used. Write the language without a region: pt.'],
    [{ EN: {} }, 'strings (EN) is not used. Write the language without a region: en.'],
  ])('reports wording for an invalid language: %j', (strings, problem) => {
    expect(read({ strings: strings as unknown as WidgetOptions['strings'] & object }).problems).toEqual([
      problem,
    ]);
  });

  it('accepts wording for another language, and for Traditional Chinese', () => {
    expect(read({ strings: { da: { send: 'Send' }, 'zh-Hant': { send: '傳送' } } }).problems).toEqual([]);
  });

  it('selects the site’s texts for the language, else for another region of it, else the default ones', () => {
    const texts = read({
      disclaimer: 'Usual.',
      welcome: 'Hello!',
      localized: { de: { disclaimer: 'Deutsch.' }, 'pt-BR': { disclaimer: 'Brasil.' } },
    });
    expect(selectSiteTexts(texts, 'de')).toEqual({ disclaimer: 'Deutsch.', welcome: 'Hello!' });
    expect(selectSiteTexts(texts, 'pt')).toMatchObject({ disclaimer: 'Brasil.' });
    expect(selectSiteTexts(texts, 'fr')).toEqual({ disclaimer: 'Usual.', welcome: 'Hello!' });
  });
});
