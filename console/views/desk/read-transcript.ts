import { toSafeHref } from '../../../src/widget/links/safe-href.ts';
import { splitFiles } from '../../../src/widget/parts/tools/split-files.ts';
import type { Entry } from './desk-types.ts';

/** A file, picture or page that comes with a message. */
export interface Attachment {
  readonly isPicture: boolean;
  readonly href: string;
  readonly title: string;
}

/** A line of the transcript. */
export interface Line {
  readonly key: string;
  readonly author: 'visitor' | 'agent' | 'person' | 'notice';
  readonly name: string;
  readonly text: string;
  readonly attachments: readonly Attachment[];
  readonly at: string;
}

const NOTICES: Readonly<Record<string, string>> = {
  AGENT_JOINED: 'The agent is answering.',
  AGENT_TRIGGERED_HANDOFF: 'The agent asked for your team.',
  HANDOFF_FAILED: 'The hand-off failed.',
  HANDOFF_TIMEOUT: 'The visitor waited too long.',
  SESSION_END: 'The conversation has ended.',
};

/** The lines of a conversation, from its log in order. Pieces of an answer are put together. */
export function readTranscript(entries: readonly Entry[]): readonly Line[] {
  const lines = new Map<string, Line>();
  for (const { sequence, type, payload, at } of entries) {
    const textOf = (name: string): string => (typeof payload[name] === 'string' ? payload[name] : '');
    const id = textOf('message_id') || String(sequence);
    const known = lines.get(id);
    const add = (
      author: Line['author'],
      name: string,
      text: string,
      attachments: Line['attachments'] = [
        ...(known?.attachments ?? []),
        ...readAttachments(payload['attachments']),
      ],
    ): void => {
      if (text !== '' || attachments.length > 0)
        lines.set(id, { key: id, author, name, text, attachments, at: known?.at ?? at });
    };
    switch (type) {
      case 'USER_MESSAGE': {
        const { text, attachments } = readVisitorText(textOf('text'));
        add('visitor', 'Visitor', text, attachments);
        break;
      }
      case 'AGENT_MESSAGE':
        add('agent', 'Automated agent', textOf('text'));
        break;
      case 'AGENT_MESSAGE_CHUNK':
        add('agent', 'Automated agent', (known?.text ?? '') + textOf('text'));
        break;
      case 'LIVE_AGENT_MESSAGE':
        add('person', textOf('agent_name'), textOf('text'));
        break;
      case 'LIVE_AGENT_JOINED':
        add('notice', '', `${nameOf(payload['agent'])} has joined.`);
        break;
      case 'LIVE_AGENT_LEFT':
        add(
          'notice',
          '',
          textOf('next_name') === ''
            ? `${textOf('agent_name')} has left.`
            : `${textOf('agent_name')} has transferred the conversation to ${textOf('next_name')}.`,
        );
        break;
      case 'HANDOFF_ACCEPTED':
        add('notice', '', `Queued for ${textOf('queue_name')}.`);
        break;
      case 'SYSTEM_MESSAGE':
        add('notice', '', textOf('message'));
        break;
      default:
        add('notice', '', NOTICES[type] ?? '');
    }
  }
  return [...lines.values()];
}

/** Splits a visitor's message into its text and the files whose addresses are its last lines. */
export function readVisitorText(message: string): Pick<Line, 'text' | 'attachments'> {
  const { text, files } = splitFiles(message);
  return {
    text,
    attachments: files.map(({ isPicture, url, name }) => ({ isPicture, href: url, title: name })),
  };
}

function readAttachments(list: unknown): readonly Attachment[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((each: unknown) => {
    if (typeof each !== 'object' || each === null) return [];
    const { content_type: type, content_url: url, title }: Readonly<Record<string, unknown>> = { ...each };
    const href = typeof url === 'string' ? toSafeHref(url) : null;
    if (href === null) return [];
    const isPicture = type === 'ATTACHMENT_CONTENT_TYPE_IMAGE';
    return [{ isPicture, href, title: typeof title === 'string' && title !== '' ? title : href }];
  });
}

function nameOf(agent: unknown): string {
  return typeof agent === 'object' && agent !== null ? String(Reflect.get(agent, 'name') ?? '') : '';
}
