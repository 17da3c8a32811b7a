import { describe, expect, it } from 'vitest';
import { ThinkingFilter } from './thinking-filter.ts';

const filter = (...pieces: readonly string[]): readonly string[] => {
  const thinking = new ThinkingFilter();
  return [...pieces.map((piece) => thinking.push(piece)), thinking.end()];
};

describe('thinking in tags', () => {
  it.each([
    ['<think>secret</think>\n\nHello'],
    ['\n<thinking>secret</thinking>Hello'],
    ['<thought>a <b> secret</thought> Hello'],
  ])('removes thinking in tags from %j, wherever it is cut', (text) => {
    expect(filter(text).join('')).toBe('Hello');
    expect(filter(...text).join('')).toBe('Hello');
    for (let at = 1; at < text.length; at += 1)
      expect(filter(text.slice(0, at), text.slice(at)).join('')).toBe('Hello');
  });

  it('gives no answer from thinking that never ends', () => {
    expect(filter('<think>sec', 'ret').join('')).toBe('');
  });

  it('holds no other text back, and leaves tags within an answer', () => {
    expect(filter('<b>Bold', ' <think>x</think>')).toEqual(['<b>Bold', ' <think>x</think>', '']);
    expect(filter('<th')).toEqual(['', '<th']);
    expect(filter('Hello', ' you')).toEqual(['Hello', ' you', '']);
  });
});
