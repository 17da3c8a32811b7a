import { afterEach, expect, it, vi } from 'vitest';
import type { ChatClient } from '../src/client/index.ts';
import { type ChatHarness, sentTypes, trackHarnesses } from './chat-harness.ts';

/**
 * Renders a view of one framework into `place`: the transcript (`role="log"` with an `article` for each entry), the
 * typing indicator (`role="status"`), suggestions (`ul` with buttons), and a composer (a form with `textarea` and
 * `button`). Returns a function that removes it.
 */
export type DrawOwnView = (client: ChatClient, place: HTMLElement) => () => void;

const SUGGESTIONS = { response_suggestions: [{ message_text: 'Yes' }, { message_text: 'Yes' }] };

/** Tests a view that uses the hooks, composables or components of any framework. */
export function testOwnView(draw: DrawOwnView): void {
  const { greeted } = trackHarnesses(afterEach);
  const place = document.body.appendChild(document.createElement('main'));
  let remove = (): void => {};
  afterEach(() => {
    remove();
    place.replaceChildren();
  });

  const field = (): HTMLTextAreaElement => place.querySelector('textarea') as HTMLTextAreaElement;
  const send = (): HTMLButtonElement => place.querySelector('form button') as HTMLButtonElement;
  const lines = (): readonly string[] =>
    [...place.querySelectorAll('[role=log] article')].map(({ textContent }) => textContent);
  const press = (more: KeyboardEventInit = {}): boolean =>
    field().dispatchEvent(
      new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, ...more }),
    );

  /** Types like a browser: through the element's own setter, and with an event. */
  function type(words: string): void {
    const { set } = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value') ?? {};
    set?.call(field(), words);
    field().dispatchEvent(new InputEvent('input', { bubbles: true }));
  }

  async function show(): Promise<ChatHarness> {
    const one = await greeted();
    remove = draw(one.chat, place);
    await vi.waitFor(() => expect(lines()).toEqual(['Hello']));
    return one;
  }

  it('a custom view shows the messages, and who is typing', async () => {
    const { platform } = await show();
    expect(place.querySelector('[role=status]')?.textContent).toBe('');
    platform.session.emit('EVENT_TYPE_AGENT_THINKING', {}, { isTransient: true });
    await vi.waitFor(() => expect(place.querySelector('[role=status]')?.textContent).toBe('…'));
    platform.session.say('At 21:40.');
    await vi.waitFor(() => expect(lines()).toEqual(['Hello', 'At 21:40.']));
    expect(place.querySelector('[role=status]')?.textContent).toBe('');
  });

  it('a custom view sends by Enter and by the button, and nothing blank', async () => {
    const { platform } = await show();
    press();
    type('   ');
    await new Promise(requestAnimationFrame);
    press();
    await new Promise(requestAnimationFrame);
    expect(field().value).toBe('   ');
    type('When does it leave?');
    await vi.waitFor(() => expect(send().ariaDisabled).toBe('false'));
    // The browser adds no line for the Enter that sends.
    expect(press()).toBe(false);
    await vi.waitFor(() => expect(field().value).toBe(''));
    type('And back?');
    send().click();
    await vi.waitFor(() => expect(lines()).toEqual(['Hello', 'When does it leave?', 'And back?']));
    await vi.waitFor(() => expect(platform.session.userTexts).toEqual(['When does it leave?', 'And back?']));
    await vi.waitFor(() => expect([send().ariaDisabled, send().disabled]).toEqual(['true', false]));
  });

  it('a custom view keeps the text for Shift+Enter, and for the Enter that ends a composition', async () => {
    const { platform } = await show();
    type('にほんご');
    expect(press({ shiftKey: true })).toBe(true);
    expect(press({ isComposing: true })).toBe(true);
    // Safari ends the composition before the key goes down.
    expect(press({ keyCode: 229 })).toBe(true);
    // The sent text is removed from the field; a snapshot of the typed text may arrive only now.
    await vi.waitFor(() => expect(field().value).toBe('にほんご'));
    expect(platform.session.userTexts).toEqual([]);
  });

  it('a custom view notifies a person that the visitor types', async () => {
    const one = await show();
    one.platform.session.emit('EVENT_TYPE_LIVE_AGENT_JOINED', { agent: { id: 'op', name: 'Marek' } });
    await vi.waitFor(() => expect(one.chat.getSnapshot().speaker?.kind).toBe('live_agent'));
    type('Is the');
    await vi.waitFor(() => expect(sentTypes(one)).toContain('USER_TYPING'));
  });

  it('a custom view offers equal suggestions once each, and sends the chosen one', async () => {
    const { platform } = await show();
    platform.session.say('Anything else?', SUGGESTIONS);
    const buttons = () => place.querySelectorAll<HTMLButtonElement>('ul button');
    await vi.waitFor(() => expect(buttons()).toHaveLength(2));
    buttons()[1]?.click();
    await vi.waitFor(() => expect(buttons()).toHaveLength(0));
    expect(lines().at(-1)).toBe('Yes');
  });

  it('a custom view accepts nothing after the end of the conversation', async () => {
    const { platform } = await show();
    platform.session.end('agent_ended');
    await vi.waitFor(() => expect([field().disabled, send().disabled]).toEqual([true, true]));
  });

  it('a custom view shows a draft that was set elsewhere', async () => {
    const { chat } = await show();
    chat.setUnsent('Where is my order?');
    await vi.waitFor(() => expect(field().value).toBe('Where is my order?'));
  });

  it('a custom view stops following the client when it is removed', async () => {
    const { chat } = await show();
    remove();
    remove = () => {};
    chat.send('Anybody?');
    await new Promise(requestAnimationFrame);
    expect(place.childElementCount).toBe(0);
  });
}
