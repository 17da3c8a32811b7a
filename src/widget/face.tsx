import { toSafeImageUrl } from './markdown/safe-href.ts';
import { useSignal, type View, view } from './view/index.ts';

/** The picture of a speaker, or the initial: a rounded square for the automated agent, a circle for a person. */
export const Face: View<{
  kind: 'agent' | 'live_agent';
  name: string;
  avatarUrl: string | null | undefined;
  size: number;
}> = view((props) => {
  const failedUrl = useSignal<string | null>(null);
  const url = toSafeImageUrl(props.avatarUrl);
  const initial = [...props.name.trim()][0]?.toUpperCase() ?? '';
  return (
    <span class={`face ${props.kind}`} style={{ '--_size': `${props.size}px` }} aria-hidden="true">
      {url && failedUrl.value !== url ? (
        <img src={url} alt="" referrerpolicy="no-referrer" onError={() => (failedUrl.value = url)} />
      ) : (
        initial
      )}
    </span>
  );
});
