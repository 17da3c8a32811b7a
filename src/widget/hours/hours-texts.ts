/** Texts of the business hours in one language. `{time}` and `{name}` are filled in. */
export interface HoursTexts {
  readonly away: string;
  readonly agentAnswers: string;
  readonly closed: string;
}

const ENGLISH: HoursTexts = {
  away: 'Our team is away and back {time}.',
  agentAnswers: '{name} answers meanwhile.',
  closed: 'This chat is closed. It opens {time}.',
};

/** All languages in one file, because they are small. */
const TEXTS: Readonly<Record<string, HoursTexts>> = {
  en: ENGLISH,
  ar: {
    away: 'فريقنا غير متاح الآن ويعود {time}.',
    agentAnswers: '{name} يجيب في هذه الأثناء.',
    closed: 'هذه المحادثة مغلقة. تُفتح {time}.',
  },
  de: {
    away: 'Unser Team ist gerade nicht da. Wieder erreichbar: {time}.',
    agentAnswers: '{name} antwortet solange.',
    closed: 'Dieser Chat ist geschlossen. Er öffnet wieder: {time}.',
  },
  es: {
    away: 'Nuestro equipo no está disponible y vuelve: {time}.',
    agentAnswers: '{name} responde mientras tanto.',
    closed: 'Este chat está cerrado. Abre: {time}.',
  },
  fr: {
    away: 'Notre équipe est absente, de retour : {time}.',
    agentAnswers: '{name} répond en attendant.',
    closed: 'Ce chat est fermé. Réouverture : {time}.',
  },
  he: {
    away: 'הצוות שלנו לא זמין כעת ויחזור: {time}.',
    agentAnswers: '{name} משיב בינתיים.',
    closed: 'הצ׳אט סגור. ייפתח: {time}.',
  },
  it: {
    away: 'Il nostro team non c’è e torna: {time}.',
    agentAnswers: 'Nel frattempo risponde {name}.',
    closed: 'Questa chat è chiusa. Riapre: {time}.',
  },
  ja: {
    away: '担当者は不在です。次の受付：{time}',
    agentAnswers: 'その間は{name}がお答えします。',
    closed: 'このチャットは受付時間外です。再開：{time}',
  },
  nl: {
    away: 'Ons team is afwezig en terug: {time}.',
    agentAnswers: '{name} antwoordt intussen.',
    closed: 'Deze chat is gesloten. Hij opent: {time}.',
  },
  pl: {
    away: 'Nasz zespół jest niedostępny, wraca: {time}.',
    agentAnswers: 'Tymczasem odpowiada {name}.',
    closed: 'Ten czat jest zamknięty. Otwarcie: {time}.',
  },
  pt: {
    away: 'Nossa equipe está ausente e volta: {time}.',
    agentAnswers: '{name} responde enquanto isso.',
    closed: 'Este chat está fechado. Abre: {time}.',
  },
  zh: {
    away: '我们的团队不在线，恢复时间：{time}。',
    agentAnswers: '在此期间由{name}回答。',
    closed: '此聊天已关闭。开放时间：{time}。',
  },
};

/** Returns the texts for a locale; English for an unknown language. */
export function selectHoursTexts(locale: string): HoursTexts {
  return TEXTS[new Intl.Locale(locale).language] ?? ENGLISH;
}
