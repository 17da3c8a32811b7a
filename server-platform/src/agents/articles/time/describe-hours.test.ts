import { expect, it } from 'vitest';
import { sayIn } from '../intents/replies.ts';
import { describeHours } from './describe-hours.ts';

const HOURS = 'Mo-Fr 09:00-17:30; Sa 10:00-13:00; Dec 25, Jan 1 off';

it.each([
  ['ar', 'الاثنين–الجمعة 09:00–17:30, السبت 10:00–13:00, مغلق: 25 ديسمبر و1 يناير'],
  ['de', 'Montag–Freitag 09:00–17:30, Samstag 10:00–13:00, geschlossen: 25. Dezember und 1. Januar'],
  ['en', 'Monday–Friday 09:00–17:30, Saturday 10:00–13:00, closed: 25 December and 1 January'],
  ['es', 'lunes–viernes 09:00–17:30, sábado 10:00–13:00, cerrado: 25 de diciembre y 1 de enero'],
  ['fr', 'lundi–vendredi 09:00–17:30, samedi 10:00–13:00, fermé: 25 décembre et 1 janvier'],
  ['he', 'יום שני–יום שישי 09:00–17:30, יום שבת 10:00–13:00, סגור: 25 בדצמבר ו-1 בינואר'],
  ['it', 'lunedì–venerdì 09:00–17:30, sabato 10:00–13:00, chiuso: 25 dicembre e 1 gennaio'],
  ['ja', '月曜日–金曜日 09:00–17:30, 土曜日 10:00–13:00, 休業: 12月25日、1月1日'],
  ['nl', 'maandag–vrijdag 09:00–17:30, zaterdag 10:00–13:00, gesloten: 25 december en 1 januari'],
  ['pl', 'poniedziałek–piątek 09:00–17:30, sobota 10:00–13:00, nieczynne: 25 grudnia i 1 stycznia'],
  ['pt', 'segunda-feira–sexta-feira 09:00–17:30, sábado 10:00–13:00, fechado: 25 de dezembro e 1 de janeiro'],
  ['zh', '星期一–星期五 09:00–17:30, 星期六 10:00–13:00, 休息: 12月25日和1月1日'],
])('describes opening hours in the language %s', (language, said) => {
  expect(describeHours(HOURS, sayIn(language, {}, 0))).toBe(said);
});

it.each([
  [
    'Mo-Su 08:00-20:00; Nov-Mar Mo-Su 10:00-16:00',
    'every day 08:00–20:00, November–March every day 10:00–16:00',
  ],
  ['24/7', 'day and night'],
  ['Mo-Fr 09:00-12:30, 13:30-17:00', 'Monday–Friday 09:00–12:30 and 13:30–17:00'],
  ['Tu,Th,Sa 22:00-02:00', 'Tuesday, Thursday and Saturday 22:00–02:00'],
  ['Fr-Mo 09:00-24:00', 'Friday–Monday 09:00–24:00'],
])('describes %s as "%s"', (hours, said) => {
  expect(describeHours(hours, sayIn('en', {}, 0))).toBe(said);
});
