import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { mountInline } from './mount-inline.ts';

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

const stand = () => mountInline(host.shadowRoot as ShadowRoot);

it('moves an inline chat to a placeholder that follows the script', () => {
  document.body.append(place);
  stand();
  expect(host.parentNode).toBe(document.body);
  expect(place.isConnected).toBe(false);
});

it('waits for the placeholder of a page that is still being parsed, and not once it is destroyed', () => {
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

it('leaves an inline chat where the page has put it', () => {
  const section = document.body.appendChild(document.createElement('section'));
  section.append(host);
  document.body.append(place);
  stand();
  expect(host.parentNode).toBe(section);
  section.remove();
});

it.each([
  ['flex', 400],
  ['flex; align-items: center; justify-content: center', 400],
  ['flex; flex-direction: column; align-items: center', 400],
  ['flex; flex-direction: column; height: 2000px', 400],
  ['grid; place-items: center', 400],
  ['flex; & > aside { width: 150px }', 250],
])('fills the width of its parent, at its own height, in `display: %s`', (display, width) => {
  const section = document.body.appendChild(document.createElement('section'));
  const style = document.createElement('style');
  style.textContent = `section { width: 400px; display: ${display}; }`;
  section.append(style, document.createElement('aside'), host);
  stand();
  const box = host.getBoundingClientRect();
  expect([box.width, box.height]).toEqual([width, 680]);
  section.remove();
});
