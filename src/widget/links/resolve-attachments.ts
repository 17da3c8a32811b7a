import type { Attachment } from '../../client/index.ts';
import type { WidgetOptions } from '../options.ts';
import { toImageUrl, toSafeHref } from './safe-href.ts';

/** An attachment with a safe address. `picture` is `null` if there is none, or the image policy does not allow it. */
export interface ResolvedAttachment {
  readonly attachment: Attachment;
  readonly href: string;
  readonly picture: string | null;
}

/** Resolves the addresses of attachments, and leaves out unsafe ones. Source: messaging.md 7.5. */
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

/** Returns the host name of an address, without `www.`. */
export function hostOf(href: string): string {
  return new URL(href).hostname.replace(/^www\./, '') || href;
}
