import type { ByLanguage } from '../../locales/catalogue.ts';

/** Texts of notices that few chats have, in one language. */
export interface NoticeTexts {
  /** A person passes the chat to another person, or to a queue. */
  readonly passed: string;
}

/** All languages in one file, because they are small and load with the part. */
export const NOTICE_TEXTS: ByLanguage<NoticeTexts> = {
  en: { passed: '{name} is passing you to {next}' },
  ar: { passed: 'جارٍ تحويلك من {name} إلى {next}' },
  de: { passed: '{name} leitet Sie an {next} weiter' },
  es: { passed: '{name} le pasa con {next}' },
  fr: { passed: '{name} vous met en relation avec {next}' },
  he: { passed: 'השיחה עוברת מ־{name} אל {next}' },
  it: { passed: '{name} la mette in contatto con {next}' },
  ja: { passed: '{name}が{next}におつなぎしています' },
  nl: { passed: '{name} verbindt u door met {next}' },
  pl: { passed: '{name} przekazuje rozmowę do: {next}' },
  pt: { passed: '{name} está passando a conversa para {next}' },
  zh: { passed: '{name}正在为您转接{next}' },
};
