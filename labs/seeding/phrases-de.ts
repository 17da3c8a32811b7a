import type { Phrases } from './phrases.ts';

export const GERMAN: Phrases = {
  language: 'de',
  greetings: [
    'Guten Tag, ich bin Ada, die automatische Assistentin von Kittiwake Ferries. Wie kann ich helfen?',
  ],
  topics: [
    {
      intent: 'timetable',
      questions: [
        'Wann fährt am {day} die letzte Fähre nach {place}?',
        'fahrplan nach {place} bitte',
        'Gibt es am {day} eine frühe Verbindung?',
      ],
      answers: [
        'Am {day} fährt die letzte Fähre nach {place} um {time}. Bitte seien Sie 30 Minuten vorher da.',
        'Nach {place} gibt es {count} Überfahrten, die erste um {time}.',
      ],
    },
    {
      intent: 'booking-change',
      questions: [
        'Ich muss meine Buchung {number} auf {day} ändern.',
        'kann ich die reservierung {number} umbuchen',
        'Wir sind jetzt {count} Personen, Buchung {number}.',
      ],
      answers: [
        'Die Buchung {number} ist auf {day}, {time} umgebucht. Sie bekommen eine Bestätigung per E-Mail.',
      ],
    },
    {
      intent: 'refund',
      questions: [
        'Meine Überfahrt ist ausgefallen. Wie bekomme ich mein Geld für {number} zurück?',
        'rückerstattung für {number}, es sind schon {count} tage',
      ],
      answers: ['Die Erstattung für {number} ist innerhalb von {count} Werktagen auf Ihrem Konto.'],
    },
    {
      intent: 'pets',
      questions: [
        'Darf mein Hund mit nach {place}?',
        'was kosten hunde',
        'Gibt es eine Kabine für {count} Katzen?',
      ],
      answers: ['Hunde an der Leine fahren kostenlos an Deck und im Tierbereich mit.'],
    },
    {
      intent: 'vehicles',
      questions: [
        'Wie hoch darf mein Wohnmobil sein?',
        'Wir haben {count} Fahrräder dabei, geht das nach {place}?',
      ],
      answers: ['Fahrzeuge bis 4,20 Meter passen auf das Autodeck, Fahrräder fahren kostenlos mit.'],
    },
    {
      intent: 'disruption',
      questions: [
        'Fährt die Fähre um {time} nach {place} bei dem Sturm?',
        'warum hat mein schiff verspätung',
      ],
      answers: ['Die Überfahrt um {time} nach {place} hat etwa {count} Minuten Verspätung.'],
    },
  ],
  strange: ['Was ist der Sinn des Lebens?', 'wer hat gestern das spiel gewonnen'],
  ignorance: ['Das weiß ich leider nicht. Möchten Sie etwas über unsere Fähren wissen?'],
  thanks: ['Danke!', 'vielen dank', 'Das war alles, danke schön.'],
  farewells: ['Gern geschehen. Gute Überfahrt!'],
  personPlease: ['Ich möchte mit einem Menschen sprechen', 'mitarbeiter bitte'],
  handingOver: ['Ich verbinde Sie mit einer Kollegin.'],
  stillThere: ['Sind Sie noch da?'],
  days: ['Montag', 'Dienstag', 'Mittwoch', 'Donnerstag', 'Freitag', 'Samstag', 'Sonntag'],
};
