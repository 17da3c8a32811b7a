import { describe, expect, it } from 'vitest';
import { loadIntents } from './load-intents.ts';
import { matchIntent } from './match-intent.ts';
import { loadReplies } from './replies.ts';

// The languages of the widget.
const LANGUAGES = ['ar', 'de', 'en', 'es', 'fr', 'he', 'it', 'ja', 'nl', 'pl', 'pt', 'zh'];

const intents = loadIntents();
const match = (text: string, language = 'en') =>
  matchIntent(text, intents, { language, isEnglish: false, isKnown: () => false });

describe('the data', () => {
  it.each([...new Set(intents.phrases.map(({ intent }) => intent))])(
    'has phrases for %s in all languages',
    (wanted) => {
      const languages = intents.phrases
        .filter(({ intent }) => intent === wanted)
        .map(({ language }) => language);
      expect(languages.sort()).toEqual(LANGUAGES);
    },
  );

  it('has every sentence in all languages, with the same placeholders', () => {
    const placeholders = (text: unknown): readonly string[] =>
      [...new Set(String(text).match(/\{\w+\}/g) ?? [])].sort();
    expect([...loadReplies().keys()].sort()).toEqual(LANGUAGES);
    const english = loadReplies().get('en') ?? {};
    for (const [language, texts] of loadReplies()) {
      expect(Object.keys(texts).sort(), language).toEqual(Object.keys(english).sort());
      for (const [name, text] of Object.entries(english))
        expect(placeholders(texts[name]), `${language} ${name}`).toEqual(placeholders(text));
    }
  });

  it.each([...loadReplies()])(
    'reads its own offer of a person as a wish for one (%s)',
    (language, { person_suggestion }) => {
      expect(match(String(person_suggestion), language)).toMatchObject({ action: 'handoff', language });
    },
  );
});

describe('a message', () => {
  it.each([
    ['full-width letters', 'ＡＧＥＮＴ', 'handoff'],
    ['capitals and signs', 'AGENT!!!', 'handoff'],
    ['an accent left out', 'quiero hablar con un operador por favor', 'handoff'],
    ['a slip in a longer word', 'custmer servise please', 'handoff'],
    ['letters held down', 'heeelp fireeee', 'danger'],
    ['words without spaces between', '我想转人工客服', 'handoff'],
    ['a prefix', 'אפשר לדבר עם הנציג', 'handoff'],
  ])('matches a message in spite of %s', (_, text, intent) => {
    expect(match(text)?.intent).toBe(intent);
  });

  it.each(['can you repair my laptop', 'mend a puncture', 'fix the washing machine'])(
    'about a repair, "%s", is left to the articles: some companies do that',
    (text) => {
      expect(match(text)).toBeNull();
    },
  );

  it('does not match a long message by a word that is merely similar to a word of a phrase', () => {
    const said = 'Last year we went bowling and it rained the whole day';
    expect(match(said)?.intent).toBe('complaint');
    const letter = `We are 14 people from Norbury Software and would like to do something together in May, ideally with
      lunch. ${said}. Could you tell me what you offer and the price? We are free on Fridays. Best, Tom`;
    expect(match(letter)).toBeNull();
  });

  it("does not match plain English against another language's phrases, except for an emergency", () => {
    const english = { language: 'en', isEnglish: true, isKnown: () => false };
    expect(matchIntent('will there be a person at the harbour in january', intents, english)).toBeNull();
    expect(matchIntent('please hurry, hombre al agua', intents, english)?.intent).toBe('danger');
  });

  it('does not correct a message to a word of another language', () => {
    expect(match('quando parte il prossimo traghetto', 'it')).toBeNull();
  });

  it('gives a message the first intent in order', () => {
    expect(match('you idiots, get me a person, there is a fire on deck 3')?.intent).toBe('danger');
    expect(match('you idiots, get me a person')?.intent).toBe('handoff');
  });

  it('does not take a request for help with a thing for a wish for a person', () => {
    expect(match('can someone help me with my luggage')).toBeNull();
    expect(match('can someone help me please')?.intent).toBe('handoff');
  });

  it('finds an intent beside words that only look like another one', () => {
    expect(match("i'm dying for a coffee")).toBeNull();
    expect(match("i'm dying for a coffee, and there is smoke in the cabin")?.intent).toBe('danger');
  });

  it.each([
    ['my ex is on board and threatening to kill me', 'danger'],
    ['there is a fire and my phone battery is dying', 'danger'],
    ['we are in an emergency', 'danger'],
    ['if you can please help, someone fell overboard', 'danger'],
  ])('recognises danger to life beside harmless words: %s', (text, intent) => {
    expect(match(text)?.intent).toBe(intent);
  });

  it('prefers the language of the conversation when several languages share the word', () => {
    expect(match('agent', 'nl')?.language).toBe('nl');
    expect(match('agente', 'it')?.language).toBe('it');
    expect(match('agente', 'fr')?.language).toBe('es');
  });
});

it.each([
  ['stop. human. now.', 'en'],
  ['no. person please', 'en'],
  ['enough, agent now!', 'en'],
  ['Stopp. Mensch. Sofort.', 'de'],
  ['stop, un humain, maintenant', 'fr'],
  ['Basta. Una persona. Ahora.', 'es'],
  ['basta, operatore, subito', 'it'],
  ['stop. mens. nu.', 'nl'],
  ['dość. człowiek. teraz.', 'pl'],
  ['chega. atendente. agora.', 'pt'],
])('recognises a demand for a person in single words: %s', (text, language) => {
  expect(match(text, language)).toMatchObject({ action: 'handoff', language });
});

it.each(['stop', 'no', 'enough', 'no person', 'stop the agent'])(
  'recognises no demand for a person in: %s',
  (text) => {
    expect(match(text, 'en')?.action).not.toBe('handoff');
  },
);
