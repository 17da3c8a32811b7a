import { expect, it } from 'vitest';
import { translate } from './translate.ts';

const PLACES = new Set(['tarrow', 'mewsay', 'port', 'hallan']);
const isKnown = (word: string): boolean => PLACES.has(word);

it.each([
  ['de', 'Wann fährt die nächste Fähre nach Tarrow?', 'when leaves next ferry to tarrow ?'],
  [
    'fr',
    'À quelle heure part le dernier bateau de Tarrow ce soir',
    'what time leaves last ferry from tarrow tonight',
  ],
  ['es', '¿Cuánto cuesta un coche a Mewsay?', 'how much car to mewsay ?'],
  ['pl', 'następny prom do Tarrow', 'next ferry to tarrow'],
  ['ja', 'Tarrow行きの次の船は何時ですか', 'to tarrow next ferry what time'],
  ['ja', 'MewsayからPort Hallanまで', 'from mewsay to port hallan'],
  ['zh', '下一班去Mewsay的船是几点', 'next to mewsay ferry what time'],
  ['he', 'כמה עולה כרטיס למבוגר', 'how much ticket adult'],
  ['ar', 'متى تغادر العبارة التالية إلى Tarrow', 'when leaves ferry next to tarrow'],
  ['de', 'Wann haben Sie am Montag geöffnet?', 'when is there monday open ?'],
  ['fr', 'Combien coûte un abonnement ?', 'how much membership ?'],
  ['zh', '你们星期一开门吗', 'monday open'],
  ['de', 'die Fähre um 14.30', 'ferry 14:30'],
  ['de', 'Wie lange habe ich Garantie?', 'how long guarantee ?'],
  ['fr', 'J’ai oublié mon mot de passe', 'lost password'],
  ['es', '¿Puedo devolver el pedido?', 'can i returns order ?'],
  ['ja', '注文の配送はいつですか', 'order delivery when'],
])('translates what the articles and the timetable need (%s: %s)', (language, text, english) => {
  expect(translate(text, language, isKnown)).toBe(english);
});

it('leaves out what it does not know', () => {
  expect(translate('Bitte sagen Sie mir etwas über Quantenphysik', 'de', isKnown)).toBeNull();
  expect(translate('kan min hund följa med', 'sv', isKnown)).toBeNull();
});
