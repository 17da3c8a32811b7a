import { signal } from '@preact/signals-core';
import { describe, expect, it } from 'vitest';
import type { WidgetOptions } from '../options.ts';
import { HOME_TEXTS } from '../parts/home/home-texts.ts';
import { createRewording } from '../parts/terms/reword-texts.ts';
import type { Strings } from './catalogue.ts';
import { strings as de } from './de.ts';
import { strings as en } from './en.ts';
import { followLanguage, loadFirstTexts, type Texts } from './follow-language.ts';
import { strings as he } from './he.ts';

/** Creates texts whose loading the test completes. */
function follow(browser: readonly string[] = ['en-GB'], initial: Partial<WidgetOptions> = {}) {
  const chat = signal<string | null>(null);
  const options = signal<WidgetOptions>({ endpoint: 'https://chat.example', ...initial });
  const errors: unknown[] = [];
  const problems: string[] = [];
  const requests: string[] = [];
  const broken = new Set<string>();
  let open = () => {};
  let gate: Promise<void> | null = null;
  const load = async (language: string): Promise<Strings> => {
    requests.push(language);
    await gate;
    if (broken.has(language)) throw new TypeError('Failed to fetch');
    return { de, he, en }[language] ?? en;
  };
  const texts: Texts = followLanguage(
    chat,
    options,
    signal(createRewording(options, (problem) => problems.push(problem))),
    browser,
    (_, detail) => errors.push(detail),
    { language: 'en', strings: en },
    load,
  );
  return {
    chat,
    options,
    errors,
    problems,
    requests,
    broken,
    texts,
    hold() {
      gate = new Promise((resolve) => {
        open = resolve;
      });
    },
    release: () => open(),
    setLanguage: (language: string) => {
      options.value = { ...options.peek(), language };
      return texts.settle();
    },
  };
}

