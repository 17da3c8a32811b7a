import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import type { Speaker } from '../client/index.ts';
import { toImageUrl } from './markdown/safe-href.ts';
import { usePanel } from './model/panel-model.ts';

/**
 * The picture of a speaker, or the initial: a rounded square for the automated agent, a circle for a person. Without a
 * speaker it is the automated agent, whose picture falls back to the site's `avatarUrl`.
 */
export function Avatar({ speaker }: { speaker?: Speaker | null }): VNode | null {
  const { chat, options, nameOf } = usePanel();
  const failedUrl = useSignal<string | null>(null);
  const kind = speaker?.kind ?? 'agent';
  const toUrl = (raw: string | null | undefined) => toImageUrl(raw, options.value);
  const url = toUrl(speaker?.avatarUrl) ?? (kind === 'agent' ? toUrl(options.value.avatarUrl) : null);
  const initial = [...nameOf(speaker ?? chat.speaker.value).trim()][0]?.toUpperCase() ?? '';
  return (
    <span class={`avatar ${kind}`} aria-hidden="true">
      {url && failedUrl.value !== url ? (
        <img src={url} alt="" referrerpolicy="no-referrer" onError={() => (failedUrl.value = url)} />
      ) : (
        initial
      )}
    </span>
  );
}
