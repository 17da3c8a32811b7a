import { describe, expect, it } from 'vitest';
import { readFeedback } from './feedback.ts';

const UP = '{"turn":1,"rating":"up","reason":null}';
const DOWN = '{"turn":3,"rating":"down","reason":"The sailing at 9:20 is missing."}';

describe('the feedback of a conversation', () => {
  it('feedback is shown at its turn, whether there is one rating or several (EXT-3, CV-12)', () => {
    expect(readFeedback({ FEEDBACK: UP })).toEqual(new Map([[1, { rating: 'up', reason: '' }]]));
    expect(readFeedback({ FEEDBACK: [UP, DOWN] }).get(3)).toEqual({
      rating: 'down',
      reason: 'The sailing at 9:20 is missing.',
    });
    expect(readFeedback({}).size + readFeedback(undefined).size).toBe(0);
  });

  it('feedback excludes other text that an agent has written under the same name', () => {
    const others = ['good', 'null', '7', '{"turn":"1","rating":"up"}', '{"turn":1,"rating":"fine"}'];
    expect([...readFeedback({ FEEDBACK: [...others, UP] }).keys()]).toEqual([1]);
  });
});
