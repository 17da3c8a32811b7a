import { signal } from '@preact/signals-core';
import { render } from 'preact';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { useThrottledSignal } from './use-throttled-signal.ts';

let frames: (() => void)[] = [];
let drawn: string[] = [];
let remove = (): void => {};
const text = signal('');

const isSentence = (given: string): boolean => given.endsWith('.');

function Text() {
  const { value } = useThrottledSignal(text, isSentence);
  drawn.push(value);
  return <p>{value}</p>;
}

const settle = () => Promise.resolve().then(() => {});
const nextFrame = () => {
  for (const run of frames.splice(0)) run();
  return settle();
};

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.stubGlobal('requestAnimationFrame', (run: () => void) => frames.push(run));
  vi.stubGlobal('cancelAnimationFrame', (frame: number) => frames.splice(frame - 1, 1));
  text.value = '';
  frames = [];
  const parent = document.createElement('div');
  render(<Text />, parent);
  remove = () => render(null, parent);
  drawn = [];
});

afterEach(() => {
  remove();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function write(...values: readonly string[]): Promise<void> {
  for (const value of values) {
    text.value = value;
    await settle();
  }
}

describe('what changes many times a frame', () => {
  it('renders a frequent signal at the first change and once with the next frame', async () => {
    await write('a', 'ab', 'abc', 'abcd');
    expect(drawn).toEqual(['a']);
    await nextFrame();
    expect(drawn).toEqual(['a', 'abcd']);
  });

  it('renders a frequent signal once per frame, and not without changes', async () => {
    await write('a', 'ab');
    await nextFrame();
    await write('abc', 'abcd');
    expect(drawn).toEqual(['a', 'ab']);
    await nextFrame();
    await nextFrame();
    await nextFrame();
    expect(drawn).toEqual(['a', 'ab', 'abcd']);
  });

  it('updates a throttled signal in a page without frames', async () => {
    await write('a', 'ab');
    vi.advanceTimersByTime(1_000);
    await settle();
    expect(drawn).toEqual(['a', 'ab']);
  });

  it('does not delay an urgent value', async () => {
    await write('a', 'ab', 'abc.');
    expect(drawn).toEqual(['a', 'abc.']);
  });

  it('leaves no frame and no timer of a throttled signal behind', async () => {
    await write('a', 'ab');
    remove();
    remove = () => {};
    expect(frames).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });
});
