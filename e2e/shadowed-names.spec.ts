import { readFileSync } from 'node:fs';
import { buildEmbed } from '../demo/build/build-embed.ts';
import { expect, test } from './fixtures.ts';
import { type CustomerSite, page as draw, serveCustomerSite, snippet } from './stack/customer-site.ts';

let site: CustomerSite | undefined;
test.afterEach(async () => {
  await site?.close();
  site = undefined;
});

/** Elements whose names shadow properties of `document`, each with the address of a picture. */
const HOSTS_OF_NAMES: Readonly<Record<string, (name: string) => string>> = {
  img: (name) => `<img name="${name}" src="/evil/x.png" alt="">`,
  form: (name) =>
    `<form name="${name}" id="${name}"><input name="src" value="/evil/"><input name="map"></form>`,
  embed: (name) => `<embed name="${name}" src="/evil/x.png">`,
  object: (name) => `<object id="${name}" name="${name}" data="/evil/x.png"></object>`,
  iframe: (name) => `<iframe name="${name}" src="/evil/frame" title=""></iframe>`,
};

for (const [kind, markup] of Object.entries(HOSTS_OF_NAMES)) {
  test(`an ${kind} with the name currentScript loads no foreign code, and the chat works`, async ({
    page,
    chat,
    stack,
  }) => {
    const asked: string[] = [];
    site = await serveCustomerSite(stack, {
      render: (path, urls) => {
        asked.push(path);
        if (path.startsWith('/evil/natter')) {
          const body = `document.title = 'taken over'; export const prepare = () => new Promise(() => {});`;
          return { body, type: 'text/javascript' };
        }
        if (path.startsWith('/evil/')) return { body: '', type: 'text/html' };
        return path === '/' ? { body: draw(markup('currentScript') + snippet(urls)) } : null;
      },
    });
    await page.goto(site.urls.site);
    await chat.open();
    await chat.say('Can I bring my dog?');
    await chat.expectAnswer(/dog|pet/i);
    expect(asked.filter((path) => path.startsWith('/evil/natter'))).toEqual([]);
    await expect(page).toHaveTitle('A page');
  });
}

/** Returns every property of `document` that the widget's files read, found in their text. */
function findNames(): readonly string[] {
  const text = ['natter.js'].map((file) => readFileSync(`${buildEmbed()}/${file}`, 'utf8')).join('\n');
  return [...new Set([...text.matchAll(/\bdocument\.(\w+)/g)].map(([, name]) => name ?? ''))];
}

test('markup that shadows the properties of the document, and the names of the widget, changes nothing', async ({
  page,
  chat,
  stack,
}) => {
  const faults: string[] = [];
  page.on('pageerror', ({ message }) => faults.push(message));
  const ofDocument = [
    ...['createElement', 'documentElement', 'body', 'head', 'title', 'getElementById', 'querySelectorAll'],
    ...['addEventListener', 'removeEventListener', 'activeElement', 'hidden', 'visibilityState', 'scripts'],
    ...[
      'readyState',
      'adoptedStyleSheets',
      'createElementNS',
      'createTextNode',
      'querySelector',
      'execCommand',
    ],
    ...findNames(),
  ].map((name) => `<img name="${name}" alt="">`);
  const ofWindow = ['Natter', 'WebchatAPI', 'ReportingObserver', 'prepare', '__PANEL_FILE__'].map(
    (name) =>
      `<a id="${name}"></a><a id="${name}" name="map"></a><form name="${name}"><input name="map"></form>`,
  );
  site = await serveCustomerSite(stack, {
    render: (path, urls) =>
      path === '/'
        ? {
            body: draw(
              `<div id="markup">${[...ofDocument, ...ofWindow].join('')}</div>${snippet(urls)}<script src="${urls.proxy}/natter/compat.js" defer></script>`,
            ),
          }
        : null,
  });
  await page.goto(site.urls.site);
  await expect(chat.launcher).toBeVisible();
  await chat.launcher.click();
  await expect(chat.dialog).toBeVisible();
  await chat.say('Can I bring my dog?');
  await chat.expectAnswer(/dog|pet/i);
  const report: string = await page.evaluate(async () => (await Reflect.get(window, 'Natter').doctor()).text);
  expect(report).toContain('ok       duplicates');
  expect(await page.evaluate(() => typeof Reflect.get(window, 'WebchatAPI').openWidget)).toBe('function');
  await chat.composer.press('Escape');
  await expect(chat.dialog).toBeHidden();
  await page.evaluate(() => Reflect.get(window, 'Natter').destroy());
  await expect(page.locator('natter-chat')).toHaveCount(0);
  expect(faults).toEqual([]);
  // The check for tokens after the test reads the document in the usual way.
  await page.evaluate(() => Document.prototype.getElementById.call(document, 'markup')?.remove());
});
