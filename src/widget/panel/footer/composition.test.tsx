import { afterEach, expect, it, vi } from 'vitest';
import { type MountedPanel, mountPanel } from '../../../../test/widget/mount-panel.ts';

let view: MountedPanel;
const field = () => view.find<HTMLTextAreaElement>('.field');
afterEach(() => view.destroy());

/** Puts `text` into the field like an input method, and dispatches one of the events that browsers send. */
function compose(text: string, type: 'input' | 'compositionend'): void {
  field().value = text;
  field().dispatchEvent(
    type === 'input'
      ? new InputEvent('input', { bubbles: true, isComposing: true, inputType: 'insertCompositionText' })
      : new CompositionEvent('compositionend', { bubbles: true, data: text }),
  );
}

it.each([
  ['Chromium’s order: the last input, then the end', ['input', 'compositionend']],
  ['Safari’s order: an end after which no input comes', ['compositionend']],
] as const)('reads the last letters of an input method in %s', async (_, order) => {
  view = mountPanel();
  view.panel.open(true);
  field().focus();
  field().dispatchEvent(new CompositionEvent('compositionstart', { bubbles: true }));
  compose('にほ', 'input');
  for (const type of order) compose('日本', type);
  expect(view.chat.unsent.value).toBe('日本');
  await vi.waitFor(() => expect(view.find('.send').ariaDisabled).toBe('false'));
  // The Enter that ends the composition, as Safari reports it, sends nothing.
  const enter = { key: 'Enter', bubbles: true, cancelable: true };
  field().dispatchEvent(new KeyboardEvent('keydown', { ...enter, keyCode: 229 }));
  expect(view.chat.commands).not.toContain('send 日本');
  field().dispatchEvent(new KeyboardEvent('keydown', { ...enter, keyCode: 13 }));
  expect(view.chat.commands).toContain('send 日本');
  expect([field().value, view.chat.unsent.value]).toEqual(['', '']);
});
