import { signal } from '@preact/signals-core';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { strings as ar } from '../../widget/locales/ar.ts';
import type { Strings } from '../../widget/locales/catalogue.ts';
import { strings as en } from '../../widget/locales/en.ts';
import { createLauncher } from './launcher.ts';
import { createLauncherStatus } from './launcher-status.ts';

let host: HTMLElement;
let opened: number;
beforeEach(() => {
  host = document.createElement('natter-chat');
  document.body.append(host);
  opened = 0;
});
afterEach(() => host.remove());

function draw(position?: string) {
  const root = host.attachShadow({ mode: 'open' });
  const { button, setLooks } = createLauncher(
    root,
    () => {},
    () => {},
  );
  setLooks({ position }, true);
  const status = createLauncherStatus(root, button, () => (opened += 1));
  const show = (isOpen: boolean, unread: number, strings: Strings = en, locale = 'en') =>
    status.show(isOpen, unread, { strings: signal(strings), locale: signal(locale) });
  show(false, 0);
  const bubble = () => root.querySelector<HTMLElement>('.teaser');
  return { root, button, status, show, bubble, badge: () => button.querySelector('span')?.textContent };
}

describe('the launcher', () => {
  it('names the launcher after the effect of a click, and shows whether the chat is open', () => {
    const { button, show } = draw();
    expect([button.ariaLabel, button.getAttribute('aria-expanded')]).toEqual(['Open chat', 'false']);
    show(true, 0);
    expect([button.ariaLabel, button.getAttribute('aria-expanded')]).toEqual(['Close chat', 'true']);
  });

  it.each([
    [0, '', 'Open chat'],
    [1, '1', 'Open chat, 1 unread message'],
    [99, '99', 'Open chat, 99 unread messages'],
    [100, '99+', 'Open chat, 100 unread messages'],
  ])('shows %i unread messages as "%s" and announces "%s"', async (count, shown, label) => {
    const { button, badge, show } = draw();
    await vi.waitFor(() => {
      show(false, count);
      expect([badge() ?? '', button.ariaLabel]).toEqual([shown, label]);
    });
  });

  it('hides the number of unread messages while the chat is open', async () => {
    const { button, badge, show } = draw();
    await vi.waitFor(() => {
      show(false, 2);
      expect(badge()).toBe('2');
    });
    show(true, 2);
    expect([badge(), button.ariaLabel]).toEqual(['', 'Close chat']);
    show(false, 2);
    expect(badge()).toBe('2');
  });

  it('shows texts and numbers of the launcher in the language of the panel', async () => {
    const { button, badge, show } = draw();
    await vi.waitFor(() => {
      show(false, 3, ar, 'ar-EG');
      expect([badge(), button.ariaLabel]).toEqual(['٣', 'فتح المحادثة، \u2068٣\u2069 رسائل غير مقروءة']);
    });
    show(true, 0, ar, 'ar-EG');
    expect(button.ariaLabel).toBe(ar.closeChat);
  });
});

