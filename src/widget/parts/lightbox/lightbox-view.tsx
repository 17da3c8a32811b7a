import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { CLOSE, Icon } from '../../icons.tsx';
import type { ResolvedAttachment } from '../../links/resolve-attachments.ts';
import { NEW_TAB } from '../../links/safe-href.ts';
import { usePanel } from '../../panel/model/panel-model.ts';

const EXTERNAL = 'M9 6h9v9M18 6L6.5 17.5';
const ENLARGE = 'M10.5 4a6.5 6.5 0 100 13 6.5 6.5 0 000-13zM15.5 15.5L20 20M10.5 7.5v6m-3-3h6';

interface LightboxProps {
  readonly src: string;
  readonly resolved: ResolvedAttachment;
  readonly onClose: () => void;
}

/** A picture fitted to the window, or at its own size with scrolling. */
export function LightboxView({ src, resolved: { attachment, href }, onClose }: LightboxProps): VNode {
  const { strings } = usePanel();
  const stage = useRef<HTMLDivElement>(null);
  const isLarge = useSignal(false);
  const hasFailed = useSignal(false);
  const onBackground = (event: MouseEvent) => {
    if (event.target === event.currentTarget) onClose();
  };
  const toggle = () => {
    isLarge.value = !isLarge.peek();
  };
  return (
    <div class="lightbox-frame">
      <div class="lightbox-bar">
        <p class="lightbox-title">
          <bdi>{attachment.title}</bdi>
        </p>
        {!hasFailed.value && (
          <button
            type="button"
            aria-label={strings.value.actualSize}
            aria-pressed={isLarge.value}
            onClick={toggle}
          >
            <Icon path={ENLARGE} />
          </button>
        )}
        <a href={href} {...NEW_TAB} aria-label={`${strings.value.openLink} (${strings.value.opensNewTab})`}>
          <Icon path={EXTERNAL} />
        </a>
        <button type="button" aria-label={strings.value.closeImage} onClick={onClose}>
          <Icon path={CLOSE} />
        </button>
      </div>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Escape and the button do the same */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a second way, for pointers */}
      <div
        class={isLarge.value ? 'stage large' : 'stage'}
        ref={stage}
        tabIndex={isLarge.value ? 0 : -1}
        onClick={onBackground}
      >
        {hasFailed.value ? (
          <p>{strings.value.imageFailed}</p>
        ) : (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the button does the same
          <img
            src={src}
            alt={attachment.title ?? ''}
            referrerpolicy="no-referrer"
            onClick={toggle}
            onError={() => (hasFailed.value = true)}
          />
        )}
      </div>
    </div>
  );
}
