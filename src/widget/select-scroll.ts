/** What the view does on its own: keep the question in sight, keep the end in sight, or leave the reader alone. */
export type FollowMode = 'question' | 'end' | 'free';

export interface ScrollMetrics {
  readonly top: number;
  readonly viewportHeight: number;
  readonly contentHeight: number;
  /** Distance of the visitor's last message from the top of the content; 0 before there is one. */
  readonly questionTop: number;
  /** There are later entries than those that are drawn. */
  readonly isCut: boolean;
}

/** Air above a question that stands at the top of the view. */
const QUESTION_MARGIN_PX = 12;
/** Nearer than this to an edge of what is drawn, the reader gets what comes next. */
export const NEAR_PX = 600;
/** Less than this below the edge is not something to point at. */
const BELOW_PX = 24;

/** How much is drawn below the view. */
export const pxBelow = ({
  contentHeight,
  viewportHeight,
  top,
}: Pick<ScrollMetrics, 'contentHeight' | 'viewportHeight' | 'top'>): number =>
  contentHeight - viewportHeight - top;

/**
 * Where to scroll to, or null to stay. In `question` mode the end of the answer stays in sight until the
 * question reaches the top: from there on the reader reads, and the text grows below. Never scrolls up.
 */
export function selectScrollTop(mode: FollowMode, metrics: ScrollMetrics): number | null {
  if (mode === 'free') return null;
  const end = Math.max(0, metrics.contentHeight - metrics.viewportHeight);
  const top = mode === 'end' ? end : Math.min(end, Math.max(0, metrics.questionTop - QUESTION_MARGIN_PX));
  return top > metrics.top ? top : null;
}

/** What the reader's own scrolling means: the first step up lets go, arriving at the end follows again. */
export function selectFollowMode(mode: FollowMode, before: ScrollMetrics, now: ScrollMetrics): FollowMode {
  const isShrunk = now.contentHeight < before.contentHeight || now.viewportHeight > before.viewportHeight;
  if (now.top < before.top && !isShrunk) return 'free';
  const isAtEnd = pxBelow(now) < 2 && now.contentHeight > now.viewportHeight && !now.isCut;
  return now.top > before.top && isAtEnd ? 'end' : mode;
}

export function isMoreBelow(metrics: ScrollMetrics): boolean {
  return metrics.isCut || pxBelow(metrics) > BELOW_PX;
}
