import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTitleNotice, type TitleNotice } from './title-notice.ts';

let page: Document;
let notice: TitleNotice;
beforeEach(() => {
  page = document.implementation.createHTMLDocument('');
  page.head.querySelector('title')?.replaceChildren('  Kittiwake \n Ferries ');
  notice = createTitleNotice(page);
});
afterEach(() => notice.dispose());

const written = () => page.head.querySelector('title')?.textContent;

describe('the notice before the title', () => {
  it('shows, changes and removes the notice, and restores the title exactly', () => {
    notice.show('(1) ');
    expect(page.title).toBe('(1) Kittiwake Ferries');
    notice.show('(12) ');
    expect(page.title).toBe('(12) Kittiwake Ferries');
    notice.show('');
    expect(written()).toBe('  Kittiwake \n Ferries ');
  });

  it('puts the notice before a title that the page sets meanwhile, and restores that one', async () => {
    notice.show('(1) ');
    page.title = 'Timetable';
    await vi.waitFor(() => expect(page.title).toBe('(1) Timetable'));
    const next = page.createElement('title');
    next.textContent = 'Fares';
    page.head.querySelector('title')?.replaceWith(next);
    await vi.waitFor(() => expect(page.title).toBe('(1) Fares'));
    notice.show('');
    expect(written()).toBe('Fares');
  });

  it('is not duplicated by a page that appends to the title it reads', async () => {
    notice.show('(1) ');
    page.title = `${page.title} · delayed`;
    await vi.waitFor(() => expect(page.title).toBe('(1) Kittiwake Ferries · delayed'));
    notice.show('');
    expect(written()).toBe('Kittiwake Ferries · delayed');
  });

  it('does not react to its own changes of the title', async () => {
    notice.show('(1) ');
    await Promise.resolve();
    const records: MutationRecord[] = [];
    const observer = new MutationObserver((list) => records.push(...list));
    observer.observe(page.head, { childList: true, subtree: true, characterData: true });
    page.title = 'Timetable';
    await vi.waitFor(() => expect(page.title).toBe('(1) Timetable'));
    await new Promise((resolve) => requestAnimationFrame(resolve));
    observer.disconnect();
    // The page removed text and notice and inserted its own text; the notice was inserted once.
    expect(records.filter(({ addedNodes }) => addedNodes.length > 0)).toHaveLength(2);
  });

  it('creates no title in a page without one', () => {
    page.head.querySelector('title')?.remove();
    notice.show('(1) ');
    expect(page.querySelector('title')).toBeNull();
  });
});
