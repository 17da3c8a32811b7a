import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { NatterWidget } from '../create-widget.ts';
import { mount } from '../mount.ts';

let widget: NatterWidget;
beforeEach(() => {
  // No server answers there.
  widget = mount({ endpoint: 'http://127.0.0.1:9', language: 'en' });
});
afterEach(() => widget.destroy());

const root = () => document.querySelector('natter-chat')?.shadowRoot as ShadowRoot;
const field = () => root().querySelector('textarea') as HTMLTextAreaElement;

function type(words: string): void {
  field().value = words;
  field().dispatchEvent(new InputEvent('input', { bubbles: true }));
}

it('puts a prefilled text into the composer before the panel has loaded, and loads nothing for it', async () => {
  await widget.prefill('Where is my order 4711?');
  expect(root().querySelector('.frame')).toBeNull();
  await widget.open();
  await vi.waitFor(() => expect(field().value).toBe('Where is my order 4711?'));
});

it('replaces or removes the text of an earlier prefill, but no text of the visitor', async () => {
  await widget.open();
  for (const text of ['First', 'Second', '']) {
    await widget.prefill(text);
    await vi.waitFor(() => expect(field().value).toBe(text));
  }
  await widget.prefill('Third');
  await vi.waitFor(() => expect(field().value).toBe('Third'));
  type('Third, and more');
  await widget.prefill('Fourth');
  await new Promise(requestAnimationFrame);
  expect(field().value).toBe('Third, and more');
  type('');
  await widget.prefill('Fifth');
  await vi.waitFor(() => expect(field().value).toBe('Fifth'));
});

it('accepts only a text as a prefill, before the panel has loaded and after', async () => {
  const prefill = () => widget.prefill(4711 as never);
  await expect(prefill()).rejects.toThrow(new TypeError('prefill takes a text.'));
  await widget.open();
  expect(field().value).toBe('');
  await expect(prefill()).rejects.toThrow(new TypeError('prefill takes a text.'));
});

it('reports isOpen and unread until it is destroyed', async () => {
  expect([widget.isOpen, widget.unread]).toEqual([false, 0]);
  await widget.open();
  expect(widget.isOpen).toBe(true);
  await widget.update({ connector: 'sales' });
  expect(widget.isOpen).toBe(true);
  await widget.close();
  expect(widget.isOpen).toBe(false);
  await widget.open();
  await widget.destroy();
  expect([widget.isOpen, widget.unread]).toEqual([false, 0]);
});
