import type { Attachment } from '../client/index.ts';
import { toSafeHref, toSafeImageUrl } from './markdown/safe-href.ts';

/** An attachment that leads somewhere safe, with its picture if it has one. */
export interface Linked {
  readonly attachment: Attachment;
  readonly href: string;
  readonly preview: string | null;
}

/** Attachments with their addresses; those whose address is not safe are left out. Source: messaging.md 7.5. */
export function toLinked(attachments: readonly Attachment[]): readonly Linked[] {
  return attachments.flatMap((attachment) => {
    const preview = toSafeImageUrl(attachment.previewImageUrl);
    const href = toSafeHref(attachment.contentUrl ?? '') ?? (attachment.kind === 'image' ? preview : null);
    return href ? [{ attachment, href, preview }] : [];
  });
}

/** The name of the host that an address leads to, as people say it. */
export function hostOf(href: string): string {
  return new URL(href).hostname.replace(/^www\./, '') || href;
}
