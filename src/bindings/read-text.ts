import type { TranscriptItem } from '../client/index.ts';

/** Returns the text of an entry as it was written; empty for a notice that is only a code. */
export function readText(item: TranscriptItem): string {
  if (item.kind !== 'system') return item.text;
  return item.notice.code === 'platform_message' ? item.notice.text : '';
}
