import type { ByLanguage } from '../../locales/catalogue.ts';

/** Texts of the business hours in one language. `{time}` and `{name}` are filled in. */
export interface HoursTexts {
  readonly present: string;
  /** Open day and night. */
  readonly always: string;
  readonly away: string;
  readonly agentAnswers: string;
  readonly closed: string;
}

/** All languages in one file, because they are small and load with the part. */
export const HOURS_TEXTS: ByLanguage<HoursTexts> = {
  en: {
    present: 'Our team is available until {time}.',
    always: 'Our team is available day and night.',
    away: 'Our team is away until {time}.',
    agentAnswers: 'Until then, {name} can help.',
    closed: 'This chat is closed until {time}.',
  },
  ar: {
    present: 'فريقنا متاح حتى {time}.',
    always: 'فريقنا متاح على مدار الساعة.',
    away: 'فريقنا غير متاح الآن ويعود {time}.',
    agentAnswers: 'حتى ذلك الحين، يمكن لـ{name} مساعدتك.',
    closed: 'هذه المحادثة مغلقة. تُفتح {time}.',
  },
  de: {
    present: 'Unser Team ist erreichbar bis {time}.',
    always: 'Unser Team ist rund um die Uhr erreichbar.',
    away: 'Unser Team ist gerade nicht da. Wieder erreichbar: {time}.',
    agentAnswers: 'Bis dahin hilft Ihnen {name}.',
    closed: 'Dieser Chat ist geschlossen. Er öffnet wieder: {time}.',
  },
  es: {
    present: 'Nuestro equipo le atiende ahora. Cierre: {time}.',
    always: 'Nuestro equipo le atiende las 24 horas.',
    away: 'Nuestro equipo no está disponible ahora. Vuelve: {time}.',
    agentAnswers: 'Mientras tanto, {name} puede ayudarle.',
    closed: 'Este chat está cerrado ahora. Apertura: {time}.',
  },
  fr: {
    present: 'Notre équipe est disponible jusqu’à {time}.',
    always: 'Notre équipe est disponible jour et nuit.',
    away: 'Notre équipe est absente pour le moment. De retour : {time}.',
    agentAnswers: 'D’ici là, {name} peut vous aider.',
    closed: 'Ce chat est fermé. Réouverture : {time}.',
  },
  he: {
    present: 'הצוות שלנו כאן עד {time}.',
    always: 'הצוות שלנו כאן בכל שעות היממה.',
    away: 'הצוות שלנו אינו זמין כעת. זמין שוב: {time}.',
    agentAnswers: 'בינתיים אפשר לפנות אל {name}.',
    closed: 'הצ׳אט סגור כעת. פתיחה: {time}.',
  },
  it: {
    present: 'Il nostro team è disponibile. Chiusura: {time}.',
    always: 'Il nostro team è disponibile giorno e notte.',
    away: 'Il nostro team al momento non è disponibile. Di nuovo disponibile: {time}.',
    agentAnswers: 'Nel frattempo può aiutarla {name}.',
    closed: 'Questa chat è chiusa. Riapertura: {time}.',
  },
  ja: {
    present: '担当者が対応中です。受付終了：{time}',
    always: '担当者が24時間対応しています。',
    away: '担当者は不在です。次の受付：{time}',
    agentAnswers: 'それまでは{name}がご案内します。',
    closed: 'このチャットは受付時間外です。再開：{time}',
  },
  nl: {
    present: 'Ons team is bereikbaar tot {time}.',
    always: 'Ons team is dag en nacht bereikbaar.',
    away: 'Ons team is er nu niet. Weer bereikbaar: {time}.',
    agentAnswers: 'Tot die tijd kan {name} u helpen.',
    closed: 'Deze chat is gesloten. Weer open: {time}.',
  },
  pl: {
    present: 'Nasz zespół jest teraz dostępny. Koniec pracy: {time}.',
    always: 'Nasz zespół jest dostępny całą dobę.',
    away: 'Nasz zespół jest teraz niedostępny. Powrót: {time}.',
    agentAnswers: 'Do tego czasu pomoże {name}.',
    closed: 'Czat jest teraz nieczynny. Otwarcie: {time}.',
  },
  pt: {
    present: 'Nossa equipe está disponível. Atendimento até: {time}.',
    always: 'Nossa equipe está disponível dia e noite.',
    away: 'Nossa equipe não está disponível no momento. Retorno: {time}.',
    agentAnswers: 'Até lá, {name} pode ajudar.',
    closed: 'Este chat está fechado. Abertura: {time}.',
  },
  zh: {
    present: '我们的团队在线，服务至 {time}。',
    always: '我们的团队全天候在线。',
    away: '我们的团队目前不在线，恢复服务时间：{time}。',
    agentAnswers: '在此之前，{name} 可以为您服务。',
    closed: '聊天目前已关闭。开放时间：{time}。',
  },
};

/** Joins two sentences. Chinese and Japanese have no space between them. */
export const joinSentences = (first: string, second: string): string =>
  first.endsWith('。') ? first + second : `${first} ${second}`;
