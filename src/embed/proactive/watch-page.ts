import type { ProactiveRule } from '../../widget/index.ts';
import { selectRule } from './select-rule.ts';

/** The properties of a page that rules depend on. */
export interface WatchedPage {
  path(): string;
  /** From 0 at the top to 100 at the end; a page that does not scroll stays at 0. */
  scrollPercent(): number;
  isVisible(): boolean;
  /** Reports changes, and whether the pointer leaves the page at its top, until the signal is aborted. */
  listen(onChange: (isLeaving: boolean) => void, signal: AbortSignal): void;
}

/**
 * Calls `onMatch` with a rule whenever something happens while the rule's conditions are met and the page is visible, until the
 * signal is aborted. The time on the page begins anew with another path.
 */
export function watchPage(
  page: WatchedPage,
  rules: readonly ProactiveRule[],
  visits: number,
  signal: AbortSignal,
  onMatch: (rule: ProactiveRule) => void,
): void {
  const needsScroll = rules.some(({ scrollPercent }) => scrollPercent !== undefined);
  let path = page.path();
  let sinceMs = Date.now();
  let timer: ReturnType<typeof setTimeout> | undefined;

  const look = (isLeaving: boolean): void => {
    if (page.path() !== path) {
      path = page.path();
      sinceMs = Date.now();
    }
    const passedMs = Date.now() - sinceMs;
    clearTimeout(timer);
    const waits = rules
      .map(({ afterSeconds = 0 }) => afterSeconds * 1_000 - passedMs)
      .filter((waitMs) => waitMs > 0);
    if (waits.length > 0) timer = setTimeout(look, Math.ceil(Math.min(...waits)), false);
    if (!page.isVisible()) return;
    const rule = selectRule(rules, {
      path,
      secondsOnPage: passedMs / 1_000,
      // Read only if needed, because it forces a layout.
      scrollPercent: needsScroll ? page.scrollPercent() : 0,
      isLeaving,
      visits,
    });
    if (rule) onMatch(rule);
  };
  signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  page.listen(look, signal);
  look(false);
}
