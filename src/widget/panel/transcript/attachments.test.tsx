import { signal } from '@preact/signals-core';
import { afterEach, expect, it, vi } from 'vitest';
import type { Attachment, CallAction } from '../../../client/index.ts';
import { renderInto } from '../../dom/render-into.tsx';
import { strings as en } from '../../locales/en.ts';
import type { WidgetOptions } from '../../options.ts';
import * as cardCode from '../../parts/cards/index.ts';
import { createLazyPart } from '../model/lazy-part.ts';
import type { PanelModel } from '../model/panel-model.ts';
import { Attachments, Sources } from './attachments.tsx';

let stop = (): void => {};
afterEach(() => {
  stop();
  document.body.replaceChildren();
});

const link: Attachment = {
  kind: 'url',
  contentUrl: 'https://www.x.example/a',
  title: 'A page',
  previewImageUrl: null,
  callToActionText: null,
};
const ATTACHMENTS: readonly Attachment[] = [
  link,
  { ...link, contentUrl: 'https://y.example/b', title: 'A card', previewImageUrl: 'https://y.example/b.png' },
  { ...link, kind: 'image', contentUrl: 'https://z.example/c.png', title: 'A picture' },
];

const ACTIONS = [{ title: 'Call us', phoneNumber: '+441632960180' }];

function show(
  load: () => Promise<typeof cardCode>,
  options: WidgetOptions = { endpoint: 'https://chat.example', imageHosts: '*' },
  attachments: readonly Attachment[] = ATTACHMENTS,
  actions: readonly CallAction[] = ACTIONS,
) {
  const cards = createLazyPart(load, () => {});
  const draw = () => [
    <Attachments key="a" attachments={attachments} actions={actions} />,
    <Sources key="b" attachments={attachments} actions={actions} />,
  ];
  const model = { parts: { cards }, strings: signal(en), options: signal(options) };
  const place = document.body.appendChild(document.createElement('div'));
  const stopRendering = renderInto(draw(), place, model as unknown as PanelModel);
  stop = () => {
    stopRendering();
    place.remove();
  };
  const titles = (selector: string) =>
    [...document.querySelectorAll(selector)].map(({ textContent }) => textContent);
  return { titles };
}

it('shows cards and pictures once their code has loaded, and chips for the rest', async () => {
  const { titles } = show(() => Promise.resolve(cardCode));
  expect(titles('.source')).toEqual(['A page']);
  await vi.waitFor(() => expect(titles('.card-title')).toEqual(['A card']));
  expect(document.querySelector('.picture a')?.getAttribute('href')).toBe('https://z.example/c.png');
  expect(titles('.call-title > bdi:first-child')).toEqual(['Call us']);
  expect(titles('.source')).toEqual(['A page']);
});

it('shows a number once if its title contains it', async () => {
  const calls = [{ title: 'Call 01632 960180', phoneNumber: '01632960180' }, ...ACTIONS];
  const { titles } = show(() => Promise.resolve(cardCode), undefined, [], calls);
  await vi.waitFor(() =>
    expect(titles('.call-title')).toEqual(['Call 01632 960180', 'Call us+441632960180']),
  );
});

it('shows chips for all attachments if the code for cards cannot be loaded', async () => {
  const { titles } = show(() => Promise.reject(new Error('no network')));
  await vi.waitFor(() => expect(titles('.source')).toEqual(['A page', 'A card', 'A picture', 'Call us']));
  expect(titles('.card-title')).toEqual([]);
});

it('shows a card for a picture that may not be fetched, and a chip for a card without one', async () => {
  const { titles } = show(() => Promise.resolve(cardCode), { endpoint: 'https://chat.example' });
  await vi.waitFor(() => expect(titles('.card-title')).toEqual(['A picture']));
  const card = document.querySelector('.link-card');
  expect(card?.getAttribute('href')).toBe('https://z.example/c.png');
  expect(card?.textContent).toContain('z.example');
  expect(card?.textContent).toContain(en.openImage);
  expect(document.querySelectorAll('img')).toHaveLength(0);
  expect(titles('.source')).toEqual(['A page', 'A card']);
});

it('shows two cards, two pictures, two chips and two numbers with one address', async () => {
  const card = { ...link, previewImageUrl: 'https://x.example/a.png' };
  const picture: Attachment = { ...link, kind: 'image', contentUrl: 'https://x.example/a.png' };
  const { titles } = show(
    () => Promise.resolve(cardCode),
    undefined,
    [
      { ...card, title: 'Outward' },
      { ...card, title: 'Return' },
      { ...picture, title: 'Deck' },
      { ...picture, title: 'Deck' },
      { ...link, title: 'Timetable' },
      { ...link, title: 'Fares' },
    ],
    [...ACTIONS, ...ACTIONS],
  );
  await vi.waitFor(() => expect(titles('.card-title')).toEqual(['Outward', 'Return']));
  expect(titles('.picture figcaption')).toEqual(['Deck', 'Deck']);
  expect(titles('.source')).toEqual(['Timetable', 'Fares']);
  expect(titles('.call-title > bdi:first-child')).toEqual(['Call us', 'Call us']);
});

it('shows two chips for two numbers of one kind if the code for cards cannot be loaded', async () => {
  const { titles } = show(
    () => Promise.reject(new Error('no network')),
    undefined,
    [],
    [...ACTIONS, ...ACTIONS],
  );
  await vi.waitFor(() => expect(titles('.source')).toEqual(['Call us', 'Call us']));
});
