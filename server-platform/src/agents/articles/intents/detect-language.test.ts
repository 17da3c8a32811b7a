import { expect, it } from 'vitest';
import { detectLanguage } from './detect-language.ts';

it.each([
  ['Czy dzieci potrzebują dowodu tożsamości?', 'pl'],
  ['Gdzie mogę zaparkować?', 'pl'],
  ['Darf mein Hund mit aufs Schiff?', 'de'],
  ['Gepäck größer als üblich?', 'de'],
  ['¿Dónde aparco?', 'es'],
  ['Posso levar cães?', 'pt'],
  ['Où êtes-vous ?', 'fr'],
])(
  'detects the language by its common words and by letters that no other language uses: %s',
  (text, language) => {
    expect(detectLanguage(text)).toBe(language);
  },
);

it.each([
  'Is the café on Tarrow open?',
  'Can I park my Škoda?',
  'Does it go from Łódź to Tarrow?',
  'Zoë',
  'naïve?',
  'i ordered twice but couldnt come',
])('detects no other language in an English message with a foreign word: %s', (text) => {
  expect([null, 'en']).toContain(detectLanguage(text));
});
