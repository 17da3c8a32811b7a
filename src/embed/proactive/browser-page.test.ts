import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { browserPage } from './browser-page.ts';

describe('the page of a browser', () => {
  const { href } = location;
  const spacer = document.createElement('div');
  let life: AbortController;
  let seen: boolean[];
  beforeEach(() => {
    life = new AbortController();
    seen = [];
    browserPage.listen((isLeaving) => seen.push(isLeaving), life.signal);
  });
  afterEach(() => {
    life.abort();
    spacer.remove();
    history.replaceState(null, '', href);
  });

  it('decodes the path of the page, and reports its changes', async () => {
    history.replaceState(null, '', '/preise-f%C3%BCr?for=me#now');
    await vi.waitFor(() => expect(seen).toEqual([false]));
    expect(browserPage.path()).toBe('/preise-für');
    history.replaceState(null, '', '/%E0%A4%A');
    expect(browserPage.path()).toBe('/%E0%A4%A');
  });

  it('is scrolled by 0 % without a scroll bar and at the top, and by 100 % at the end', async () => {
    expect(browserPage.scrollPercent()).toBe(0);
    spacer.style.height = `${innerHeight * 3}px`;
    document.body.append(spacer);
    expect(browserPage.scrollPercent()).toBe(0);
    scrollTo(0, document.documentElement.scrollHeight);
    await vi.waitFor(() => expect(seen).toEqual([false]));
    expect(browserPage.scrollPercent()).toBe(100);
  });

  it('reports a pointer that leaves at the top of the page only, until the watch ends', () => {
    const leave = (clientY: number): boolean =>
      document.documentElement.dispatchEvent(new MouseEvent('mouseleave', { clientY }));
    leave(-1);
    leave(200);
    expect(seen).toEqual([true, false]);
    life.abort();
    leave(-1);
    dispatchEvent(new Event('scroll'));
    document.dispatchEvent(new Event('visibilitychange'));
    expect(seen).toEqual([true, false]);
    expect(browserPage.isVisible()).toBe(true);
  });
});
