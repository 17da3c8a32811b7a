import type { VNode } from 'preact';
import { BannerButton } from '../banner.tsx';
import { usePanel } from '../model/panel-model.ts';
import { Composer } from './composer.tsx';

/** The composer, the confirmation before a chat ends, or the bar after its end. */
export function Footer(): VNode | null {
  const { isOver, overlay, parts, strings, terms } = usePanel();
  const legal = terms.value;
  const ended = parts.ended.code.value;
  const menu = parts.menu.code.value;
  if (isOver.value && ended) return <ended.EndedBar />;
  return (
    <footer class="footer" part="footer">
      {isOver.value ? (
        // Until the part with the reason has loaded, and as a fallback if it does not.
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
