import { expect, it } from 'vitest';
import { sayIn } from '../intents/replies.ts';
import { sayHours } from './say-hours.ts';

const HOURS = 'Monday to Friday 09:00–17:30, Saturday 10:00–13:00, closed on 25 December and 1 January';

it.each([
  ['ar', 'الاثنين–الجمعة 09:00–17:30, السبت 10:00–13:00, مغلق: 25 ديسمبر, 1 يناير'],
  ['de', 'Montag–Freitag 09:00–17:30, Samstag 10:00–13:00, geschlossen: 25. Dezember, 1. Januar'],
  ['en', HOURS],
  ['es', 'lunes–viernes 09:00–17:30, sábado 10:00–13:00, cerrado: 25 de diciembre, 1 de enero'],
  ['fr', 'lundi–vendredi 09:00–17:30, samedi 10:00–13:00, fermé: 25 décembre, 1 janvier'],
  ['he', 'יום שני–יום שישי 09:00–17:30, יום שבת 10:00–13:00, סגור: 25 בדצמבר, 1 בינואר'],
  ['it', 'lunedì–venerdì 09:00–17:30, sabato 10:00–13:00, chiuso: 25 dicembre, 1 gennaio'],
  ['ja', '月曜日–金曜日 09:00–17:30, 土曜日 10:00–13:00, 休業: 12月25日, 1月1日'],
  ['nl', 'maandag–vrijdag 09:00–17:30, zaterdag 10:00–13:00, gesloten: 25 december, 1 januari'],
  ['pl', 'poniedziałek–piątek 09:00–17:30, sobota 10:00–13:00, nieczynne: 25 grudnia, 1 stycznia'],
  ['pt', 'segunda-feira–sexta-feira 09:00–17:30, sábado 10:00–13:00, fechado: 25 de dezembro, 1 de janeiro'],
  ['zh', '星期一–星期五 09:00–17:30, 星期六 10:00–13:00, 休息: 12月25日, 1月1日'],
])('says English hours in the language %s', (language, said) => {
  expect(sayHours(HOURS, sayIn(language, {}, 0))).toBe(said);
});

it.each([
  [
    'every day 08:00–20:00, November to March 10:00–16:00',
    'Montag–Sonntag 08:00–20:00, November–März Montag–Sonntag 10:00–16:00',
  ],
  ['day and night', 'Montag–Sonntag 00:00–24:00'],
  ['Tuesday, Thursday and Saturday 10:00–12:00', 'Dienstag, Donnerstag, Samstag 10:00–12:00'],
  ['on request', 'on request'],
  ['Montag bis Freitag 9–17 Uhr', 'Montag bis Freitag 9–17 Uhr'],
])('says "%s" in German, as far as it is understood', (hours, said) => {
  expect(sayHours(hours, sayIn('de', {}, 0))).toBe(said);
});
