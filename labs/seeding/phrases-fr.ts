import type { Phrases } from './phrases.ts';

export const FRENCH: Phrases = {
  language: 'fr',
  greetings: [
    "Bonjour, je suis Ada, l'assistante automatique de Kittiwake Ferries. Comment puis-je vous aider ?",
  ],
  topics: [
    {
      intent: 'timetable',
      questions: [
        'À quelle heure part le dernier ferry pour {place} {day} ?',
        'horaires pour {place} svp',
        'Y a-t-il une traversée tôt {day} ?',
      ],
      answers: ['{day}, le dernier ferry pour {place} part à {time}. Merci d’arriver 30 minutes avant.'],
    },
    {
      intent: 'booking-change',
      questions: [
        'Je dois déplacer ma réservation {number} à {day}.',
        'changer {number} pour {count} personnes',
      ],
      answers: ['La réservation {number} est déplacée à {day}, {time}. Vous recevrez un courriel.'],
    },
    {
      intent: 'refund',
      questions: [
        'Ma traversée a été annulée, comment être remboursé pour {number} ?',
        'remboursement {number} svp',
      ],
      answers: ['Le remboursement de {number} arrive sous {count} jours ouvrés.'],
    },
    {
      intent: 'pets',
      questions: ['Mon chien peut-il monter à bord pour {place} ?', 'une cabine pour {count} chats ?'],
      answers: ['Les chiens en laisse voyagent gratuitement sur le pont.'],
    },
    {
      intent: 'disruption',
      questions: ['Le bateau de {time} pour {place} part-il malgré la tempête ?', 'pourquoi ce retard'],
      answers: ['La traversée de {time} pour {place} a environ {count} minutes de retard.'],
    },
  ],
  strange: ['Quel est le sens de la vie ?', 'qui a gagné le match hier'],
  ignorance: ['Je ne sais pas, désolée. Puis-je vous aider pour nos ferries ?'],
  thanks: ['Merci !', 'super, merci beaucoup'],
  farewells: ['Avec plaisir. Bonne traversée !'],
  personPlease: ['Je veux parler à une vraie personne', 'un conseiller svp'],
  handingOver: ['Je vous mets en relation avec une collègue.'],
  stillThere: ['Êtes-vous toujours là ?'],
  days: ['lundi', 'mardi', 'mercredi', 'jeudi', 'vendredi', 'samedi', 'dimanche'],
};
