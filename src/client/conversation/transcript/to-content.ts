import type { ServerPayloads } from '../../../protocol/index.ts';
import type { Attachment, CallAction, Suggestion } from '../../chat-state.ts';
import { stripEnumPrefix } from './strip-enum-prefix.ts';

/** The displayed content of a message. */
export interface Content {
  readonly text: string;
  readonly attachments: readonly Attachment[];
  readonly callActions: readonly CallAction[];
  readonly suggestions: readonly Suggestion[];
}

/**
 * Returns the content that can be rendered: attachments of unknown kinds are omitted, and phone numbers reduced to
 * digits and `+`; an action without any digits is omitted. Source: messaging.md 7.5.
 */
export function toContent({
  text,
  attachments,
  chat_call_actions,
  response_suggestions,
}: ServerPayloads[
  | 'EVENT_TYPE_AGENT_MESSAGE'
  | 'EVENT_TYPE_AGENT_MESSAGE_CHUNK'
  | 'EVENT_TYPE_LIVE_AGENT_MESSAGE']): Content {
  return {
    text,
    attachments: attachments.flatMap((attachment) => {
      const kind = stripEnumPrefix('ATTACHMENT_CONTENT_TYPE_', attachment.content_type);
      return kind === 'unknown'
        ? []
        : {
            kind,
            contentUrl: attachment.content_url,
            title: attachment.title,
            previewImageUrl: attachment.preview_image_url,
            callToActionText: attachment.call_to_action_text,
          };
    }),
    callActions: chat_call_actions
      .map(({ title, contact_number }) => ({ title, phoneNumber: contact_number.replaceAll(/[^\d+]/g, '') }))
      .filter(({ phoneNumber }) => phoneNumber),
    suggestions: response_suggestions
      .map(({ message_text }) => ({ text: message_text }))
      .filter(({ text }) => text),
  };
}
