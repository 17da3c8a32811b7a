import { signal } from '@preact/signals-core';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createDelayedValue } from './delayed-value.ts';

describe('a steadied state', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('never shows a value that lasts less than 400 ms', () => {
    const source = signal<string | null>('connecting');
    const { shown } = createDelayedValue(source);
    vi.advanceTimersByTime(399);
    source.value = null;
    vi.advanceTimersByTime(5_000);
    expect(shown.value).toBeNull();
  });

  it('shows a value that lasts, and keeps it for 600 ms', () => {
    const source = signal<string | null>('connecting');
    const { shown } = createDelayedValue(source);
    vi.advanceTimersByTime(400);
    expect(shown.value).toBe('connecting');
    source.value = null;
    vi.advanceTimersByTime(599);
    expect(shown.value).toBe('connecting');
    vi.advanceTimersByTime(1);
    expect(shown.value).toBeNull();
  });

  it('changes from one shown value to the next at once', () => {
    const source = signal<string | null>('connecting');
    const { shown } = createDelayedValue(source);
    vi.advanceTimersByTime(400);
    source.value = 'offline';
    expect(shown.value).toBe('offline');
  });

  it('does not restart the delay for an equal value', () => {
    const source = signal<{ text: string } | null>({ text: 'offline' });
    const { shown } = createDelayedValue(source);
    vi.advanceTimersByTime(399);
    source.value = { text: 'offline' };
    vi.advanceTimersByTime(1);
    expect(shown.value).toEqual({ text: 'offline' });
  });

  it('leaves no timer of a delayed value behind', () => {
    createDelayedValue(signal<string | null>('connecting')).dispose();
    expect(vi.getTimerCount()).toBe(0);
  });
});
