import { afterEach, describe, expect, it, vi } from 'vitest';
import '../../../test/widget/all-parts.ts';
import { type MountedPanel, mountPanel } from '../../../test/widget/mount-panel.ts';

let view: MountedPanel;
afterEach(() => view.destroy());

/** Opens a panel in Hebrew. */
async function openPanel(): Promise<void> {
  view = mountPanel({ language: 'he', title: 'Kittiwake' });
  view.panel.open(false);
  await vi.waitFor(() => expect(view.find('.panel').dir).toBe('rtl'));
}

const directionOf = (selector: string) => getComputedStyle(view.find(selector)).direction;
const box = (selector: string) => view.find(selector).getBoundingClientRect();

describe('a panel that reads from right to left', () => {
  it('mirrors the panel: avatar, close button, send button and the visitor’s messages change sides', async () => {
    await openPanel();
    view.chat.asks('שלום');
    await vi.waitFor(() => view.find('.bubble'));
    const middle = (box('.panel').left + box('.panel').right) / 2;
    expect(box('.header .avatar').left).toBeGreaterThan(middle);
    expect(box('.header > .icon-button').right).toBeLessThan(middle);
    expect(box('.send').right).toBeLessThanOrEqual(box('.field').left);
    expect(box('.bubble').right).toBeLessThan(middle);
  });

  it('keeps left-to-right text away from both ends of the composer', async () => {
    await openPanel();
    const gap = () => {
      const { paddingLeft, paddingRight } = getComputedStyle(view.find('.field'));
      return Math.min(Number.parseFloat(paddingLeft), Number.parseFloat(paddingRight));
    };
    expect(gap()).toBeGreaterThanOrEqual(10);
    view.chat.setUnsent('Where is the terminal?');
    await vi.waitFor(() => expect(directionOf('.field')).toBe('ltr'));
    expect(gap()).toBeGreaterThanOrEqual(10);
  });

  it('keeps the direction of a message in a left-to-right language', async () => {
    await openPanel();
    view.chat.asks('Where is the terminal?');
    view.chat.says('Here:\n\n- at the quay\n- beside the station\n\n| Quay | Time |\n|---|---|\n| 1 | 9 |');
    await vi.waitFor(() => view.find('.rich td'));
    expect(['.bubble', '.rich p', '.rich ul', '.rich table'].map(directionOf)).toEqual(Array(4).fill('ltr'));
    // Markers and first columns are at the start side of the text, inside the view.
    expect(box('.rich li').left).toBeGreaterThan(box('.rich p').left);
    expect(box('.rich th:first-child').left).toBeLessThan(box('.rich th:last-child').left);
  });

  it('keeps the direction of paragraphs, lists, tables, quotes and suggestions that begin with a foreign name', async () => {
    await openPanel();
    view.chat.asks('iPhone לא עובד.');
    view.chat.says(
      'iPhone: כאן.\n\n- iPhone: הורידו\n- Android: גם\n\n> iPhone: כך\n\n| App | iPhone 15 Pro Max | Android | Windows | Linux | macOS |\n|---|---|---|---|---|---|\n| הורידו | 1 | 2 | 3 | 4 | 5 |',
    );
    await vi.waitFor(() => view.find('.rich td'));
    const places = [
      '.bubble',
      '.rich p',
      '.rich ul',
      '.rich li',
      '.rich blockquote',
      '.rich blockquote p',
      '.rich table',
    ];
    expect(places.map(directionOf)).toEqual(places.map(() => 'rtl'));
    // A table that is wider than the panel starts at its first column.
    const scroller = view.find('.table');
    expect(scroller.scrollWidth).toBeGreaterThan(scroller.clientWidth);
    expect(box('.rich th:first-child').right).toBeLessThanOrEqual(box('.table').right + 1);
  });

  it('takes the direction from the language of the conversation, also if the panel lacks its texts', async () => {
    view = mountPanel({ language: 'en' });
    view.chat.language.value = 'fa-IR';
    view.panel.open(false);
    view.chat.says('iPhone: دانلود');
    await vi.waitFor(() => expect(directionOf('.rich p')).toBe('rtl'));
    view.chat.setUnsent('iPhone من');
    await vi.waitFor(() => expect(directionOf('.field')).toBe('rtl'));
  });

  it('gives a message in the language of the panel no other direction', async () => {
    await openPanel();
    view.chat.asks('איפה המסוף?');
    view.chat.says('כאן:\n\n- ברציף\n- ליד התחנה');
    await vi.waitFor(() => view.find('.rich li'));
    expect(['.bubble', '.rich p', '.rich ul'].map(directionOf)).toEqual(Array(3).fill('rtl'));
    expect(box('.rich li').right).toBeLessThan(box('.rich p').right);
  });

  it('keeps its own sentences right-to-left, whatever name they contain', async () => {
    await openPanel();
    view.chat.notes({ code: 'live_agent_left', name: 'Maren' });
    view.chat.notes({ code: 'platform_message', level: 'info', text: 'Back at 9:00.' });
    view.chat.queue.value = { queueName: null, position: 3, estimatedWaitSeconds: null, message: null };
    await vi.waitFor(() => expect(view.all('.system')).toHaveLength(2));
    const [own, platform] = view.all('.system');
    expect(own?.textContent).toContain('\u2068Maren\u2069');
    expect([own, platform].map((line) => line && getComputedStyle(line).direction)).toEqual(['rtl', 'ltr']);
    await vi.waitFor(() => expect(directionOf('.queue-position')).toBe('rtl'));
  });

  it('shows a long name in full, on the header’s side', async () => {
    view = mountPanel({ language: 'he', title: 'Kittiwake Ferries and Coastal Services of the North Sea' });
    view.panel.open(false);
    await vi.waitFor(() => expect(view.find('.panel').dir).toBe('rtl'));
    const name = view.find('h2');
    const words = view.find('h2 bdi');
    expect(name.scrollWidth).toBe(name.clientWidth);
    expect(words.getClientRects().length).toBeGreaterThan(1);
    const edges = [...words.getClientRects()].map(({ right }) => Math.round(right));
    expect(edges).toEqual(edges.map(() => Math.round(name.getBoundingClientRect().right)));
    expect(getComputedStyle(words).direction).toBe('ltr');
  });

  it('mirrors only icons that point to a side', async () => {
    await openPanel();
    const attachment = { kind: 'url', title: 'x', callToActionText: null } as const;
    const previewImageUrl = new URL('/demo/gallery/public/picture.svg', location.href).href;
    view.chat.says('', {
      attachments: [{ ...attachment, contentUrl: 'https://x.example', previewImageUrl }],
      callActions: [{ title: 'y', phoneNumber: '+491234' }],
    });
    await vi.waitFor(() => view.find('.card-action > .icon'));
    const mirrored = view.all('.icon').filter((icon) => getComputedStyle(icon).transform !== 'none');
    expect(mirrored.map((icon) => icon.parentElement?.className)).toEqual(['card-action']);
  });

  it('gives a site’s greeting on the home screen the direction of its text', async () => {
    view = mountPanel({ language: 'he', features: 'home', welcome: 'Where would you like to go?' });
    view.panel.open(false);
    await vi.waitFor(() => expect(directionOf('.home-title')).toBe('ltr'));
    expect(directionOf('.home')).toBe('rtl');
  });
});
