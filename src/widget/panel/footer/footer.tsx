import type { VNode } from 'preact';
import { BannerButton } from '../banner.tsx';
import { ErrorBoundary } from '../error-boundary.tsx';
import { usePanel } from '../model/panel-model.ts';
import { Composer } from './composer.tsx';
import { Suggestions } from './suggestions.tsx';

/** The composer, below the reason and the survey after the end of a chat, or the confirmation before it. */
export function Footer(): VNode | null {
  const { isOver, overlay, parts, strings, terms, closedUntilMs } = usePanel();
  const hours = parts.hours.code.value;
  const untilMs = closedUntilMs.value;
  const legal = terms.value;
  const ended = parts.ended.code.value;
  const menu = parts.menu.code.value;
  return (
    <div class="footer" part="footer" tabIndex={-1}>
      {isOver.value &&
        (ended ? (
          <ended.EndedLines />
        ) : (
          // Until the part with the reason has loaded, and as a fallback if it does not.
          <p class="over">
            {strings.value.ended} <BannerButton action="new_chat" />
          </p>
        ))}
      {overlay.value === 'confirm_end' && menu ? (
        <menu.ConfirmEnd />
      ) : hours && untilMs !== null ? (
        <hours.ClosedLine untilMs={untilMs} />
      ) : (
        <>
          <ErrorBoundary>
            <Suggestions />
          </ErrorBoundary>
          <Composer />
        </>
      )}
      {legal && <legal.LegalNotice />}
    </div>
  );
}
