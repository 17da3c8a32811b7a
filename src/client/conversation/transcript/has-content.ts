import type { TranscriptItem } from '../../chat-state.ts';
import { isBlank } from '../../is-blank.ts';

/** Returns false for a message without visible content, which is not shown. Its suggestions are. */
export const hasContent = (item: TranscriptItem): boolean =>
  item.kind !== 'agent' ||
  !isBlank(item.text) ||
  item.isStopped === true ||
  item.attachments.length > 0 ||
  item.callActions.length > 0;
