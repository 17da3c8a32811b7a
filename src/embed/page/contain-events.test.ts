import { afterEach, expect, it } from 'vitest';
import { containEvents } from './contain-events.ts';

const lifetime = new AbortController();
afterEach(() => {
  lifetime.abort();
  document.body.replaceChildren();
});

it('delivers each event in the widget once and unchanged to the widget, and not to the page', () => {
  const host = document.body.appendChild(document.createElement('div'));
  const root = host.attachShadow({ mode: 'open' });
  const frame = root.appendChild(document.createElement('div'));
  const field = frame.appendChild(document.createElement('textarea'));
  containEvents(root, lifetime.signal);
  const seen: string[] = [];
  const note = (who: string) => (event: Event) => seen.push(`${who} ${event.type}`);
  for (const type of ['focus', 'keydown']) {
    field.addEventListener(type, note('field'));
    frame.addEventListener(type, note('frame'));
    document.addEventListener(type, note('page'), { capture: true, signal: lifetime.signal });
  }
  let key = '';
  field.addEventListener('keydown', (event) => {
    key = event.key;
    event.preventDefault();
  });
  field.focus();
  const press = new KeyboardEvent('keydown', {
    key: 'Enter',
    bubbles: true,
    composed: true,
    cancelable: true,
  });
  field.dispatchEvent(press);
  // A focus does not bubble.
  expect(seen).toEqual(['field focus', 'field keydown', 'frame keydown']);
  expect([key, press.defaultPrevented]).toEqual(['Enter', true]);
});
