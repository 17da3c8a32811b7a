import { Icon } from '../icons.tsx';
import { hostOf, type Linked } from '../linked.ts';
import { NEW_TAB } from '../markdown/safe-href.ts';
import { usePanel } from '../panel-model.ts';
import { useSignal, type View, view } from '../view/index.ts';

const EXTERNAL = 'M9 6h9v9M18 6L6.5 17.5';

/** Pictures and link cards, one below the other. */
export const CardList: View<{ shown: readonly Linked[] }> = view(({ shown }) => (
  <div class="attachments">
    {shown.map((linked) =>
      linked.attachment.kind === 'image' ? (
        <Picture key={linked.href} linked={linked} />
      ) : (
        <LinkCard key={linked.href} linked={linked} />
      ),
    )}
  </div>
));

const LinkCard = view(({ linked }: { linked: Linked }) => {
  const { strings } = usePanel();
  const { attachment, href, preview } = linked;
  const hasFailed = useSignal(false);
  return (
    <a class="link-card" href={href} {...NEW_TAB}>
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
        <span class="card-title">
          <bdi>{attachment.title || hostOf(href)}</bdi>
        </span>
        <span class="card-host">{hostOf(href)}</span>
        <span class="card-action">
          <bdi>{attachment.callToActionText || strings.value.openLink}</bdi>
          <Icon name="external" path={EXTERNAL} size={16} />
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
            style={{ 'aspect-ratio': String(ratio.value) }}
            referrerpolicy="no-referrer"
            decoding="async"
            onLoad={onLoad}
            onError={() => (state.value = 'failed')}
          />
        )}
      </a>
      {attachment.title && (
        <figcaption>
          <bdi>{attachment.title}</bdi>
        </figcaption>
      )}
    </figure>
  );
});
