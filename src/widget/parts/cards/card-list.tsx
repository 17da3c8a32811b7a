import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { retryImport } from '../../../client/index.ts';
import { Icon } from '../../icons.tsx';
import { hostOf, type ResolvedAttachment } from '../../links/resolve-attachments.ts';
import { NEW_TAB } from '../../links/safe-href.ts';
import { useLink } from '../../links/use-link.ts';
import { listKey } from '../../list-key.ts';
import { usePanel } from '../../panel/model/panel-model.ts';

const EXTERNAL = 'M9 6h9v9M18 6L6.5 17.5';

/** Pictures and link cards in a column. A picture that the image policy does not allow is a link card. */
export function CardList({ shown }: { shown: readonly ResolvedAttachment[] }): VNode {
  return (
    <div class="attachments">
      {shown.map((resolved, index) =>
        resolved.attachment.kind === 'image' && resolved.picture ? (
          <Picture key={listKey(index, resolved.href)} resolved={resolved} src={resolved.picture} />
        ) : (
          <AttachmentCard key={listKey(index, resolved.href)} resolved={resolved} />
        ),
      )}
    </div>
  );
}

function AttachmentCard({ resolved }: { resolved: ResolvedAttachment }): VNode {
  const { strings } = usePanel();
  const { attachment, href, picture } = resolved;
  const { kind, title, callToActionText } = attachment;
  const action = callToActionText || (kind === 'image' ? strings.value.openImage : undefined);
  return <LinkCard href={href} picture={picture} title={title} action={action} />;
}

interface LinkCardProps {
  readonly href: string;
  readonly picture?: string | null;
  /** Default: the host. */
  readonly title?: string | null;
  /** Default: "Open". */
  readonly action?: string | undefined;
}

/** A card that is a link, as a whole. */
export function LinkCard({ href, picture, title, action }: LinkCardProps): VNode {
  const { strings } = usePanel();
  const toLink = useLink();
  const hasFailed = useSignal(false);
  const host = hostOf(href);
  const texts = {
    title: title || host,
    // An address without a title: the rest of it, below its host.
    place: title ? host : href.replace(/^.*?:\/\/[^/]*\/?/, ''),
    action: action ?? strings.value.openLink,
  };
  return (
    <a class="link-card" part="link-card" {...toLink(href, Object.values(texts).join(' '))}>
      {picture && !hasFailed.value && (
        <img
          class="card-image"
          src={picture}
          alt=""
          referrerpolicy="no-referrer"
          decoding="async"
          onError={() => (hasFailed.value = true)}
        />
      )}
      <span class="card-text">
        <span class="card-title">
          <bdi>{texts.title}</bdi>
        </span>
        <span class="card-host" dir="ltr">
          {texts.place}
        </span>
        <span class="card-action">
          <bdi>{texts.action}</bdi>
          <Icon path={EXTERNAL} size={16} />
        </span>
      </span>
    </a>
  );
}

const PLACE_RATIO = 4 / 3;
/** A picture fills its box, slightly cropped, when the two aspect ratios differ by less than this factor. */
const NEAR = 1.25;

/**
 * A picture in a box of fixed aspect ratio. The ratio of the picture is known only after it has loaded, and a change of
 * the box would move the text below it. A click opens the lightbox.
 */
function Picture({ resolved, src }: { resolved: ResolvedAttachment; src: string }): VNode | null {
  const model = usePanel();
  const { strings } = model;
  const { attachment, href } = resolved;
  const hasFailed = useSignal(false);
  const isNear = useSignal(false);
  const { title } = attachment;
  const name = [strings.value.openImage, title].filter(Boolean).join(': ');
  const onLoad = (event: Event) => {
    const { naturalWidth, naturalHeight } = event.currentTarget as HTMLImageElement;
    const ratio = naturalWidth / naturalHeight / PLACE_RATIO;
    isNear.value = ratio < NEAR && ratio > 1 / NEAR;
  };
  const onClick = (event: MouseEvent) => {
    const opener = event.currentTarget;
    // With a modifier key the browser opens a tab or a window, as on every link.
    const isPlain = !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
    if (!isPlain || !(opener instanceof HTMLElement)) return;
    event.preventDefault();
    retryImport(() => import('../lightbox/open-lightbox.tsx')).then(
      ({ openLightbox }) => openLightbox(resolved, src, opener, model),
      // The lightbox could not be loaded: open the picture in a tab.
      () => open(href, NEW_TAB.target, 'noopener,noreferrer'),
    );
  };
  return (
    <figure class="picture">
      {hasFailed.value ? (
        <a href={href} {...NEW_TAB}>
          <span class="picture-failed">{strings.value.imageFailed}</span>{' '}
          <span class="sr">
            {name} ({strings.value.opensNewTab})
          </span>
        </a>
      ) : (
        <a href={href} {...NEW_TAB} aria-label={name} aria-haspopup="dialog" onClick={onClick}>
          <img
            src={src}
            alt={title ?? ''}
            class={isNear.value ? 'fills' : undefined}
            referrerpolicy="no-referrer"
            decoding="async"
            onLoad={onLoad}
            onError={() => (hasFailed.value = true)}
          />
        </a>
      )}
      {title && (
        <figcaption>
          <bdi>{title}</bdi>
        </figcaption>
      )}
    </figure>
  );
}
