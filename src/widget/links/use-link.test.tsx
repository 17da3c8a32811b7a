import { afterEach, expect, it, vi } from 'vitest';
import { type MountedPanel, mountPanel } from '../../../test/widget/mount-panel.ts';
import type { WidgetOptions } from '../options.ts';

let view: MountedPanel;
afterEach(() => {
  vi.restoreAllMocks();
  view.destroy();
});

const OWN = `${location.origin}/help/pets`;

/** Shows the links of an answer. Clicks on them do not leave the page of the test. */
async function showLinks(text: string, options: Partial<WidgetOptions> = {}): Promise<HTMLAnchorElement[]> {
  view = mountPanel(options);
  view.panel.open(false);
  view.root.addEventListener('click', (event) => event.preventDefault());
  view.chat.says(text);
  await vi.waitFor(() => expect(view.all('.rich a')).not.toHaveLength(0));
  return view.all('.rich a') as HTMLAnchorElement[];
}
const describeLinks = (links: readonly HTMLAnchorElement[]) =>
  links.map(({ target, rel, ariaLabel, textContent }) => [target, rel, ariaLabel ?? textContent]);

it('opens a page of the same site in the same tab, another one in a new tab, and says so in the link’s name', async () => {
  const links = await showLinks(`[Our *pets*](${OWN}) or [**the** map](https://map.example/a)`);
  expect(describeLinks(links)).toEqual([
    ['', '', 'Our pets'],
    ['_blank', 'noopener noreferrer', 'the map (opens in a new tab)'],
  ]);
});

it('opens no tab for a link that opens another program', async () => {
  const links = await showLinks('[Write](mailto:a@b.example) or [call](tel:+44123)');
  expect(describeLinks(links)).toEqual([
    ['', '', 'Write'],
    ['', '', 'call'],
  ]);
});

it('opens all links in a new tab from a chat that fills the page', async () => {
  const links = await showLinks(`[Pets](${OWN})`, { renderMode: 'fullscreen' });
  expect(describeLinks(links)).toEqual([['_blank', 'noopener noreferrer', 'Pets (opens in a new tab)']]);
});

it.each([
  ['all', 'sheet', false],
  ['not all', 'panel', true],
])(
  'closes a sheet when a link is followed, because it would cover the next page, but not a panel',
  async (query, layout, isOpen) => {
    const { matchMedia } = window;
    vi.spyOn(window, 'matchMedia').mockImplementation((asked) =>
      matchMedia.call(window, asked.includes('max-width') ? query : asked),
    );
    const [link] = await showLinks(`[Pets](${OWN})`);
    expect(view.find('.frame').dataset['layout']).toBe(layout);
    link?.click();
    expect(view.panel.isOpen.value).toBe(isOpen);
  },
);
