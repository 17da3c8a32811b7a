import { signal } from '@preact/signals-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { strings as ar } from '../widget/strings/ar.ts';
import type { Strings } from '../widget/strings/catalogue.ts';
import { strings as en } from '../widget/strings/en.ts';
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
  const { button } = createLauncher(root, { position, onIntent: () => {}, onToggle: () => {} });
  const status = createLauncherStatus(root, button, () => (opened += 1));
  const show = (isOpen: boolean, unread: number, strings: Strings = en, locale = 'en') =>
    status.show(isOpen, unread, { strings: signal(strings), locale: signal(locale) });
  show(false, 0);
  const bubble = () => root.querySelector<HTMLElement>('.teaser');
  return { root, button, status, show, bubble, badge: () => button.querySelector('span')?.textContent };
}

describe('the launcher', () => {
  it('is named after what a click does, and tells whether the chat is open', () => {
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
  ])('shows %i unread as "%s" and says "%s"', (count, shown, label) => {
    const { button, badge, show } = draw();
    show(false, count);
    expect([badge(), button.ariaLabel]).toEqual([shown, label]);
  });

  it('keeps the count to itself while the chat is open', () => {
    const { button, badge, show } = draw();
    show(true, 2);
    expect([badge(), button.ariaLabel]).toEqual(['', 'Close chat']);
    show(false, 2);
    expect(badge()).toBe('2');
  });

  it('speaks and counts as the panel does', () => {
    const { button, badge, show } = draw();
    show(false, 3, ar, 'ar-EG');
    expect([badge(), button.ariaLabel]).toEqual(['٣', 'فتح المحادثة، \u2068٣\u2069 رسائل غير مقروءة']);
    show(true, 0, ar, 'ar-EG');
    expect(button.ariaLabel).toBe(ar.closeChat);
  });
});

describe('the bubble', () => {
  it.each(['end', 'start'])('stands above the launcher at the %s, inside the window', async (position) => {
    const { button, status, bubble } = draw(position);
    await status.showBubble('Can I help you with your booking?');
    const box = bubble()?.getBoundingClientRect();
    expect(bubble()?.textContent).toContain('Can I help you with your booking?');
    expect(box?.bottom).toBeLessThan(button.getBoundingClientRect().top);
    expect(box?.left).toBeGreaterThanOrEqual(0);
    expect(box?.right).toBeLessThanOrEqual(innerWidth);
  });

  it('opens the chat with a click on its text, and only goes away with the other button', async () => {
    const { status, bubble } = draw();
    await status.showBubble('Hello');
    bubble()?.querySelectorAll('button')[1]?.click();
    expect([bubble(), opened]).toEqual([null, 0]);
    await status.showBubble('Hello');
    bubble()?.querySelector('button')?.click();
    expect([bubble(), opened]).toEqual([null, 1]);
  });

  it('has targets of 44 px with names', async () => {
    const { status, bubble } = draw();
    await status.showBubble('Hello');
    const buttons = [...(bubble()?.querySelectorAll('button') ?? [])];
    expect(buttons.map((one) => one.ariaLabel ?? one.textContent)).toEqual(['Hello', 'Dismiss']);
    for (const { offsetWidth, offsetHeight } of buttons) {
      expect(Math.min(offsetWidth, offsetHeight)).toBeGreaterThanOrEqual(44);
    }
  });

  it('shows the beginning of a long text, and a text with markup as it is', async () => {
    const { status, bubble } = draw();
    await status.showBubble(`<b>${'x'.repeat(500)}`);
    const text = bubble()?.querySelector('button')?.textContent ?? '';
    expect(text).toHaveLength(160);
    expect(text).toMatch(/^<b>x+…$/);
  });

  it('goes when the chat opens, when there is nothing to say, and with the widget', async () => {
    const { root, status, bubble, show } = draw();
    await status.showBubble('Hello');
    show(true, 0);
    expect(bubble()).toBeNull();
    await status.showBubble('Hello');
    await status.showBubble('  ');
    expect(bubble()).toBeNull();
    await status.showBubble('Hello');
    status.destroy();
    expect(bubble()).toBeNull();
    expect(root.querySelector('.badge')).toBeNull();
    expect(root.adoptedStyleSheets).toHaveLength(1);
  });
});
