import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { mountPanel } from '../../../test/widget/mount-panel.ts';
import { decodeServerFrame } from '../../protocol/index.ts';

/** Properties that old libraries and analytics scripts add, so that `for … in` lists them for every object. */
const ADDED: Readonly<Record<string, unknown>> = { each: () => undefined, legacy: 'text', count: 3 };
beforeEach(() => {
  for (const [name, value] of Object.entries(ADDED))
    Object.defineProperty(Object.prototype, name, {
      value,
      configurable: true,
      enumerable: true,
      writable: true,
    });
});
afterEach(() => {
  for (const name of Object.keys(ADDED)) Reflect.deleteProperty(Object.prototype, name);
});

it('opens, answers and accepts a text on a page that has extended `Object.prototype`', async () => {
  const faults: string[] = [];
  const onError = ({ message }: ErrorEvent): unknown => faults.push(message);
  addEventListener('error', onError);
  const { panel, chat, find, root, destroy } = mountPanel();
  panel.open(true);
  chat.says('The **9:15** is [on time](https://ferries.example).');
  await vi.waitFor(() => expect(root.querySelector('.rich strong')?.textContent).toBe('9:15'));
  const field = find<HTMLTextAreaElement>('.field');
  field.value = 'Thank you';
  field.dispatchEvent(new InputEvent('input', { bubbles: true }));
  expect(chat.unsent.value).toBe('Thank you');
  await vi.waitFor(() => expect(find('.send').ariaDisabled).toBe('false'));
  chat.setUnsent('');
  expect(field.value).toBe('');
  destroy();
  removeEventListener('error', onError);
  expect(faults).toEqual([]);
});

it('reads the payload of an event on a page that has extended `Object.prototype`', () => {
  const frame = {
    id: 'e',
    timestamp: '2026-11-28T10:00:00Z',

    type: 'EVENT_TYPE_USER_MESSAGE',
    payload: { message_id: 'm', text: 'Hello' },
  };
  const decoded = decodeServerFrame(JSON.stringify(frame));
  const [event] = decoded.kind === 'events' ? decoded.events : [];
  expect(Object.keys(event?.payload ?? {})).toEqual(['message_id', 'text']);
});
