import type { Attachment } from '../client/index.ts';
import { Icon } from './icons.tsx';
import { NEW_TAB, toSafeHref, toSafeImageUrl } from './markdown/safe-href.ts';
import { usePanel } from './panel-model.ts';
import { useSignal, type View, view } from './view.ts';

interface Linked {
  readonly attachment: Attachment;
  readonly href: string;
  readonly preview: string | null;
}

/** Pictures and link cards of a message. Addresses that are not safe are left out. Source: messaging.md 7.5. */
export const Attachments: View<{ attachments: readonly Attachment[] }> = view(({ attachments }) => {
  const shown = withAddress(attachments).filter(
    ({ attachment, preview }) => attachment.kind === 'image' || preview,
  );
  if (shown.length === 0) return null;
  return (
    <div class="attachments">
      {shown.map((linked) =>
        linked.attachment.kind === 'image' ? (
          <Picture key={linked.href} linked={linked} />
        ) : (
          <LinkCard key={linked.href} linked={linked} />
        ),
      )}
    </div>
  );
});

/** Links without a picture: where an answer comes from, as quiet chips below it. */
export const Sources: View<{ attachments: readonly Attachment[] }> = view(({ attachments }) => {
  const { strings } = usePanel();
  const shown = withAddress(attachments).filter(
    ({ attachment, preview }) => attachment.kind === 'url' && !preview,
  );
  if (shown.length === 0) return null;
  return (
    <ul class="sources" aria-label={strings.value.sources}>
      {shown.map(({ attachment, href }) => (
        <li key={href}>
          <a class="source" href={href} {...NEW_TAB} title={attachment.callToActionText ?? hostOf(href)}>
            <Icon name="link" size={14} />
            <span dir="auto">{attachment.title || hostOf(href)}</span>
          </a>
        </li>
      ))}
    </ul>
  );
});

function withAddress(attachments: readonly Attachment[]): readonly Linked[] {
  return attachments.flatMap((attachment) => {
    const preview = toSafeImageUrl(attachment.previewImageUrl);
    const href = toSafeHref(attachment.contentUrl ?? '') ?? (attachment.kind === 'image' ? preview : null);
    return href ? [{ attachment, href, preview }] : [];
  });
}

const LinkCard = view(({ linked }: { linked: Linked }) => {
  const { strings } = usePanel();
  const { attachment, href, preview } = linked;
  const hasFailed = useSignal(false);
  return (
    <a class="card" href={href} {...NEW_TAB}>
      {preview && !hasFailed.value && (
        <img
          class="card-image"
          src={preview}
          alt=""
          referrerpolicy="no-referrer"
          decoding="async"
          onError={() => (hasFailed.value = true)}
        />
      )}
      <span class="card-text">
        <span class="card-title" dir="auto">
          {attachment.title || hostOf(href)}
        </span>
        <span class="card-host">{hostOf(href)}</span>
        <span class="card-action">
          <span dir="auto">{attachment.callToActionText || strings.value.openLink}</span>
          <Icon name="external" size={16} />
          <span class="sr"> ({strings.value.opensNewTab})</span>
        </span>
      </span>
    </a>
  );
});

// Until a picture has told its shape it keeps a place of this one, and very tall or wide ones are cropped.
const RESERVED_RATIO = 4 / 3;
const MIN_RATIO = 3 / 4;
const MAX_RATIO = 5 / 2;

const Picture = view(({ linked }: { linked: Linked }) => {
  const { strings } = usePanel();
  const { attachment, href, preview } = linked;
  const ratio = useSignal(RESERVED_RATIO);
  const state = useSignal<'loading' | 'loaded' | 'failed'>('loading');
  const onLoad = (event: Event) => {
    const image = event.currentTarget as HTMLImageElement;
    ratio.value = Math.min(
      MAX_RATIO,
      Math.max(MIN_RATIO, image.naturalWidth / image.naturalHeight || RESERVED_RATIO),
    );
    state.value = 'loaded';
  };
  const label = attachment.title || strings.value.openImage;
  return (
    <figure class={`picture ${state.value}`}>
      <a href={href} {...NEW_TAB} aria-label={`${label} (${strings.value.opensNewTab})`}>
        {state.value === 'failed' ? (
          <span class="picture-failed">{strings.value.imageFailed}</span>
        ) : (
          <img
            src={preview ?? href}
            alt={attachment.title ?? ''}
            style={{ aspectRatio: String(ratio.value) }}
            referrerpolicy="no-referrer"
            decoding="async"
            onLoad={onLoad}
            onError={() => (state.value = 'failed')}
          />
        )}
      </a>
      {attachment.title && <figcaption dir="auto">{attachment.title}</figcaption>}
    </figure>
  );
});

function hostOf(href: string): string {
  return new URL(href).hostname.replace(/^www\./, '') || href;
}
