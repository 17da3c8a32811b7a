import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { type CustomerSite, page as draw, serveCustomerSite, snippet } from './stack/customer-site.ts';
import type { Stack } from './stack/stack.ts';

const NAMES = ['', 'two', 'three'];
const links = NAMES.map((name) => `<a href="/${name}">Page ${name || 'one'}</a>`).join(' ');

let site: CustomerSite | undefined;
test.afterEach(async () => {
  await site?.close();
  site = undefined;
});

/** Serves pages that are separate documents, each with the script and a field. */
async function visit(page: Page, stack: Stack): Promise<string> {
  site = await serveCustomerSite(stack, {
    render: (path, urls) =>
      NAMES.includes(path.slice(1))
        ? {
            body: draw(
              `<h1>Page ${path.slice(1) || 'one'}</h1>${links}<input autofocus>${snippet(urls, `data-contact-url="${urls.site}/two"`)}`,
            ),
          }
        : null,
  });
  await page.goto(site.urls.site);
  return site.urls.site;
}

const goTo = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('link', { name: `Page ${name}` }).click();
  await expect(page.getByRole('heading', { level: 1, name: `Page ${name}` })).toBeVisible();
};
/** Returns the stored state of the panel in the tab. */
const readTab = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() =>
    Object.entries({ ...sessionStorage }).flatMap(([key, value]) =>
      key.startsWith('natter-panel:') ? [value] : [],
    ),
  );
const tell = (page: Page, ...call: readonly string[]): Promise<void> =>
  page.evaluate(async ([name = '', ...given]) => {
    await Reflect.get(window, 'Natter')[name](...given);
  }, call);

test('the open panel is open on the next page, and the focus stays in the page', async ({
  page,
  chat,
  stack,
}) => {
  await visit(page, stack);
  await chat.open();
  await chat.expectQuiet();
  expect(await readTab(page)).toEqual(['open 0']);
  await goTo(page, 'two');
  await expect(chat.dialog).toBeVisible();
  await chat.expectQuiet();
  await expect(page.locator('input')).toBeFocused();
  await chat.ask('Can I bring my dog?');
  const lines = await chat.readLines();
  await goTo(page, 'three');
  await chat.expectLines(lines);
  await expect(page.locator('input')).toBeFocused();
  await page.getByRole('button', { name: 'Close chat' }).last().click();
  await expect(chat.dialog).toBeHidden();
  expect(await readTab(page)).toEqual([]);
  await goTo(page, 'one');
  await expect(chat.launcher).toBeVisible();
  // The conversation has been resumed, so the panel would be open by now.
  await expect
    .poll(() =>
      page.evaluate(
        () => document.querySelector('natter-chat')?.shadowRoot?.querySelectorAll('[role=dialog]').length,
      ),
    )
    .toBe(1);
  await expect(chat.dialog).toBeHidden();
});

test('a link of the chat to a page of the site opens in the same tab, with the open chat; a sheet closes for the page', async ({
  page,
  chat,
  stack,
}) => {
  for (const [width, isOpen] of [
    [1280, true],
    [360, false],
  ] as const) {
    await page.setViewportSize({ width, height: 740 });
    await visit(page, stack);
    await chat.open();
    await chat.expectQuiet();
    await chat.dialog.getByRole('button', { name: 'More' }).click();
    await chat.dialog.getByRole('menuitem', { name: 'Contact us', exact: true }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Page two' })).toBeVisible();
    await expect(chat.dialog).toBeVisible({ visible: isOpen });
    expect(page.context().pages()).toHaveLength(1);
    await site?.close();
  }
});

test('the number of unread messages is there on the next page, and gone after they were read', async ({
  page,
  chat,
  stack,
}) => {
  const unread = page.getByRole('button', { name: /unread/i });
  await visit(page, stack);
  await chat.open();
  await chat.ask('Can I bring my dog?');
  await page.getByRole('button', { name: 'Close chat' }).last().click();
  await tell(page, 'send', 'Do you have wifi on board?');
  await expect(unread).toHaveAccessibleName(/\b1 unread/i);
  await expect.poll(() => readTab(page)).toEqual(['1']);
  for (const name of ['two', 'three']) {
    await goTo(page, name);
    await expect(unread).toHaveAccessibleName(/\b1 unread/i);
    await expect(chat.dialog).toBeHidden();
    expect(await readTab(page)).toEqual(['1']);
  }
  // Another tab shows neither the panel nor a number until it loads the conversation.
  await unread.click();
  await expect(chat.dialog).toBeVisible();
  await expect.poll(() => readTab(page)).toEqual(['open 0']);
  await page.getByRole('button', { name: 'Close chat' }).last().click();
  await goTo(page, 'one');
  await expect(chat.launcher).toBeVisible();
  await expect(unread).toHaveCount(0);
});

for (const command of ['logout', 'destroy']) {
  test(`after ${command}() the next page begins with a closed panel and nothing unread`, async ({
    page,
    chat,
    stack,
  }) => {
    await visit(page, stack);
    await chat.open();
    await chat.expectQuiet();
    await tell(page, command);
    expect(await readTab(page)).toEqual([]);
    await goTo(page, 'two');
    await expect(chat.launcher).toBeVisible();
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
    await expect(chat.dialog).toBeHidden();
  });
}

test('the chat works if sessionStorage throws, and each page begins with a closed panel', async ({
  page,
  chat,
  stack,
}) => {
  const faults: string[] = [];
  page.on('pageerror', ({ message }) => faults.push(message));
  await page.addInitScript(() => {
    Reflect.set(window, 'realStorage', sessionStorage);
    Object.defineProperty(window, 'sessionStorage', {
      configurable: true,
      get() {
        throw new DOMException('blocked', 'SecurityError');
      },
    });
  });
  await visit(page, stack);
  await chat.open();
  await chat.ask('Can I bring my dog?');
  await goTo(page, 'two');
  await chat.open();
  await chat.expectAnswer(/dog|pet/i);
  expect(faults).toEqual([]);
  // The check for tokens after the test reads all storages.
  await page.evaluate(() =>
    Object.defineProperty(window, 'sessionStorage', { value: Reflect.get(window, 'realStorage') }),
  );
});
