import { afterEach, expect, it, vi } from 'vitest';
import { type MountedPanel, mountPanel } from '../../../test/widget/mount-panel.ts';
import '../../../test/widget/all-parts.ts';

let view: MountedPanel;
afterEach(() => view.destroy());

const LONG = 'https://www.kittiwake.example/timetables/summer?from=Port-Hallan&to=Tarrow';
const CARD = 'kittiwake.exampletimetables/summer?from=Port-Hallan&to=TarrowOpen';
const cards = () => view.all('.link-card').map(({ textContent }) => textContent);

it('draws a long address as a card if it is the whole message of the visitor', async () => {
  view = mountPanel();
  view.panel.open(false);
  view.chat.asks(LONG);
  await vi.waitFor(() => expect(cards()).toEqual([CARD]));
  const card = view.find<HTMLAnchorElement>('.bubble .link-card');
  expect(card.href).toBe(LONG);
  expect(getComputedStyle(view.find('.bubble')).backgroundColor).toBe('rgba(0, 0, 0, 0)');
});

it('draws a long address as a card if it is a whole paragraph of an answer, also without its scheme', async () => {
  view = mountPanel();
  view.panel.open(false);
  view.chat.says(`Here it is:\n\n${LONG}\n\n${LONG.replace('https://', '')}\n\nAnything else?`);
  await vi.waitFor(() => expect(cards()).toEqual([CARD, CARD]));
  expect(view.all('.rich > p')).toHaveLength(2);
});

it('leaves short addresses, named links and addresses inside a sentence as they are', async () => {
  view = mountPanel();
  view.panel.open(false);
  view.chat.asks('https://kittiwake.example');
  view.chat.asks(`Is it ${LONG}?`);
  view.chat.says(`[The timetable](${LONG})\n\nSee ${LONG}`);
  await vi.waitFor(() => expect(view.all('.rich a')).toHaveLength(2));
  expect(cards()).toEqual([]);
  expect(view.all('.bubble').map(({ textContent }) => textContent)).toEqual([
    'https://kittiwake.example',
    `Is it ${LONG}?`,
  ]);
});
