import type { WireAttachment, WireCallAction } from '../../protocol/index.ts';
import type { Attachment, CallAction } from '../chat-state.ts';

const KINDS = {
  ATTACHMENT_CONTENT_TYPE_URL: 'url',
  ATTACHMENT_CONTENT_TYPE_IMAGE: 'image',
  ATTACHMENT_CONTENT_TYPE_UNKNOWN: null,
} as const;

/** What can be rendered: attachments of unknown kinds are left out. Source: messaging.md 7.5. */
export function toAttachments(attachments: readonly WireAttachment[]): readonly Attachment[] {
  return attachments.flatMap((attachment) => {
    const kind = KINDS[attachment.content_type];
    return kind === null
      ? []
      : [
          {
            kind,
            contentUrl: attachment.content_url,
            title: attachment.title,
            previewImageUrl: attachment.preview_image_url,
            callToActionText: attachment.call_to_action_text,
          },
        ];
  });
}

/** Numbers reduced to digits and `+`; an action without any cannot be called and is left out. */
export function toCallActions(actions: readonly WireCallAction[]): readonly CallAction[] {
  return actions
    .map(({ title, contact_number }) => ({ title, phoneNumber: contact_number.replaceAll(/[^\d+]/g, '') }))
    .filter(({ phoneNumber }) => phoneNumber !== '');
}
