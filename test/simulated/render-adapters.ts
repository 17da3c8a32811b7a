import { act, createElement, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createApp, h } from 'vue';
import { mount, type NatterWidget } from '../../src/embed/index.ts';
import { NatterChat } from '../../src/react/index.ts';
import { NatterChat as VueChat } from '../../src/vue/index.ts';

const OPTIONS = { endpoint: 'https://chat.example.com', autoOpen: true, theme: 'dark' } as const;

/** Tests what a customer's own tests of a page with the widget may do, in the test runner's simulated browser. */
export function testAdapters(name: RegExp): void {
  const faults: unknown[] = [];
  const onFault = (fault: unknown): void => void faults.push(fault);
  beforeEach(() => {
    faults.length = 0;
    vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
    vi.stubGlobal('fetch', onFault);
    vi.spyOn(console, 'error').mockImplementation(onFault);
    process.on('unhandledRejection', onFault);
  });
  afterEach(async () => {
    // Late errors have been reported by now.
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', onFault);
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
    expect(faults).toEqual([]);
    expect(document.querySelectorAll('natter-chat')).toHaveLength(0);
  });

  it('the browser is simulated', () => expect(navigator.userAgent).toMatch(name));

  it('the React component renders in a simulated browser, does nothing, and has commands that resolve', async () => {
    const place = document.createElement('main');
    document.body.append(place);
    const root = createRoot(place);
    const held: (NatterWidget | null)[] = [];
    const draw = (more: object) =>
      act(() =>
        root.render(
          createElement(
            StrictMode,
            null,
            'The page',
            createElement(NatterChat, { ...OPTIONS, ...more, ref: (widget) => void held.push(widget) }),
          ),
        ),
      );
    await draw({});
    await draw({ theme: 'light', agentName: 'Ada' });
    await draw({ renderMode: 'inline' });
    expect(place.textContent).toBe('The page');
    const widget = held.findLast((each) => each !== null);
    await widget?.open();
    expect(await widget?.send('Hello')).toMatchObject({ status: 'refused' });
    expect((await widget?.doctor())?.text).toMatch(/not a browser/);
    await act(() => root.unmount());
  });

  it('the Vue component renders in a simulated browser and does nothing', () => {
    const place = document.createElement('main');
    const app = createApp({ render: () => h('div', ['The page', h(VueChat, OPTIONS)]) });
    app.mount(place);
    expect(place.textContent).toBe('The page');
    app.unmount();
  });

  it('mount and the element can be used in a simulated browser, and draw nothing', async () => {
    await mount(OPTIONS).destroy();
    const { NatterChatElement } = await import('../../src/embed/element.ts');
    const element = document.createElement('natter-chat');
    element.setAttribute('endpoint', OPTIONS.endpoint);
    document.body.append(element);
    element.setAttribute('theme', 'light');
    expect(element).toBeInstanceOf(NatterChatElement);
    expect([element.shadowRoot, element.widget]).toEqual([null, null]);
    element.remove();
  });
}
