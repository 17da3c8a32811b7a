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

it('keeps the widget in strict mode when objects, lists, handlers and a ref are created again', async () => {
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

/** Opens the chat and types like a visitor. No server answers at the endpoint. */
async function type(words: string, widget: NatterWidget | null | undefined): Promise<HTMLTextAreaElement> {
  await widget?.open();
  const field = hosts()[0]?.shadowRoot?.querySelector('textarea');
  if (!field) throw new Error('The panel has no field.');
  field.focus();
  field.value = words;
  field.dispatchEvent(new InputEvent('input', { bubbles: true }));
  return field;
}

it('applies changed React properties in place: panel and draft stay', async () => {
  const held: (NatterWidget | null)[] = [];
  const ref = (widget: NatterWidget | null) => void held.push(widget);
  await draw({ ref, theme: 'light', language: 'en' });
  const [host] = hosts();
  const widget = held.at(-1);
  const field = await type('Is the ferry', widget);
  await draw({ ref, theme: 'dark', language: 'de', agentName: 'Grace', accent: 'teal', position: 'start' });
  const root = host?.shadowRoot;
  await vi.waitFor(() => expect(root?.querySelector<HTMLElement>('.frame')?.lang).toBe('de'));
  expect(root?.querySelector('.frame')).toMatchObject({
    dataset: { theme: 'dark', open: 'true', edge: 'left' },
  });
  expect(root?.querySelector('[role=dialog]')?.ariaLabel).toBe('Grace');
  expect((host as HTMLElement).style.getPropertyValue('--natter-accent')).toBe('teal');
  expect(root?.querySelector('.launcher')?.part.value).toBe('launcher start');
  expect(root?.activeElement).toBe(field);
  expect([field.isConnected, field.value]).toEqual([true, 'Is the ferry']);
  expect(hosts()).toEqual([host]);
  expect(held.at(-1)).toBe(widget);
});

it('moves to another endpoint with the draft and the open panel', async () => {
  const held: (NatterWidget | null)[] = [];
  const ref = (widget: NatterWidget | null) => void held.push(widget);
  await draw({ ref });
  const widget = held.at(-1);
  const field = await type('Is the ferry', widget);
  await draw({ ref, endpoint: 'https://other.example' });
  const other = () => hosts()[0]?.shadowRoot?.querySelector('textarea');
  await vi.waitFor(() => expect(other()).not.toBe(field));
  await vi.waitFor(() => expect(other()?.value).toBe('Is the ferry'));
  expect(hosts()[0]?.shadowRoot?.querySelector<HTMLElement>('.frame')?.dataset['open']).toBe('true');
  expect(hosts()[0]?.shadowRoot?.activeElement).toBe(other());
  expect(held.at(-1)).toBe(widget);
});

it('draws an inline chat inside the React component, and any other over the page', async () => {
  const page = document.body.appendChild(document.createElement('main'));
  await act(() => root.unmount());
  root = createRoot(page);
  await draw({ renderMode: 'inline' });
  const [host] = hosts();
  expect(page.contains(host ?? null)).toBe(true);
  await draw({ renderMode: 'default' });
  expect(page.childNodes).toHaveLength(0);
  expect(host?.parentNode).toBe(document.documentElement);
  await draw({ renderMode: 'inline' });
  expect(hosts()).toEqual([host]);
  expect(page.contains(host ?? null)).toBe(true);
  page.remove();
});

it('keeps errors inside it from the React tree around it', async () => {
  const reported: unknown[] = [];
  vi.stubGlobal('reportError', (error: unknown) => reported.push(error));
  const fault = new Error('A browser that does not do as it should');
  vi.spyOn(Element.prototype, 'attachShadow').mockImplementation(() => {
    throw fault;
  });
  const element = document.createElement('div');
  const other = createRoot(element);
  const circle: { self?: unknown } = {};
  circle.self = circle;
  const given = { endpoint: ENDPOINT, title: circle, strings: { en: 1n } } as unknown as NatterChatProps;
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  await act(() => other.render(createElement('main', null, 'The page', createElement(NatterChat, given))));
  expect(element.textContent).toBe('The page');
  expect(reported).toEqual([fault]);
  expect(warn.mock.calls.join()).toMatch(/strings,title/);
  await act(() => other.unmount());
  vi.restoreAllMocks();
});

it('calls the handler of the latest render', async () => {
  const called: string[] = [];
  await draw({ onReady: () => called.push('old') });
  await draw({ onReady: () => called.push('new') });
  // The panel loads when the visitor is about to open it.
  hosts()[0]?.shadowRoot?.querySelector('button')?.dispatchEvent(new PointerEvent('pointerenter'));
  await vi.waitFor(() => expect(called).toEqual(['new']));
});

it('is removed with its React component, and clears the ref', async () => {
  const held: (NatterWidget | null)[] = [];
  await draw({ ref: (widget) => void held.push(widget) });
  await act(() => root.render(null));
  expect(hosts()).toHaveLength(0);
  expect(held.at(-1)).toBeNull();
});

it('ignores children, which in development contain circular references', async () => {
  const circle: { self?: unknown } = {};
  circle.self = circle;
  await draw({ children: circle } as Partial<NatterChatProps>);
  expect(hosts()).toHaveLength(1);
});
