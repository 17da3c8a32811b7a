import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import type { ChatPanel } from './page/chat-panel.ts';
import {
  type CustomerSite,
  type CustomerSiteOptions,
  page as draw,
  serveCustomerSite,
  snippet,
} from './stack/customer-site.ts';
import type { Stack } from './stack/stack.ts';

const TURBO = readFileSync(fileURLToPath(import.meta.resolve('@hotwired/turbo')));
const NAMES = ['', 'two', 'three'];
const links = NAMES.map((name) => `<a href="/${name}">Page ${name || 'one'}</a>`).join(' ');
const content = (path: string): string => `<h1>Page ${path.slice(1) || 'one'}</h1>${links}`;

/** Renders three pages that link to each other, with the script in one of two places. */
const renderPages =
  (place: 'head' | 'body', head = ''): CustomerSiteOptions['render'] =>
  (path, urls) => {
    if (path === '/turbo.js') return { body: TURBO, type: 'text/javascript' };
    if (!NAMES.includes(path.slice(1))) return null;
    const script = snippet(urls);
    return place === 'head'
      ? { body: draw(content(path), head + script) }
      : { body: draw(content(path) + script, head) };
  };

let site: CustomerSite | undefined;
test.afterEach(async () => {
  await site?.close();
  site = undefined;
});

interface Visit {
  readonly getSockets: () => number;
  readonly faults: readonly string[];
  /** Scroll position of the transcript. */
  readonly scrollTop: number;
}

const readScrollTop = (chat: ChatPanel): Promise<number> =>
  chat.transcript.evaluate((log) => {
    let element: Element | null = log;
    while (element && element.scrollHeight <= element.clientHeight + 1) element = element.parentElement;
    return element?.scrollTop ?? 0;
  });

/** Opens a site in a low window and has a conversation, scrolled to its end. */
async function begin(
  page: Page,
  chat: ChatPanel,
  stack: Stack,
  render: CustomerSiteOptions['render'],
): Promise<Visit> {
  site = await serveCustomerSite(stack, { render });
  let sockets = 0;
  page.on('websocket', () => (sockets += 1));
  const faults: string[] = [];
  page.on('pageerror', ({ message }) => faults.push(message));
  await page.setViewportSize({ width: 1_000, height: 600 });
  await page.goto(`${site.urls.site}/`);
  await page.evaluate(() => Reflect.set(window, 'isSameDocument', true));
  await chat.open();
  await chat.say('Can I bring my dog?');
  await chat.expectAnswer(/dog|pet/i);
  await chat.composer.fill('A draft');
  // Scrolling is smooth; it has ended when the position is the same twice in a row.
  let scrollTop = 0;
  await expect
    .poll(async () => {
      const before = scrollTop;
      scrollTop = await readScrollTop(chat);
      return scrollTop > 0 && scrollTop === before;
    })
    .toBe(true);
  return { getSockets: () => sockets, faults, scrollTop };
}

/** Expects one widget, unchanged, in the same document. */
async function expectAsItWas(page: Page, chat: ChatPanel, name: string, visit: Visit): Promise<void> {
  await expect(page.getByRole('heading', { level: 1, name: `Page ${name}`, exact: true })).toBeVisible();
  expect(await page.evaluate(() => Reflect.get(window, 'isSameDocument'))).toBe(true);
  await expect(page.locator('natter-chat')).toHaveCount(1);
  await expect(chat.dialog).toBeVisible();
  await expect(chat.composer).toHaveValue('A draft');
  await expect.poll(() => readScrollTop(chat)).toBe(visit.scrollTop);
}

/** Expects the conversation to continue over its existing socket. */
async function expectGoesOn(chat: ChatPanel, visit: Visit): Promise<void> {
  await chat.say('Do you have wifi on board?');
  await chat.expectAnswer(/wi-?fi/i);
  await expect(chat.messages('user')).toHaveCount(2);
  expect(visit.getSockets()).toBe(1);
  expect(visit.faults).toEqual([]);
}

const goTo = (page: Page, name: string): Promise<void> =>
  page.getByRole('link', { name: `Page ${name}` }).click();

