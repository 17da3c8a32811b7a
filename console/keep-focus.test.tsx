import { type ComponentChildren, render } from 'preact';
import { afterEach, expect, it, vi } from 'vitest';
import { keepFocus } from './keep-focus.ts';

let stop = (): void => {};
afterEach(() => {
  stop();
  document.body.replaceChildren();
});

/** Renders the markup in a root that keeps the focus, and focuses `selector` in it. */
function start(markup: ComponentChildren, selector: string): HTMLElement {
  const root = document.body.appendChild(document.createElement('div'));
  render(markup, root);
  stop = keepFocus(root);
  const element = root.querySelector<HTMLElement>(selector);
  element?.focus();
  return element as HTMLElement;
}

const focusedText = (): string => document.activeElement?.textContent ?? '';
const LIST = (
  <ul>
    {['one', 'two', 'three'].map((name) => (
      <li key={name}>
        <button type="button">{name}</button>
      </li>
    ))}
  </ul>
);

it('moves the focus from a removed row to the next one, and from the last one to the one before', async () => {
  const row = start(LIST, 'li:nth-child(2) button');
  row.parentElement?.remove();
  await vi.waitFor(() => expect(focusedText()).toBe('three'));
  document.activeElement?.parentElement?.remove();
  await vi.waitFor(() => expect(focusedText()).toBe('one'));
});

it('keeps the focus in a field that is rendered anew', async () => {
  const field = start(
    <form>
      <input name="tags" />
      <button type="submit">Save</button>
    </form>,
    'input',
  );
  const next = document.createElement('input');
  field.replaceWith(next);
  await vi.waitFor(() => expect(document.activeElement).toBe(next));
});

it('moves the focus out of a section that is empty now, to the first element around it', async () => {
  const button = start(
    <main>
      {LIST}
      <section>
        <button type="button">End</button>
      </section>
    </main>,
    'section button',
  );
  button.remove();
  await vi.waitFor(() => expect(focusedText()).toBe('one'));
});

it('leaves the focus alone where a press took it away before', async () => {
  const row = start(LIST, 'li button');
  row.blur();
  row.closest('ul')?.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));
  row.parentElement?.remove();
  await new Promise(requestAnimationFrame);
  expect(document.activeElement).toBe(document.body);
});
