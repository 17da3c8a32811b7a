/** The target that automatic scrolling keeps in view: the visitor's question, the end, or none. */
export type FollowMode = 'question' | 'end' | 'free';

export interface ScrollMetrics {
  readonly top: number;
  readonly viewportHeight: number;
  readonly contentHeight: number;
  /** Distance of the visitor's last message, or of a later chat's beginning below it, from the top of the content; 0 without. */
  readonly questionTop: number;
  /** There are entries after the last one that is drawn. */
  readonly isCut: boolean;
}

/** Space above a question at the top of the view. */
const QUESTION_MARGIN_PX = 12;
/** Within this distance of the first or last drawn message, more messages are drawn. */
export const NEAR_PX = 600;
/** Less content than this below the view shows no button. */
const BELOW_PX = 24;

/** Height of the content below the view. */
export const pxBelow = ({
  contentHeight,
  viewportHeight,
  top,
}: Pick<ScrollMetrics, 'contentHeight' | 'viewportHeight' | 'top'>): number =>
  contentHeight - viewportHeight - top;

/**
 * Returns where to scroll to; `null` to stay. In `question` mode the end of the answer stays in view until the question
 * reaches the top; then the view stays, and the answer grows below it. Never scrolls up.
 */
export function selectScrollTop(mode: FollowMode, metrics: ScrollMetrics): number | null {
  if (mode === 'free') return null;
  const end = Math.max(0, metrics.contentHeight - metrics.viewportHeight);
  const top = mode === 'end' ? end : Math.min(end, Math.max(0, metrics.questionTop - QUESTION_MARGIN_PX));
  return top > metrics.top ? top : null;
}

/** Returns the mode after the reader scrolled: scrolling up stops following, reaching the end starts it again. */
export function selectFollowMode(mode: FollowMode, before: ScrollMetrics, now: ScrollMetrics): FollowMode {
  const isShrunk = now.contentHeight < before.contentHeight || now.viewportHeight > before.viewportHeight;
  if (now.top < before.top && !isShrunk) return 'free';
  const isAtEnd = pxBelow(now) < 2 && now.contentHeight > now.viewportHeight && !now.isCut;
  return now.top > before.top && isAtEnd ? 'end' : mode;
}

export function isMoreBelow(metrics: ScrollMetrics): boolean {
  return metrics.isCut || pxBelow(metrics) > BELOW_PX;
}
