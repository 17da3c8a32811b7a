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
  it('keeps the end of the answer in sight while the question has room above it', () => {
    expect(selectScrollTop('question', view({ contentHeight: 700 }))).toBe(300);
  });

  it('stops when the question has reached the top, however long the answer gets', () => {
    expect(selectScrollTop('question', view({ contentHeight: 1_000 }))).toBe(488);
    expect(selectScrollTop('question', view({ contentHeight: 9_000 }))).toBe(488);
  });

  it('never scrolls up on its own', () => {
    expect(selectScrollTop('question', view({ top: 600 }))).toBeNull();
    expect(selectScrollTop('end', view({ top: 600, contentHeight: 900 }))).toBeNull();
  });

  it('leaves a reader who has let go alone', () => {
    expect(selectScrollTop('free', view({ contentHeight: 5_000 }))).toBeNull();
  });

  it('follows the end once the reader has asked for it', () => {
    expect(selectScrollTop('end', view({ contentHeight: 5_000 }))).toBe(4_600);
  });
});

describe('what scrolling means', () => {
  it('lets go at the first step up, be it one pixel', () => {
    expect(selectFollowMode('question', view({ top: 300 }), view({ top: 299 }))).toBe('free');
    expect(selectFollowMode('end', view({ top: 600 }), view({ top: 599 }))).toBe('free');
  });

  it('follows again when the reader arrives at the end', () => {
    expect(selectFollowMode('free', view({ top: 300 }), view({ top: 600 }))).toBe('end');
  });

  it('does not take a view that shrank for a step up', () => {
    const before = view({ top: 600 });
    expect(selectFollowMode('end', before, view({ top: 500, contentHeight: 900 }))).toBe('end');
    expect(selectFollowMode('end', before, view({ top: 500, viewportHeight: 500 }))).toBe('end');
  });

  it('says that there is more below only when there is something to see', () => {
    expect(isMoreBelow(view({ top: 590 }))).toBe(false);
    expect(isMoreBelow(view({ top: 400 }))).toBe(true);
  });

  it('does not take the end of what is drawn for the end', () => {
    expect(selectFollowMode('free', view({ top: 300 }), view({ top: 600, isCut: true }))).toBe('free');
    expect(isMoreBelow(view({ top: 600, isCut: true }))).toBe(true);
  });
});