describe('the bubble', () => {
  it.each(['end', 'start'])(
    'shows the bubble above the launcher at the %s, inside the window',
    async (position) => {
      const { button, status, bubble } = draw(position);
      await status.showBubble('Can I help you with your booking?');
      const box = bubble()?.getBoundingClientRect();
      expect(bubble()?.textContent).toContain('Can I help you with your booking?');
      expect(box?.bottom).toBeLessThan(button.getBoundingClientRect().top);
      expect(box?.left).toBeGreaterThanOrEqual(0);
      expect(box?.right).toBeLessThanOrEqual(innerWidth);
    },
  );

  it('opens the chat with a click on the text of the bubble, and only removes it with the other button', async () => {
    const { status, bubble } = draw();
    await status.showBubble('Hello');
    bubble()?.querySelectorAll('button')[1]?.click();
    expect([bubble(), opened]).toEqual([null, 0]);
    await status.showBubble('Hello');
    bubble()?.querySelector('button')?.click();
    expect([bubble(), opened]).toEqual([null, 1]);
  });

  it.each([
    ['ltr', 'Hello'],
    ['ltr', 'مرحبا'],
    ['rtl', 'Hello'],
    ['rtl', 'مرحبا'],
  ])('has room at the edge of the bubble on a page that runs %s, for %s', async (direction, text) => {
    host.dir = direction;
    const { status, bubble } = draw();
    await status.showBubble(text);
    const words = new Range();
    words.selectNodeContents(bubble()?.querySelector('button') as HTMLElement);
    const inner = words.getBoundingClientRect();
    const outer = bubble()?.getBoundingClientRect() as DOMRect;
    const gap = direction === 'ltr' ? inner.left - outer.left : outer.right - inner.right;
    expect(gap).toBeGreaterThanOrEqual(16);
  });

  it('notifies its creator of a dismissed bubble, but not of a click on its text', async () => {
    const { status, bubble } = draw();
    let dismissals = 0;
    const onDismiss = (): void => {
      dismissals += 1;
    };
    await status.showBubble({ text: 'Hello', onDismiss });
    bubble()?.querySelector('button')?.click();
    expect(dismissals).toBe(0);
    await status.showBubble({ text: 'Hello', onDismiss });
    bubble()?.querySelectorAll('button')[1]?.click();
    expect(dismissals).toBe(1);
    await status.showBubble('Another');
    bubble()?.querySelectorAll('button')[1]?.click();
    expect(dismissals).toBe(1);
  });

  it('has named targets of 44 px in the bubble', async () => {
    const { status, bubble } = draw();
    await status.showBubble('Hello');
    const buttons = [...(bubble()?.querySelectorAll('button') ?? [])];
    expect(buttons.map((one) => one.ariaLabel ?? one.textContent)).toEqual(['Hello', 'Dismiss']);
    for (const { offsetWidth, offsetHeight } of buttons) {
      expect(Math.min(offsetWidth, offsetHeight)).toBeGreaterThanOrEqual(44);
    }
  });

  it('shows the beginning of a long text in the bubble, and markup as text', async () => {
    const { status, bubble } = draw();
    await status.showBubble(`<b>${'x'.repeat(500)}`);
    const text = bubble()?.querySelector('button')?.textContent ?? '';
    expect(text).toHaveLength(160);
    expect(text).toMatch(/^<b>x+…$/);
  });

  it('names the sender in the bubble, and cuts the text after a whole word', async () => {
    const { status, bubble } = draw();
    await status.showBubble({ from: 'Maren Voss', text: 'departure '.repeat(40) });
    const opener = bubble()?.querySelector('button');
    expect(opener?.querySelector('b')?.textContent).toBe('Maren Voss');
    const words = opener?.lastChild?.textContent ?? '';
    expect(words).toMatch(/^(?:departure )+departure…$/);
    expect(words.length).toBeLessThanOrEqual(160);
    expect(words.length).toBeGreaterThan(140);
  });

  it('removes the bubble when the chat opens, for an empty text, and with the widget', async () => {
    const { status, bubble, show } = draw();
    await status.showBubble('Hello');
    show(true, 0);
    expect(bubble()).toBeNull();
    await status.showBubble('Hello');
    await status.showBubble('  ');
    expect(bubble()).toBeNull();
    await status.showBubble('Hello');
    status.destroy();
    expect(bubble()).toBeNull();
  });
});

it.each([undefined, null, 42, {}, { text: 42 }])(
  'names the valid bubbles if it is called with %j',
  async (bubble) => {
    const { status } = draw();
    const shown = status.showBubble(bubble as Parameters<typeof status.showBubble>[0]);
    await expect(shown).rejects.toThrow('takes a text');
  },
);

describe('a bubble with its times', () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => vi.useRealTimers());

  it('shows the bubble after its delay and removes it after its duration', async () => {
    const { status, bubble } = draw();
    await status.showBubble({ text: 'Hello', delayMs: 3_000, durationMs: 5_000 });
    expect(bubble()).toBeNull();
    vi.advanceTimersByTime(2_999);
    expect(bubble()).toBeNull();
    vi.advanceTimersByTime(1);
    expect(bubble()?.textContent).toContain('Hello');
    // The duration starts when the bubble is visible.
    vi.advanceTimersByTime(4_999);
    expect(bubble()).not.toBeNull();
    vi.advanceTimersByTime(1);
    expect(bubble()).toBeNull();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('keeps a bubble without times until it is dismissed', async () => {
    const { status, bubble } = draw();
    await status.showBubble({ text: 'Hello' });
    expect(bubble()).not.toBeNull();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('replaces a bubble by the next, which has its own times', async () => {
    const { status, bubble } = draw();
    await status.showBubble({ text: 'First', durationMs: 1_000 });
    await status.showBubble({ text: 'Second', durationMs: 5_000 });
    vi.advanceTimersByTime(1_000);
    expect(bubble()?.textContent).toContain('Second');
    await status.showBubble({ text: 'Third', delayMs: 1_000 });
    expect(bubble()).toBeNull();
    await status.showBubble('Fourth');
    vi.advanceTimersByTime(10_000);
    expect(bubble()?.textContent).toContain('Fourth');
  });

  it.each([
    ['the chat opens', ({ show }: ReturnType<typeof draw>) => show(true, 0)],
    ['the widget is destroyed', ({ status }: ReturnType<typeof draw>) => status.destroy()],
  ])('does not show a delayed bubble once %s', async (_, act) => {
    const drawn = draw();
    await drawn.status.showBubble({ text: 'Hello', delayMs: 1_000 });
    act(drawn);
    vi.advanceTimersByTime(10_000);
    expect(drawn.bubble()).toBeNull();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('removes a dismissed bubble once, and not again after its duration', async () => {
    const { status, bubble } = draw();
    await status.showBubble({ text: 'Hello', durationMs: 1_000 });
    bubble()?.querySelectorAll('button')[1]?.click();
    expect(bubble()).toBeNull();
    await status.showBubble('Again');
    vi.advanceTimersByTime(10_000);
    expect(bubble()?.textContent).toContain('Again');
  });
});
