import type { Entry, Transcript } from './transcript-state.ts';

type LanguageChange = Entry & { readonly item: { readonly notice: { readonly language: string } } };

const isLanguageChange = (entry: Entry): entry is LanguageChange =>
  entry.item.kind === 'system' && 'language' in entry.item.notice;

/** The language of the last change by sequence; null before any. Source: messaging.md 7.1. */
export const selectLanguage = ({ entries }: Transcript): string | null =>
  entries.findLast(isLanguageChange)?.item.notice.language ?? null;
