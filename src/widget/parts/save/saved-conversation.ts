import type { Speaker, TranscriptItem } from '../../../client/index.ts';
import { isDemonstration } from '../../is-demonstration.ts';
import { resolveAttachments } from '../../links/resolve-attachments.ts';
import type { PanelModel } from '../../panel/model/panel-model.ts';

/** Snapshot of a conversation for export. Contains no token, no ticket and no session id. */
export interface SavedConversation {
  /** The panel's title, else the agent's name. */
  readonly title: string;
  /** BCP-47 tag that times and notices are written in. */
  readonly language: string;
  readonly direction: 'ltr' | 'rtl';
  /** Reading direction of the conversation's language. */
  readonly textDirection: 'ltr' | 'rtl';
  readonly savedAtMs: number;
  readonly entries: readonly SavedEntry[];
  /** Reads the Markdown of answers; `null` where its code could not be loaded. */
  readonly markdown: Markdown | null;
}

type Markdown = Pick<typeof import('../../markdown/index.ts'), 'createMarkdownStream' | 'readText'>;

export type SavedEntry = SavedMessage | SavedNotice;

export interface SavedMessage {
  readonly kind: 'message';
  readonly atMs: number;
  /** `person` is an employee of the site, `agent` the automated agent, `demonstration` a script that plays a person. */
  readonly from: 'visitor' | 'agent' | 'person' | 'demonstration';
  readonly name: string;
  /** Markdown; plain text if `from` is `visitor`. */
  readonly text: string;
  /** False for a message of the visitor that the platform has not stored. */
  readonly isSent: boolean;
  /** The visitor stopped the answer. */
  readonly isStopped?: true;
  readonly links: readonly { readonly title: string; readonly url: string }[];
  readonly calls: readonly { readonly title: string; readonly phoneNumber: string }[];
}

/** An event of the conversation, such as a person who joined. */
export interface SavedNotice {
  readonly kind: 'notice';
  readonly atMs: number;
  readonly code: string;
  readonly text: string;
}

type SnapshotSource = Pick<
  PanelModel,
  | 'chat'
  | 'entries'
  | 'options'
  | 'strings'
  | 'partTexts'
  | 'locale'
  | 'direction'
  | 'textDirection'
  | 'nameOf'
>;

type SelectNoticeText = typeof import('../notices/index.ts').selectNoticeText;

/**
 * Takes a snapshot of all entries of the transcript, including ended chats, with texts in the language of the panel. Notices are left out without
 * `selectNoticeText`.
 */
export function createSnapshot(
  source: SnapshotSource,
  savedAtMs: number,
  markdown: Markdown | null,
  selectNoticeText?: SelectNoticeText,
): SavedConversation {
  const { chat, entries, options, strings, locale, direction, textDirection, nameOf } = source;
  const read = (item: TranscriptItem): SavedEntry | null => {
    const { atMs } = item;
    if (item.kind === 'system') {
      if (!selectNoticeText) return null;
      const text = selectNoticeText(item.notice, source);
      return { kind: 'notice', atMs, code: item.notice.code, text };
    }
    const isOwn = item.kind === 'user';
    return {
      kind: 'message',
      atMs,
      from: isOwn ? 'visitor' : selectRole(item.speaker),
      name: isOwn ? strings.peek().you : nameOf(item.speaker),
      text: item.text,
      isSent: !isOwn || item.delivery.status === 'sent',
      ...(!isOwn && item.isStopped && { isStopped: true }),
      links: isOwn
        ? []
        : resolveAttachments(item.attachments, options.peek()).map(({ attachment, href }) => ({
            title: attachment.title || href,
            url: href,
          })),
      calls: isOwn ? [] : item.callActions,
    };
  };
  return {
    title: options.peek().title || nameOf(chat.speaker.peek()),
    language: locale.peek(),
    direction: direction.peek(),
    textDirection: textDirection.peek(),
    savedAtMs,
    entries: entries.peek().flatMap((message) => read(message.peek()) ?? []),
    markdown,
  };
}

function selectRole(speaker: Speaker): 'agent' | 'person' | 'demonstration' {
  if (isDemonstration(speaker)) return 'demonstration';
  return speaker.kind === 'live_agent' ? 'person' : 'agent';
}
