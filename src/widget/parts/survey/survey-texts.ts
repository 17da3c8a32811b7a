import type { ByLanguage } from '../../locales/catalogue.ts';

/** Texts of the survey in one language. */
export interface SurveyTexts {
  readonly title: string;
  readonly question: string;
  /** Labels of the two ends of the scale. */
  readonly low: string;
  readonly high: string;
  /** Accessible name of a score; `{score}` is filled in. */
  readonly score: string;
  /** Label of the field for a comment after the score. */
  readonly comment: string;
  readonly send: string;
  readonly skip: string;
  readonly thanks: string;
}

/**
 * All languages in one file, because they are small and load with the part. The English title and question are also the
 * platform's defaults. Source: TBD-3.
 */
export const SURVEY_TEXTS: ByLanguage<SurveyTexts> = {
  en: {
    title: 'Rate your chat',
    question: 'How would you rate your experience?',
    low: 'Very bad',
    high: 'Very good',
    score: '{score} of 5',
    comment: 'Anything to add? (optional)',
    send: 'Send',
    skip: 'Skip',
    thanks: 'Thank you for your rating.',
  },
  ar: {
    title: 'قيّم محادثتك',
    question: 'كيف تقيّم تجربتك؟',
    low: 'سيئة جدًا',
    high: 'جيدة جدًا',
    score: '{score} من 5',
    comment: 'هل تود إضافة شيء؟ (اختياري)',
    send: 'إرسال',
    skip: 'تخطٍّ',
    thanks: 'شكرًا على تقييمك.',
  },
  de: {
    title: 'Bewerten Sie den Chat',
    question: 'Wie zufrieden waren Sie?',
    low: 'Sehr schlecht',
    high: 'Sehr gut',
    score: '{score} von 5',
    comment: 'Möchten Sie etwas ergänzen? (freiwillig)',
    send: 'Senden',
    skip: 'Überspringen',
    thanks: 'Vielen Dank für Ihre Bewertung.',
  },
  es: {
    title: 'Valore el chat',
    question: '¿Cómo valoraría su experiencia?',
    low: 'Muy mala',
    high: 'Muy buena',
    score: '{score} de 5',
    comment: '¿Desea añadir algo? (opcional)',
    send: 'Enviar',
    skip: 'Omitir',
    thanks: 'Gracias por su valoración.',
  },
  fr: {
    title: 'Évaluez cette conversation',
    question: 'Comment évaluez-vous votre expérience ?',
    low: 'Très mauvaise',
    high: 'Très bonne',
    score: '{score} sur 5',
    comment: 'Quelque chose à ajouter ? (facultatif)',
    send: 'Envoyer',
    skip: 'Passer',
    thanks: 'Merci pour votre évaluation.',
  },
  he: {
    title: 'דירוג הצ׳אט',
    question: 'איך הייתה החוויה שלך?',
    low: 'גרועה מאוד',
    high: 'טובה מאוד',
    score: '{score} מתוך 5',
    comment: 'יש לך מה להוסיף? (לא חובה)',
    send: 'שליחה',
    skip: 'דילוג',
    thanks: 'תודה על הדירוג.',
  },
  it: {
    title: 'Valuti la chat',
    question: 'Come valuta la sua esperienza?',
    low: 'Pessima',
    high: 'Ottima',
    score: '{score} su 5',
    comment: 'Vuole aggiungere qualcosa? (facoltativo)',
    send: 'Invia',
    skip: 'Salta',
    thanks: 'Grazie per la sua valutazione.',
  },
  ja: {
    title: 'チャットの評価',
    question: '今回の対応はいかがでしたか？',
    low: 'とても悪い',
    high: 'とても良い',
    score: '5段階中{score}',
    comment: 'ご意見をお聞かせください（任意）',
    send: '送信',
    skip: 'スキップ',
    thanks: '評価いただきありがとうございます。',
  },
  nl: {
    title: 'Beoordeel de chat',
    question: 'Hoe beoordeelt u uw ervaring?',
    low: 'Heel slecht',
    high: 'Heel goed',
    score: '{score} van de 5',
    comment: 'Wilt u iets toevoegen? (optioneel)',
    send: 'Versturen',
    skip: 'Overslaan',
    thanks: 'Bedankt voor uw beoordeling.',
  },
  pl: {
    title: 'Oceń czat',
    question: 'Jak oceniasz tę rozmowę?',
    low: 'Bardzo źle',
    high: 'Bardzo dobrze',
    score: '{score} na 5',
    comment: 'Chcesz coś dodać? (opcjonalnie)',
    send: 'Wyślij',
    skip: 'Pomiń',
    thanks: 'Dziękujemy za ocenę.',
  },
  pt: {
    title: 'Avalie este chat',
    question: 'Como você avalia sua experiência?',
    low: 'Muito ruim',
    high: 'Muito boa',
    score: '{score} de 5',
    comment: 'Quer acrescentar algo? (opcional)',
    send: 'Enviar',
    skip: 'Pular',
    thanks: 'Agradecemos sua avaliação.',
  },
  zh: {
    title: '为本次聊天评分',
    question: '您如何评价这次体验？',
    low: '非常差',
    high: '非常好',
    score: '{score} 分（满分 5 分）',
    comment: '想补充些什么吗？（选填）',
    send: '提交',
    skip: '跳过',
    thanks: '感谢您的评分。',
  },
};