describe('the panel’s language', () => {
  it('shows the language of the conversation, else that of the page, else that of the browser', async () => {
    const { chat, texts, setLanguage } = follow(['de-AT', 'en']);
    await texts.settle();
    expect(texts.language.value).toBe('de');
    expect(texts.strings.value.send).toBe(de.send);
    await setLanguage('he');
    expect(texts.language.value).toBe('he');
    expect(texts.direction.value).toBe('rtl');
    chat.value = 'en-US';
    await texts.settle();
    expect(texts.strings.value.send).toBe(en.send);
    await setLanguage('de');
    expect(texts.language.value).toBe('en');
  });

  it('keeps the language until the next one has loaded, and shows none that was replaced meanwhile', async () => {
    const { texts, setLanguage, hold, release } = follow();
    await texts.settle();
    hold();
    const first = setLanguage('de');
    const second = setLanguage('he');
    expect([texts.language.value, texts.direction.value]).toEqual(['en', 'ltr']);
    release();
    const seen: string[] = [];
    texts.language.subscribe((language) => seen.push(language));
    await Promise.all([first, second]);
    expect(seen).toEqual(['en', 'he']);
  });

  it('keeps the language if texts do not load, reports it, and tries again with the next change', async () => {
    const { texts, setLanguage, errors, broken, requests } = follow(['he'], { language: 'de' });
    await texts.settle();
    broken.add('he');
    await setLanguage('he');
    expect(texts.strings.value.send).toBe(de.send);
    expect([texts.language.value, texts.direction.value]).toEqual(['de', 'ltr']);
    expect(errors).toMatchObject([{ code: 'STRINGS_NOT_LOADED' }]);
    await setLanguage('de');
    broken.clear();
    await setLanguage('he');
    expect(texts.strings.value.send).toBe(he.send);
    expect(requests).toEqual(['de', 'he', 'he']);
  });

  it('shows the site’s own wording', async () => {
    const strings = { de: { send: 'Ab damit' }, da: { send: 'Send beskeden' } };
    const { texts, setLanguage } = follow(['en-DK'], { language: 'de', strings });
    await texts.settle();
    expect(texts.strings.value.send).toBe('Ab damit');
    expect(texts.strings.value.copy).toBe(de.copy);
    await setLanguage('da-DK');
    expect(texts.strings.value.send).toBe('Send beskeden');
    expect(texts.strings.value.copy).toBe(en.copy);
    expect(texts.locale.value).toBe('da-DK');
  });

  it('shows the site’s own wording in lazy parts, also in a language that the widget lacks', async () => {
    const strings = { de: { home: { write: 'Los' } }, da: { home: { write: 'Skriv til os' } } };
    const { texts, setLanguage } = follow(['en-DK'], { language: 'de', strings });
    const home = () => texts.partTexts('home', HOME_TEXTS);
    await texts.settle();
    expect(home()).toEqual({ ...HOME_TEXTS['de'], write: 'Los' });
    setLanguage('da');
    await texts.settle();
    expect(home()).toEqual({ ...HOME_TEXTS.en, write: 'Skriv til os' });
  });

  it('keeps the widget’s texts if the site’s wording has another type, and reports each once', async () => {
    const wrong = {
      send: null,
      copy: 7,
      nweChat: 'Again',
      newMessages: '{count} new',
      tableRows: { one: 'A row' },
      home: { write: 5, greeting: 'Ahoy!', grreting: 'Ahoy!', helpEmpty: undefined },
      hours: 'always',
    };
    const strings = { en: wrong } as unknown as WidgetOptions['strings'] & object;
    const { texts, problems, options } = follow(['en'], { strings });
    expect(texts.strings.value).toEqual(en);
    expect(texts.partTexts('home', HOME_TEXTS)).toEqual({ ...HOME_TEXTS.en, greeting: 'Ahoy!' });
    texts.partTexts('home', HOME_TEXTS);
    expect(problems).toEqual([
      'strings (en): send is not a text.',
      'strings (en): copy is not a text.',
      'strings (en): nweChat is not a text of the widget; check its spelling.',
      'strings (en): newMessages is not an object with a text for each plural form, at least for "other".',
      'strings (en): tableRows is not an object with a text for each plural form, at least for "other".',
      'strings (en): hours is not an object with the texts of that group.',
      'strings (en): home.write is not a text.',
      'strings (en): home.grreting is not a text of the widget; check its spelling.',
    ]);
    options.value = { ...options.peek(), title: 'Help' };
    expect([texts.strings.value.send, problems.length]).toEqual([en.send, 8]);
    options.value = { ...options.peek(), strings: { en: { send: 'Post' } } };
    expect(texts.strings.value).toEqual({ ...en, send: 'Post' });
  });

  it.each([null, 'hello', 5, [], { en: null }, { en: 'hello' }])(
    'keeps the widget’s texts if the site’s wording is %j',
    (given) => {
      const { texts } = follow(['en'], { strings: given as unknown as WidgetOptions['strings'] & object });
      expect(texts.strings.value).toEqual(en);
      expect(texts.partTexts('home', HOME_TEXTS)).toEqual(HOME_TEXTS.en);
    },
  );

  it('shows the language of the browser if the page sets one that is not a text', async () => {
    const { texts, setLanguage } = follow(['de']);
    await setLanguage(5 as unknown as string);
    expect(texts.language.value).toBe('de');
  });

  it('changes no language after the panel was destroyed', async () => {
    const { texts, setLanguage, chat, hold, release, requests } = follow();
    await texts.settle();
    hold();
    const late = setLanguage('de');
    texts.dispose();
    release();
    await late;
    chat.value = 'he';
    expect(texts.language.value).toBe('en');
    expect(requests).toEqual(['de']);
  });
});

describe('the texts that a panel begins with', () => {
  const load = (broken: readonly string[]) => async (language: string) => {
    if (broken.includes(language)) throw new TypeError('Failed to fetch');
    return { de, he, en }[language] ?? en;
  };
  const options: WidgetOptions = { endpoint: 'https://chat.example' };

  it('loads the first texts in the language of the option, else of the browser', async () => {
    expect(await loadFirstTexts({ ...options, language: 'he' }, ['de'], load([]))).toEqual({
      language: 'he',
      strings: he,
    });
    expect(await loadFirstTexts(options, ['sv', 'de-CH'], load([]))).toEqual({ language: 'de', strings: de });
  });

  it('loads English first texts if the wanted ones cannot be fetched', async () => {
    expect(await loadFirstTexts(options, ['de'], load(['de']))).toEqual({ language: 'en', strings: en });
  });

  it('rejects if the English texts cannot be fetched either, so that no panel without texts is drawn', async () => {
    await expect(loadFirstTexts(options, ['de'], load(['de', 'en']))).rejects.toThrow('Failed to fetch');
  });
});
