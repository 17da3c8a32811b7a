import type { Transcript } from './transcript-state.ts';

/** The language of the latest change by sequence; null before any. Source: messaging.md 7.1. */
export function selectLanguage({ entries }: Transcript): string | null {
  const last = entries.findLast(
    ({ item }) => item.kind === 'system' && item.notice.code === 'language_changed',
  );
  return last?.item.kind === 'system' && 'language' in last.item.notice ? last.item.notice.language : null;
}
