import type { Attachment } from '../client/index.ts';
import { toImageUrl, toSafeHref } from './markdown/safe-href.ts';
import type { WidgetOptions } from './options.ts';

/** An attachment that leads somewhere safe, with the address of the picture to show if there is one that may be fetched. */
export interface ResolvedAttachment {
  readonly attachment: Attachment;
  readonly href: string;
  readonly picture: string | null;
}

/** Attachments with their addresses; those whose address is not safe are left out. Source: messaging.md 7.5. */
export function resolveAttachments(
  attachments: readonly Attachment[],
  options: WidgetOptions,
): readonly ResolvedAttachment[] {
  return attachments.flatMap((attachment) => {
    const { kind, contentUrl, previewImageUrl } = attachment;
    const own = kind === 'image' ? contentUrl : null;
    const href = toSafeHref(contentUrl ?? (kind === 'image' ? previewImageUrl : null) ?? '');
    const picture = toImageUrl(previewImageUrl, options) ?? toImageUrl(own, options);
    return href ? [{ attachment, href, picture }] : [];
  });
}

/** The name of the host that an address leads to, as people say it. */
export function hostOf(href: string): string {
  return new URL(href).hostname.replace(/^www\./, '') || href;
}
