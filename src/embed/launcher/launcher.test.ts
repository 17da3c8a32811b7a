import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLauncher, type LauncherOptions } from './launcher.ts';

let host: HTMLElement;
let calls: string[];
beforeEach(() => {
  host = document.createElement('natter-chat');
  document.body.append(host);
  calls = [];
});
afterEach(() => {
  host.remove();
  document.documentElement.dir = '';
});

function draw(options: LauncherOptions = {}) {
  const root = host.attachShadow({ mode: 'open' });
  const launcher = createLauncher(
    root,
    () => calls.push('intent'),
    () => calls.push('toggle'),
  );
  launcher.setLooks(options, true);
  const alert = () => root.querySelector<HTMLElement>('[role=alert]');
  return { ...launcher, root, alert };
}

const edges = ({ button }: { button: HTMLElement }) => {
  const { left, right } = button.getBoundingClientRect();
  return left < innerWidth - right ? 'left' : 'right';
};

describe('the launcher', () => {
  it('draws round corners in the launcher’s icon before anything else has loaded', () => {
    const { button } = draw();
    expect(getComputedStyle(button.querySelector('path') as SVGElement).strokeLinejoin).toBe('round');
  });

  it.each([
    ['en', 'Chat'],
    ['de-AT', 'Chat'],
    ['xx', 'Chat'],
    ['*', 'Chat'],
    ['pl', 'Czat'],
    ['ar-EG', 'دردشة'],
    ['he', 'צ׳אט'],
    ['ja', 'チャット'],
    ['zh-CN', '聊天'],
  ])('names the closed launcher in %s', (language, label) => {
    const { button } = draw({ language });
    expect([button.ariaLabel, button.getAttribute('aria-expanded')]).toEqual([label, 'false']);
  });

  it('names the launcher in the language of the browser', () => {
    const languages = vi.spyOn(navigator, 'language', 'get').mockReturnValue('ja-JP');
    expect(draw().button.ariaLabel).toBe('チャット');
    languages.mockRestore();
  });

  it('names the launcher with the site’s label', () => {
    expect(draw({ language: 'ja', launcherLabel: 'Ask Ada' }).button.ariaLabel).toBe('Ask Ada');
  });

  it.each([
    ['end', 'ltr', 'right'],
    ['end', 'rtl', 'left'],
    ['start', 'ltr', 'left'],
    ['start', 'rtl', 'right'],
  ] as const)('draws the launcher at the %s of a page that reads %s: %s', (position, dir, edge) => {
    document.documentElement.dir = dir;
    expect(edges(draw({ position }))).toBe(edge);
  });

  it('draws the launcher at the end by default', () => {
    expect(edges(draw())).toBe('right');
  });

  it('reports pointer, focus and click on the launcher', () => {
    const { button } = draw();
    button.dispatchEvent(new PointerEvent('pointerenter'));
    button.focus();
    button.click();
    expect(calls).toEqual(['intent', 'intent', 'toggle']);
  });

  it('leaves the page around the launcher clickable', () => {
    draw();
    const { width, height } = host.getBoundingClientRect();
    expect([width, height]).toEqual([0, 0]);
  });
});

describe('a fault', () => {
  it('shows a fault as an alert above the launcher, inside the window, and removes it', () => {
    const { button, alert, setFault } = draw();
    setFault('It did not load.');
    expect(alert()?.textContent).toBe('It did not load.');
    const box = alert()?.getBoundingClientRect();
    expect(box?.bottom).toBeLessThan(button.getBoundingClientRect().top);
    expect(box?.left).toBeGreaterThan(0);
    expect(box?.right).toBeLessThan(innerWidth);
    setFault();
    expect(alert()).toBeNull();
  });

  it.each(['https://example.com/contact', 'mailto:help@example.com', 'tel:+441234567'])(
    'links a fault to %s',
    (contact) => {
      const { root, setFault } = draw();
      setFault('It did not load.', contact);
      const link = root.querySelector('a');
      expect([link?.href, link?.textContent, link?.target]).toEqual([contact, 'Contact us', '_blank']);
    },
  );

  it('does not link a fault to an address that runs code', () => {
    const { root, alert, setFault } = draw();
    setFault('It did not load.', ' java\nscript:alert(1)');
    expect(alert()).not.toBeNull();
    expect(root.querySelector('a')).toBeNull();
  });

  it('shows markup in a fault as text', () => {
    const { alert, setFault } = draw();
    setFault('<img src=x>');
    expect(alert()?.textContent).toBe('<img src=x>');
    expect(alert()?.childElementCount).toBe(0);
  });

  it('shows a hidden launcher while there is a fault, to try again', () => {
    const { button, setFault } = draw();
    button.hidden = true;
    setFault('It did not load.');
    expect(button.checkVisibility()).toBe(true);
    setFault();
    expect(button.checkVisibility()).toBe(false);
  });
});
