import { describe, expect, it } from 'vitest';
import { isMoreBelow, type ScrollMetrics, selectFollowMode, selectScrollTop } from './select-scroll.ts';

const view = (changes: Partial<ScrollMetrics>): ScrollMetrics => ({
  top: 0,
  viewportHeight: 400,
  contentHeight: 1_000,
  questionTop: 500,
  isCut: false,
  ...changes,
});

describe('the view while an answer streams', () => {
  it('keeps the end of a streaming answer in view while there is room above the question', () => {
    expect(selectScrollTop('question', view({ contentHeight: 700 }))).toBe(300);
  });

  it('stops scrolling when the question has reached the top, however long the answer gets', () => {
    expect(selectScrollTop('question', view({ contentHeight: 1_000 }))).toBe(488);
    expect(selectScrollTop('question', view({ contentHeight: 9_000 }))).toBe(488);
  });

  it('never scrolls up automatically', () => {
    expect(selectScrollTop('question', view({ top: 600 }))).toBeNull();
    expect(selectScrollTop('end', view({ top: 600, contentHeight: 900 }))).toBeNull();
  });

  it('does not scroll for a reader who has scrolled up', () => {
    expect(selectScrollTop('free', view({ contentHeight: 5_000 }))).toBeNull();
  });

  it('follows the end of the answer on request', () => {
    expect(selectScrollTop('end', view({ contentHeight: 5_000 }))).toBe(4_600);
  });
});

describe('what scrolling means', () => {
  it('stops following when the reader scrolls up, even by one pixel', () => {
    expect(selectFollowMode('question', view({ top: 300 }), view({ top: 299 }))).toBe('free');
    expect(selectFollowMode('end', view({ top: 600 }), view({ top: 599 }))).toBe('free');
  });

  it('follows again when the reader reaches the end', () => {
    expect(selectFollowMode('free', view({ top: 300 }), view({ top: 600 }))).toBe('end');
  });

  it('does not mistake a smaller view for scrolling up', () => {
    const before = view({ top: 600 });
    expect(selectFollowMode('end', before, view({ top: 500, contentHeight: 900 }))).toBe('end');
    expect(selectFollowMode('end', before, view({ top: 500, viewportHeight: 500 }))).toBe('end');
  });

  it('shows that there is more below only if it is large enough to see', () => {
    expect(isMoreBelow(view({ top: 590 }))).toBe(false);
    expect(isMoreBelow(view({ top: 400 }))).toBe(true);
  });

  it('does not mistake the end of the drawn messages for the end', () => {
    expect(selectFollowMode('free', view({ top: 300 }), view({ top: 600, isCut: true }))).toBe('free');
    expect(isMoreBelow(view({ top: 600, isCut: true }))).toBe(true);
  });
});
