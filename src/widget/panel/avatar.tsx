import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import type { Speaker } from '../../client/index.ts';
import { toImageUrl } from '../links/safe-href.ts';
import { usePanel } from './model/panel-model.ts';

/**
 * The picture of a speaker, or the initial: a rounded square for the automated agent, a circle for a person. Without a
 * speaker it is the automated agent. Its picture is the site's `avatarUrl`, which may be relative to the page, else its
 * own from an allowed host. A picture is shown once it has been decoded, and the one before stays until then; the
 * initial is shown only where there is no picture.
 */
export function Avatar({ speaker: requested }: { speaker?: Speaker | null }): VNode | null {
  const { agent, decodedFaces, options, nameOf } = usePanel();
  const speaker = requested ?? agent.value;
  const kind = speaker?.kind ?? 'agent';
  const url = (kind === 'agent' && options.value.avatarUrl) || toImageUrl(speaker?.avatarUrl, options.value);
  const failedUrl = useSignal<string | null>(null);
  const shownUrl = useSignal(url && decodedFaces.has(url) ? url : null);
  useLayoutEffect(() => {
    if (!url || shownUrl.peek() === url) return;
    let isWanted = true;
    const image = new Image();
    image.referrerPolicy = 'no-referrer';
    image.src = url;
    image.decode().then(
      () => {
        decodedFaces.add(url);
        if (isWanted) shownUrl.value = url;
      },
      () => {
        if (isWanted) failedUrl.value = url;
      },
    );
    return () => {
      isWanted = false;
    };
  }, [url, decodedFaces, shownUrl, failedUrl]);
  const hasPicture = url !== null && failedUrl.value !== url;
  const initial = [...nameOf(speaker).trim()][0]?.toUpperCase();
  return (
    <span class={`avatar ${kind}`} aria-hidden="true">
      {hasPicture
        ? shownUrl.value && <img src={shownUrl.value} alt="" referrerpolicy="no-referrer" />
        : initial}
    </span>
  );
}
