import { afterEach, describe, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { NatterChatElement } from './element.ts';
import { mount } from './mount.ts';

// No server answers there, and nothing is requested before a panel opens.
const ENDPOINT = 'http://127.0.0.1:9';

afterEach(() => {
  vi.restoreAllMocks();
  for (const element of document.querySelectorAll('natter-chat')) element.remove();
});

function createElement(attributes: Readonly<Record<string, string>> = { endpoint: ENDPOINT }) {
  const element = document.createElement('natter-chat');
  if (!(element instanceof NatterChatElement)) throw new Error('The element is not defined.');
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

const launchers = (element: Element) => element.shadowRoot?.querySelectorAll('button.launcher').length ?? 0;

describe('<natter-chat>', () => {
  it('draws the widget when the element is inserted into the page', () => {
    const element = createElement();
    expect(element.widget).toBeNull();
    document.body.append(element);
    expect(element.widget).not.toBeNull();
    expect(launchers(element)).toBe(1);
  });

  it('is empty off the page, and draws the widget again when it is back', () => {
    const element = createElement();
    document.body.append(element);
    const before = element.widget;
    element.remove();
    expect(element.widget).toBeNull();
    expect(element.shadowRoot?.childNodes).toHaveLength(0);
    expect(element.shadowRoot?.adoptedStyleSheets).toHaveLength(0);
    document.body.append(element);
    expect(launchers(element)).toBe(1);
    expect(element.widget).not.toBe(before);
  });

  it('keeps the widget when its language changes', async () => {
    const element = createElement({ endpoint: ENDPOINT, language: 'de' });
    document.body.append(element);
    const before = element.widget;
    const frame = () => element.shadowRoot?.querySelector<HTMLElement>('.frame');
    const button = () => element.shadowRoot?.querySelector('button');
    await element.widget?.open();
    await vi.waitFor(() => expect([frame()?.lang, button()?.ariaLabel]).toEqual(['de', 'Chat schließen']));
    element.setAttribute('language', 'he-IL');
    await vi.waitFor(() => expect(frame()?.lang).toBe('he'));
    expect(frame()?.querySelector<HTMLElement>('[role=dialog]')?.dir).toBe('rtl');
    await element.widget?.setLanguage('en');
    expect([frame()?.lang, button()?.ariaLabel]).toEqual(['en', 'Close chat']);
    expect(element.widget).toBe(before);
  });

  it.each([
    ['agent-name', 'agentName', 'Ada'],
    ['avatar', 'avatarUrl', 'https://example.com/ada.png'],
    ['theme', 'theme', 'dark'],
    ['render-mode', 'renderMode', 'inline'],
    ['show-icon', 'showLauncher', false],
    ['auto-open', 'autoOpen', true],
  ] as const)(
    'reflects its attribute %s in the property %s, and the other way round',
    (attribute, property, value) => {
      const element = createElement({});
      expect(element[property]).toBeUndefined();
      Reflect.set(element, property, value);
      expect(element.getAttribute(attribute)).toBe(String(value));
      expect(element[property]).toBe(value);
      Reflect.set(element, property, undefined);
      expect(element.hasAttribute(attribute)).toBe(false);
      element.setAttribute(attribute, '');
      expect(element[property]).toBeUndefined();
    },
  );

  it.each([
    ['policy-links', 'policyLinks', [{ label: 'Privacy', url: 'https://example.com/privacy' }]],
    ['localized', 'localized', { de: { welcome: 'Moin' } }],
  ] as const)('writes its attribute %s as JSON when its property %s is set', (attribute, property, value) => {
    const element = createElement({});
    Reflect.set(element, property, value);
    expect(JSON.parse(element.getAttribute(attribute) ?? '')).toEqual(value);
  });

  it('writes a list of hosts as the text that the attribute accepts', () => {
    const element = createElement({});
    element.imageHosts = ['cdn.example.com', '*.example.org'];
    expect(element.getAttribute('image-hosts')).toBe('cdn.example.com,*.example.org');
  });

  it('keeps properties that were set before its class was defined', async () => {
    const element = document.createElement('later-chat') as NatterChatElement;
    const strings = { en: { openChat: 'Ask us' } };
    Object.assign(element, { endpoint: ENDPOINT, agentName: 'Ada', strings });
    document.body.append(element);
    customElements.define('later-chat', class extends NatterChatElement {});
    expect([element.getAttribute('agent-name'), element.strings]).toEqual(['Ada', strings]);
    await element.widget?.close();
    expect(element.shadowRoot?.querySelector('button')?.ariaLabel).toBe('Ask us');
    element.agentName = 'Ben';
    expect(element.getAttribute('agent-name')).toBe('Ben');
    element.remove();
  });

  it('has no value in a property whose attribute is unknown', () => {
    const element = createElement({ theme: 'sideways', 'show-icon': 'maybe' });
    expect([element.theme, element.showLauncher]).toEqual([undefined, undefined]);
  });

  it('creates one widget, with all attributes, when it is parsed', () => {
    const drawn = vi.spyOn(Element.prototype, 'attachShadow');
    document.body.insertAdjacentHTML(
      'beforeend',
      `<natter-chat endpoint="${ENDPOINT}" accent="teal" show-icon="false"></natter-chat>`,
    );
    const element = document.querySelector('natter-chat');
    expect(drawn).toHaveBeenCalledOnce();
    expect(element?.shadowRoot?.querySelector('button')?.checkVisibility()).toBe(false);
  });

  it('starts when it gets an endpoint, and accepts its own wording as a property', async () => {
    const element = createElement({ language: 'en' });
    document.body.append(element);
    expect(element.widget).toBeNull();
    element.endpoint = ENDPOINT;
    expect(element.widget).not.toBeNull();
    element.strings = { en: { closeChat: 'Bye' } };
    await element.widget?.open();
    await vi.waitFor(() => expect(element.shadowRoot?.querySelector('button')?.ariaLabel).toBe('Bye'));
  });

  it('dispatches the widget’s events with the value as detail', async () => {
    const element = createElement();
    document.body.append(element);
    const heard: unknown[] = [];
    element.addEventListener('ready', ({ detail }) => heard.push('ready', detail));
    element.addEventListener('unread', ({ detail }) => heard.push(detail.count));
    element.addEventListener('open', () => heard.push('open'));
    document.body.addEventListener('open', () => heard.push('above'));
    await element.widget?.open();
    expect(heard).toEqual([0, 'ready', null, 'open']);
  });

  it('lets the page style the parts of the element', async () => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(
      ['launcher', 'panel', 'header', 'transcript', 'composer', 'input', 'send', 'footer']
        .map((part) => `natter-chat::part(${part}) { --seen: ${part} }`)
        .join('\n'),
    );
    document.adoptedStyleSheets.push(sheet);
    const element = createElement();
    document.body.append(element);
    await element.widget?.open();
    const seen = [...(element.shadowRoot?.querySelectorAll('[part]') ?? [])].map((part) =>
      getComputedStyle(part).getPropertyValue('--seen'),
    );
    expect(seen).toEqual(
      expect.arrayContaining(['launcher', 'panel', 'header', 'transcript', 'composer', 'input', 'send']),
    );
    document.adoptedStyleSheets.pop();
  });

  it('is part of the page’s layout if it is inline', async () => {
    const place = document.createElement('div');
    place.style.cssText = 'inline-size: 360px; margin-block-start: 40px';
    const element = createElement({ endpoint: ENDPOINT, 'render-mode': 'inline' });
    place.append(element);
    document.body.append(place);
    await vi.waitFor(() => expect(element.shadowRoot?.querySelector('.panel')).toBeTruthy());
    // The panel itself is still growing.
    const box = element.shadowRoot?.querySelector('.frame')?.getBoundingClientRect();
    const { top, left, width } = place.getBoundingClientRect();
    expect([box?.top, box?.left, box?.width, box?.height]).toEqual([top, left, width, 680]);
    expect(element.shadowRoot?.querySelector('button.launcher')?.checkVisibility()).toBe(false);
    place.remove();
  });

  it('is over the page, as high as the page sets it', () => {
    const element = createElement({ endpoint: ENDPOINT });
    document.body.append(element);
    expect(getComputedStyle(element).zIndex).toBe('10000');
    element.style.setProperty('--natter-z-index', '7');
    expect(getComputedStyle(element).zIndex).toBe('7');
  });

  it('lets none of its styles out into the page', async () => {
    const words = document.createElement('p');
    words.className = 'panel frame bubble message button header';
    words.textContent = 'Words of the page';
    document.body.append(words);
    // A panel beside the page, because a sheet makes the page inert, which changes its styles.
    await page.viewport(1_000, 800);
    const look = () => JSON.stringify(Object.entries(getComputedStyle(words)));
    const before = look();
    const element = createElement({ endpoint: ENDPOINT, 'auto-open': 'true' });
    document.body.append(element);
    await vi.waitFor(() => expect(element.shadowRoot?.querySelector('.panel')).toBeTruthy());
    expect(look()).toBe(before);
    words.remove();
    await page.viewport(414, 896);
  });

  it('does nothing without an endpoint', () => {
    const element = createElement({ 'agent-name': 'Ada' });
    document.body.append(element);
    expect(element.widget).toBeNull();
    expect(element.shadowRoot).toBeNull();
  });

  it('follows its attributes in place, before the panel has loaded and after', async () => {
    const element = createElement({ endpoint: ENDPOINT, position: 'start', language: 'en' });
    document.body.append(element);
    const first = element.widget;
    const launcher = () => element.shadowRoot?.querySelector('.launcher');
    element.removeAttribute('position');
    expect(launcher()?.part.value).toBe('launcher ');
    element.setAttribute('show-icon', 'false');
    expect(launcher()?.checkVisibility()).toBe(false);
    await element.widget?.open();
    const field = element.shadowRoot?.querySelector('textarea');
    for (const [name, value] of Object.entries({
      'agent-name': 'Grace',
      disclaimer: 'Ada can be wrong.',
      'policy-links': '[{ "label": "Privacy", "url": "https://example.com/privacy" }]',
      title: 'Help',
      'show-header': 'false',
    }))
      element.setAttribute(name, value);
    const frame = () => element.shadowRoot?.querySelector<HTMLElement>('.frame');
    await vi.waitFor(() => expect(frame()?.textContent).toMatch(/Ada can be wrong\.\s*Privacy/));
    expect(frame()?.querySelector('[role=dialog]')?.ariaLabel).toBe('Help');
    expect(frame()?.querySelector('.header')).toBeNull();
    element.setAttribute('disclaimer', 'Grace can be wrong.');
    await vi.waitFor(() => expect(frame()?.textContent).toContain('Grace can be wrong.'));
    element.removeAttribute('policy-links');
    await vi.waitFor(() => expect(frame()?.textContent).not.toContain('Privacy'));
    element.setAttribute('render-mode', 'inline');
    await vi.waitFor(() => expect(getComputedStyle(element).position).toBe('relative'));
    element.removeAttribute('render-mode');
    await vi.waitFor(() => expect(getComputedStyle(element).position).toBe('fixed'));
    expect(element.shadowRoot?.querySelector('textarea')).toBe(field);
    expect([element.widget, launchers(element)]).toEqual([first, 1]);
  });

  it('destroys its widget with its endpoint, and moves to another endpoint', async () => {
    const element = createElement({ endpoint: ENDPOINT });
    document.body.append(element);
    await element.widget?.open();
    element.setAttribute('endpoint', 'http://127.0.0.1:8');
    expect(element.widget).not.toBeNull();
    element.removeAttribute('endpoint');
    expect([element.widget, element.shadowRoot?.childNodes.length]).toEqual([null, 0]);
    element.endpoint = ENDPOINT;
    expect(launchers(element)).toBe(1);
  });

  it('is empty when its widget is destroyed, and can be drawn again at once', async () => {
    const element = createElement({ endpoint: ENDPOINT, accent: 'teal' });
    document.body.append(element);
    await element.widget?.open();
    const root = element.shadowRoot as ShadowRoot;
    const destroyed = element.widget?.destroy();
    expect([root.childNodes.length, root.adoptedStyleSheets.length, element.style.length]).toEqual([0, 0, 0]);
    element.remove();
    document.body.append(element);
    await destroyed;
    expect(launchers(element)).toBe(1);
    await element.widget?.open();
    expect(root.querySelectorAll('.frame')).toHaveLength(1);
    element.remove();
    await vi.waitFor(() => expect(root.childNodes).toHaveLength(0));
    expect(root.adoptedStyleSheets).toHaveLength(0);
  });

  it('returns the focus to the page’s own button if it has no launcher', async () => {
    const element = createElement({ endpoint: ENDPOINT, 'show-icon': 'false' });
    const help = document.createElement('button');
    document.body.append(help, element);
    help.focus();
    await element.widget?.open();
    const panel = element.shadowRoot?.querySelector<HTMLElement>('.panel');
    panel?.focus();
    expect(document.activeElement).toBe(element);
    panel?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
    await vi.waitFor(() => expect(document.activeElement).toBe(help));
    help.remove();
  });

  it('applies another accent as it is, and removes it', async () => {
    const element = createElement({ endpoint: ENDPOINT, accent: 'teal' });
    document.body.append(element);
    const first = element.widget;
    const accent = () => element.style.getPropertyValue('--natter-accent');
    expect(accent()).toBe('teal');
    element.accent = 'navy';
    expect(accent()).toBe('navy');
    element.removeAttribute('accent');
    expect(accent()).toBe('');
    expect(element.widget).toBe(first);
    element.accent = 'teal';
    element.remove();
    expect(element.style).toHaveLength(0);
  });

  it('stays open after changes while it is open, and closed otherwise', async () => {
    const element = createElement({ endpoint: ENDPOINT });
    document.body.append(element);
    const isOpen = () => element.shadowRoot?.querySelector('.frame[data-open=true]') !== null;
    await element.widget?.open();
    element.agentName = 'Ben';
    await vi.waitFor(() => expect(isOpen()).toBe(true));
    await element.widget?.close();
    element.agentName = 'Eva';
    await element.widget?.close();
    expect(isOpen()).toBe(false);
  });

  it.each([
    ['ios', 'fullscreen', false],
    ['android', 'panel', true],
    ['sideways', 'panel', true],
  ])('opens on platform %s as %s', async (platform, layout, hasHeader) => {
    const element = createElement({ endpoint: ENDPOINT, platform, 'render-mode': 'default' });
    document.body.append(element);
    await element.widget?.open();
    const frame = element.shadowRoot?.querySelector<HTMLElement>('.frame');
    // A small window shows a sheet where a large one shows a panel.
    expect(frame?.dataset['layout']?.replace('sheet', 'panel')).toBe(layout);
    expect(frame?.querySelector('.header') !== null).toBe(hasHeader);
    expect(element.shadowRoot?.querySelector('button')?.checkVisibility()).toBe(hasHeader);
  });

  it('dispatches ready once for the panel', async () => {
    const element = createElement();
    document.body.append(element);
    const heard: string[] = [];
    element.widget?.on('ready', () => heard.push('ready'));
    await element.widget?.close();
    await element.widget?.close();
    // A handler of `ready` that restarts the widget would restart it endlessly.
    await element.widget?.logout();
    await element.widget?.setLanguage('de');
    expect(heard).toEqual(['ready']);
  });

  it('opens with the first click if the page has set no user', async () => {
    const element = createElement();
    document.body.append(element);
    await element.widget?.identify(null);
    const heard: string[] = [];
    for (const name of ['open', 'close'] as const) element.widget?.on(name, () => heard.push(name));
    element.shadowRoot?.querySelector('button')?.click();
    await vi.waitFor(() => expect(heard).toEqual(['open']));
    // Called after it, so that the earlier calls are complete.
    await element.widget?.setContext({ page: 'Booking' });
    expect(heard).toEqual(['open']);
  });

  it('does not touch hosts of mount', async () => {
    const widget = mount({ endpoint: ENDPOINT });
    const [host] = document.querySelectorAll('natter-chat');
    expect(host && launchers(host)).toBe(1);
    await widget.destroy();
    expect(document.querySelector('natter-chat')).toBeNull();
  });
});

it('leaves no node and no listener behind after fifty mounts with their panels', async () => {
  const held = new Map<string, number>();
  const watch = (method: 'addEventListener' | 'removeEventListener', step: number) => {
    const original = EventTarget.prototype[method];
    vi.spyOn(EventTarget.prototype, method).mockImplementation(function (
      this: EventTarget,
      ...parameters: Parameters<typeof original>
    ) {
      const target = this ?? window;
      const signal =
        typeof parameters[2] === 'object' ? (parameters[2] as AddEventListenerOptions).signal : null;
      // A target that outlives the nodes of a widget.
      if (!(target instanceof Node) || target === document) {
        const name = `${target.constructor.name} ${parameters[0]}`;
        const count = (by: number) => held.set(name, (held.get(name) ?? 0) + by);
        if (!(target instanceof AbortSignal)) count(step);
        if (signal && step > 0) {
          // Several listeners may share one signal.
          const others = signal.onabort;
          signal.onabort = (event) => {
            others?.call(signal, event);
            count(-1);
          };
        }
      }
      return original.apply(target, parameters);
    });
  };
  watch('addEventListener', 1);
  watch('removeEventListener', -1);

  const nodes = document.querySelectorAll('*').length;
  for (let round = 0; round < 50; round += 1) {
    const widget = mount({ endpoint: ENDPOINT, language: 'en' });
    const root = document.querySelector('natter-chat')?.shadowRoot;
    // Loads the panel and leaves it closed.
    await widget.close();
    expect(root?.querySelector('.panel')).toBeTruthy();
    await widget.destroy();
    expect(root?.querySelector('.panel')).toBeNull();
    expect(root?.host.isConnected).toBe(false);
  }
  expect(document.querySelectorAll('*').length).toBe(nodes);
  expect(held.size).toBeGreaterThan(0);
  expect([...held].filter(([, count]) => count > 0)).toEqual([]);
});
