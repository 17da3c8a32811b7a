import type { ByLanguage } from '../../locales/catalogue.ts';

/** Texts of the feedback in one language. */
export interface FeedbackTexts {
  /** Names of the two buttons. */
  readonly good: string;
  readonly bad: string;
  /** Labels of the field for the reason. */
  readonly reasonGood: string;
  readonly reasonBad: string;
  readonly send: string;
  readonly skip: string;
  readonly thanks: string;
  readonly notSaved: string;
}

/** All languages in one file, because they are small and load with the part. */
export const FEEDBACK_TEXTS: ByLanguage<FeedbackTexts> = {
  en: {
    good: 'Good answer',
    bad: 'Bad answer',
    reasonGood: 'What was good?',
    reasonBad: 'What was wrong?',
    send: 'Send',
    skip: 'Skip',
    thanks: 'Thank you for your feedback.',
    notSaved: 'Not saved.',
  },
  ar: {
    good: 'إجابة جيدة',
    bad: 'إجابة سيئة',
    reasonGood: 'ما الذي أعجبك؟',
    reasonBad: 'ما الخطأ فيها؟',
    send: 'إرسال',
    skip: 'تخطٍّ',
    thanks: 'شكرًا على ملاحظاتك.',
    notSaved: 'لم تُحفظ.',
  },
  de: {
    good: 'Gute Antwort',
    bad: 'Schlechte Antwort',
    reasonGood: 'Was war gut?',
    reasonBad: 'Was war falsch?',
    send: 'Senden',
    skip: 'Überspringen',
    thanks: 'Vielen Dank für Ihre Rückmeldung.',
    notSaved: 'Nicht gespeichert.',
  },
  es: {
    good: 'Buena respuesta',
    bad: 'Mala respuesta',
    reasonGood: '¿Qué le ha gustado?',
    reasonBad: '¿Qué no estaba bien?',
    send: 'Enviar',
    skip: 'Omitir',
    thanks: 'Gracias por sus comentarios.',
    notSaved: 'No guardado.',
  },
  fr: {
    good: 'Bonne réponse',
    bad: 'Mauvaise réponse',
    reasonGood: 'Qu’est-ce qui vous a plu ?',
    reasonBad: 'Qu’est-ce qui n’allait pas ?',
    send: 'Envoyer',
    skip: 'Passer',
    thanks: 'Merci pour votre avis.',
    notSaved: 'Non enregistré.',
  },
  he: {
    good: 'תשובה טובה',
    bad: 'תשובה לא טובה',
    reasonGood: 'מה היה טוב?',
    reasonBad: 'מה לא היה בסדר?',
    send: 'שליחה',
    skip: 'דילוג',
    thanks: 'תודה על המשוב.',
    notSaved: 'לא נשמר.',
  },
  it: {
    good: 'Risposta utile',
    bad: 'Risposta non utile',
    reasonGood: 'Che cosa le è piaciuto?',
    reasonBad: 'Che cosa non andava?',
    send: 'Invia',
    skip: 'Salta',
    thanks: 'Grazie per il suo parere.',
    notSaved: 'Non salvato.',
  },
  ja: {
    good: '良い回答',
    bad: '良くない回答',
    reasonGood: '良かった点は？',
    reasonBad: '問題だった点は？',
    send: '送信',
    skip: 'スキップ',
    thanks: 'フィードバックありがとうございます。',
    notSaved: '保存されませんでした。',
  },
  nl: {
    good: 'Goed antwoord',
    bad: 'Slecht antwoord',
    reasonGood: 'Wat was er goed?',
    reasonBad: 'Wat klopte er niet?',
    send: 'Versturen',
    skip: 'Overslaan',
    thanks: 'Bedankt voor uw feedback.',
    notSaved: 'Niet opgeslagen.',
  },
  pl: {
    good: 'Dobra odpowiedź',
    bad: 'Zła odpowiedź',
    reasonGood: 'Co było pomocne?',
    reasonBad: 'Co było nie tak?',
    send: 'Wyślij',
    skip: 'Pomiń',
    thanks: 'Dziękujemy za opinię.',
    notSaved: 'Nie zapisano.',
  },
  pt: {
    good: 'Boa resposta',
    bad: 'Resposta ruim',
    reasonGood: 'Do que você gostou?',
    reasonBad: 'O que estava errado?',
    send: 'Enviar',
    skip: 'Pular',
    thanks: 'Agradecemos sua opinião.',
    notSaved: 'Não foi salva.',
  },
  zh: {
    good: '回答得好',
    bad: '回答得不好',
    reasonGood: '好在哪里？',
    reasonBad: '哪里有问题？',
    send: '提交',
    skip: '跳过',
    thanks: '感谢您的反馈。',
    notSaved: '未保存。',
  },
};
