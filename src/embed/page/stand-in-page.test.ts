import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { standInPage } from './stand-in-page.ts';

let host: HTMLElement;
let place: HTMLElement;

beforeEach(() => {
  host = document.createElement('div');
  host.id = 'natter-chat';
  host.attachShadow({ mode: 'open' });
  document.documentElement.append(host);
  place = document.createElement('div');
  place.id = host.id;
});
afterEach(() => {
  vi.restoreAllMocks();
  host.remove();
  place.remove();
});

const stand = () => standInPage(host.shadowRoot as ShadowRoot);

it('goes to the place that came after the script', () => {
  document.body.append(place);
  stand();
  expect(host.parentNode).toBe(document.body);
  expect(place.isConnected).toBe(false);
});

it('waits for a page that is still being read, and stays away once it is destroyed', () => {
  vi.spyOn(Document.prototype, 'readyState', 'get').mockReturnValue('loading');
  stand();
  document.body.append(place);
  document.dispatchEvent(new Event('DOMContentLoaded'));
  expect(host.parentNode).toBe(document.body);

  document.documentElement.append(host);
  document.body.append(place);
  stand();
  host.remove();
  document.dispatchEvent(new Event('DOMContentLoaded'));
  expect(host.isConnected).toBe(false);
});

it('stays where a page has put it', () => {
  const section = document.body.appendChild(document.createElement('section'));
  section.append(host);
  document.body.append(place);
  stand();
  expect(host.parentNode).toBe(section);
  section.remove();
});
