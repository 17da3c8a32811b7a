import type { VNode } from 'preact';
import { BannerButton } from './banner.tsx';
import { Composer } from './composer.tsx';
import { usePanel } from './panel-model.ts';

/** The composer, or what takes its place. */
export function Footer(): VNode | null {
  const { isOver, overlay, parts, strings, terms } = usePanel();
  const legal = terms.value;
  const ended = parts.ended.code.value;
  const menu = parts.menu.code.value;
  if (isOver.value && ended) return <ended.EndedBar />;
  return (
    <footer class="footer" part="footer">
      {isOver.value ? (
        // Until the part is there that says why, and where it never comes.
        [strings.value.ended, ' ', <BannerButton key="new" action="new_chat" />]
      ) : overlay.value === 'confirm_end' && menu ? (
        <menu.ConfirmEnd />
      ) : (
        <Composer />
      )}
      {legal && <legal.LegalNotice />}
    </footer>
  );
}
