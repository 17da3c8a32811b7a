import { act, createElement, StrictMode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { NatterWidget } from '../embed/index.ts';
import { NatterChat, type NatterChatProps } from './index.ts';

const ENDPOINT = 'https://chat.example';
let root: Root;
beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  root = createRoot(document.createElement('div'));
});
afterEach(async () => {
  await act(() => root.unmount());
  vi.unstubAllGlobals();
});

const hosts = () => [...document.querySelectorAll('natter-chat')];
const draw = (props: Partial<NatterChatProps> & { readonly ref?: (widget: NatterWidget | null) => void }) =>
  act(() =>
    root.render(createElement(StrictMode, null, createElement(NatterChat, { endpoint: ENDPOINT, ...props }))),
  );

it('stays as it is in strict mode when objects, lists, handlers and a ref are made anew', async () => {
  const held: (NatterWidget | null)[] = [];
  const drawAgain = () =>
    draw({
      ref: (widget) => void held.push(widget),
      policyLinks: [{ label: 'Privacy', url: 'https://ferry.example/privacy' }],
      localized: { de: { welcome: 'Ahoi!' } },
      strings: { en: { send: 'Post' } },
      onMessage: () => {},
    });
  await drawAgain();
  const [host] = hosts();
  const widget = held.at(-1);
  expect(widget).toMatchObject({ open: expect.any(Function) });
  await drawAgain();
  await drawAgain();
  expect(hosts()).toEqual([host]);
  expect(held.at(-1)).toBe(widget);
});

it('is set up anew, once, when a value in an object changes, and hands over the new widget', async () => {
  const held: (NatterWidget | null)[] = [];
  const ref = (widget: NatterWidget | null) => void held.push(widget);
  await draw({ ref, localized: { de: { welcome: 'Ahoi!' } } });
  const [before] = hosts();
  const widget = held.at(-1);
  await draw({ ref, localized: { de: { welcome: 'Moin!' } } });
  expect(hosts()).toHaveLength(1);
  expect(hosts()[0]).not.toBe(before);
  expect(held.at(-1)).toMatchObject({ open: expect.any(Function) });
  expect(held.at(-1)).not.toBe(widget);
});

it('calls the handler of the latest render', async () => {
  const called: string[] = [];
  await draw({ onReady: () => called.push('old') });
  await draw({ onReady: () => called.push('new') });
  // The panel loads when somebody is about to use it.
  hosts()[0]?.shadowRoot?.querySelector('button')?.dispatchEvent(new PointerEvent('pointerenter'));
  await vi.waitFor(() => expect(called).toEqual(['new']));
});

it('goes with its component, and takes the ref with it', async () => {
  const held: (NatterWidget | null)[] = [];
  await draw({ ref: (widget) => void held.push(widget) });
  await act(() => root.render(null));
  expect(hosts()).toHaveLength(0);
  expect(held.at(-1)).toBeNull();
});

it('leaves children out, which in development lead round in circles', async () => {
  const circle: { self?: unknown } = {};
  circle.self = circle;
  await draw({ children: circle } as Partial<NatterChatProps>);
  expect(hosts()).toHaveLength(1);
});