for (const place of ['head', 'body'] as const) {
  test(`Turbo Drive, its cache and its morphing leave the widget as it was: script in the ${place}`, async ({
    page,
    chat,
    stack,
  }) => {
    const turbo = '<meta name="turbo-refresh-method" content="morph"><script src="/turbo.js" defer></script>';
    const visit = await begin(page, chat, stack, renderPages(place, turbo));
    for (const name of ['two', 'three', 'one', 'two']) {
      await goTo(page, name);
      await expectAsItWas(page, chat, name, visit);
    }
    // From the cache, which contains copies of the pages as they were left.
    for (const name of ['one', 'three']) {
      await page.goBack();
      await expectAsItWas(page, chat, name, visit);
    }
    await chat.composer.focus();
    const method = await page.evaluate(
      () =>
        new Promise((resolve) => {
          const onRender = (event: Event): void => {
            clearInterval(timer);
            resolve(Reflect.get(event, 'detail').renderMethod);
          };
          document.addEventListener('turbo:render', onRender, { once: true });
          // Turbo ignores this during the previous visit, and delays it by 150 ms each time.
          const timer = setInterval(() => Reflect.get(window, 'Turbo').session.refresh(location.href), 1_000);
        }),
    );
    expect(method).toBe('morph');
    await expectAsItWas(page, chat, 'three', visit);
    await expect(chat.composer).toBeFocused();
    await expectGoesOn(chat, visit);
  });

  test(`Astro's view transitions leave the widget as it was: script in the ${place}`, async ({
    page,
    chat,
    stack,
  }) => {
    const visit = await begin(page, chat, stack, renderPages(place));
    for (const name of ['two', 'three', 'one']) {
      await page.evaluate(swapAsAstro, `/${name === 'one' ? '' : name}`);
      await expectAsItWas(page, chat, name, visit);
    }
    await expectGoesOn(chat, visit);
  });
}

/**
 * Does the steps of a navigation by Astro's `<ClientRouter />`: `swap-functions.js` and `router.js` of astro 7. The
 * package itself has 250 dependencies. Runs in the page.
 */
async function swapAsAstro(path: string): Promise<void> {
  const text = await (await fetch(path)).text();
  const next = new DOMParser().parseFromString(text, 'text/html');
  const ran = [...document.scripts].map(({ src }) => src);
  const swap = (): void => {
    for (const script of next.scripts) if (ran.includes(script.src)) script.dataset['astroExec'] = '';
    const root = document.documentElement;
    for (const { name } of [...root.attributes]) root.removeAttribute(name);
    for (const { name, value } of next.documentElement.attributes) root.setAttribute(name, value);
    document.head.replaceChildren(...next.head.children);
    document.body.replaceWith(next.body);
    history.pushState({}, '', path);
  };
  const transition = document.startViewTransition(swap);
  await transition.finished;
  for (const script of document.querySelectorAll('script:not([data-astro-exec])')) {
    const copy = document.createElement('script');
    for (const { name, value } of script.attributes) copy.setAttribute(name, value);
    script.replaceWith(copy);
  }
}

test('pages that a script replaces, in a view transition or without, leave the widget as it was', async ({
  page,
  chat,
  stack,
}) => {
  const visit = await begin(page, chat, stack, renderPages('body'));
  const exchanges: readonly ((html: string) => unknown)[] = [
    (html) => {
      document.body.innerHTML = html;
    },
    (html) => {
      const body = document.createElement('body');
      body.innerHTML = html;
      document.documentElement.replaceChild(body, document.body);
    },
    (html) =>
      document.startViewTransition(() => {
        document.body.replaceChildren(document.createRange().createContextualFragment(html));
      }).finished,
  ];
  for (const [index, exchange] of exchanges.entries()) {
    const name = ['two', 'three', 'one'][index] ?? '';
    await page.evaluate((path) => history.pushState({}, '', path), `/${name}`);
    await page.evaluate(exchange, content(`/${name}`));
    await expectAsItWas(page, chat, name, visit);
    await expect(chat.composer).toBeFocused();
  }
  await expectGoesOn(chat, visit);
});

test('the conversation continues after a navigation across documents in a view transition', async ({
  page,
  chat,
  stack,
}) => {
  const style = '<style>@view-transition { navigation: auto }</style>';
  const visit = await begin(page, chat, stack, renderPages('head', style));
  await page.addInitScript(() => {
    addEventListener('pagereveal', (event) => {
      Reflect.set(window, 'isTransition', Reflect.get(event, 'viewTransition') !== null);
    });
  });
  await goTo(page, 'two');
  await expect(page.getByRole('heading', { level: 1, name: 'Page two' })).toBeVisible();
  // The page is revealed with its first frame, which may come after its text.
  await expect.poll(() => page.evaluate(() => Reflect.get(window, 'isTransition'))).toBe(true);
  await expect(page.locator('natter-chat')).toHaveCount(1);
  await chat.open();
  await chat.expectAnswer(/dog|pet/i);
  await chat.say('Do you have wifi on board?');
  await chat.expectAnswer(/wi-?fi/i);
  await expect(chat.messages('user')).toHaveCount(2);
  expect(visit.faults).toEqual([]);
});

test('a script that runs before there is a body draws one launcher, and screen readers find it', async ({
  page,
  stack,
}) => {
  site = await serveCustomerSite(stack, {
    render: (path, { proxy }) =>
      path === '/' ? { body: draw(content(path), `<script src="${proxy}/natter.js"></script>`) } : null,
  });
  await page.goto(site.urls.site);
  await expect(page.getByRole('button', { name: 'Chat' })).toHaveCount(1);
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  const buttons = nodes.filter(({ ignored, role }) => !ignored && role?.value === 'button');
  expect(buttons.map(({ name }) => name?.value)).toEqual(['Chat']);
});
