import { Buffer } from 'node:buffer';
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import {
  type CustomerSite,
  type CustomerUrls,
  page as html,
  serveCustomerSite,
  snippet,
} from './stack/customer-site.ts';
import type { Stack } from './stack/stack.ts';

/** A host in `data-image-hosts`, and one that is not. Neither exists; the test answers all requests to them. */
const ALLOWED = 'pictures.example';
const STRANGE = 'strange.example';

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** Markdown and HTML that would fetch something if it were more than text and links. */
const HOSTILE_TEXT = [
  `![a](https://${STRANGE}/markdown.png)`,
  `[![a](https://${STRANGE}/linked.png)](https://${STRANGE}/)`,
  `![a][1]\n\n[1]: https://${STRANGE}/reference.png`,
  `<img src="https://${STRANGE}/img.png" srcset="https://${STRANGE}/srcset.png 2x">`,
  `<picture><source srcset="https://${STRANGE}/source.png"><img></picture>`,
  `<svg><image href="https://${STRANGE}/svg.png"/><use href="https://${STRANGE}/use.svg#a"/></svg>`,
  `<link rel="stylesheet" href="https://${STRANGE}/a.css"><link rel="prefetch" href="https://${STRANGE}/b">`,
  `<style>@import "https://${STRANGE}/import.css"; p { background: url(https://${STRANGE}/css.png) }</style>`,
  `<p style="background:url(https://${STRANGE}/style.png)">a</p>`,
  `<script src="https://${STRANGE}/a.js"></script><iframe src="https://${STRANGE}/frame"></iframe>`,
  `<object data="https://${STRANGE}/object"></object><embed src="https://${STRANGE}/embed">`,
  `<video poster="https://${STRANGE}/poster.png" src="https://${STRANGE}/video.mp4"></video>`,
  `<audio src="https://${STRANGE}/audio.mp3"></audio><input type="image" src="https://${STRANGE}/input.png">`,
  `<body background="https://${STRANGE}/body.png"><table background="https://${STRANGE}/table.png">`,
  `<meta http-equiv="refresh" content="0;url=https://${STRANGE}/meta"><base href="https://${STRANGE}/">`,
  `<a href="https://${STRANGE}/" ping="https://${STRANGE}/ping">a link</a>`,
].join('\n\n');

const attachment = (kind: 'URL' | 'IMAGE', title: string, content: string, preview: string) => ({
  content_type: `ATTACHMENT_CONTENT_TYPE_${kind}`,
  title,
  content_url: content,
  preview_image_url: preview,
  call_to_action_text: '',
});

const attachmentsFor = (site: string) => [
  attachment('IMAGE', 'Own picture', `${site}/own.png`, ''),
  attachment('IMAGE', 'Listed thumbnail', `https://${STRANGE}/full.png`, `https://${ALLOWED}/thumbnail.png`),
  attachment('IMAGE', 'Strange picture', `https://${STRANGE}/image.png`, `https://${STRANGE}/preview.png`),
  attachment('URL', 'Strange card', `https://${STRANGE}/page`, `https://${STRANGE}/card.png`),
  attachment('URL', 'Disguised card', 'https://ferries.example/', `https://${ALLOWED}@${STRANGE}/card.png`),
  attachment('URL', 'Neighbour card', 'https://ferries.example/a', `https://${ALLOWED}.${STRANGE}/card.png`),
  attachment('URL', 'Script card', 'javascript:alert(1)', `data:image/svg+xml,<svg onload="alert(1)"/>`),
];

interface WireEvent {
  readonly type: string;
  readonly payload: Record<string, unknown>;
}

/** Adds the content of a malicious agent to an event of the platform. */
function taint(event: WireEvent, site: string): void {
  const { type, payload } = event;
  if (Array.isArray(payload['events'])) for (const inner of payload['events']) taint(inner, site);
  if (type === 'EVENT_TYPE_AGENT_JOINED') payload['agent_avatar_url'] = `https://${STRANGE}/face.png`;
  if (type !== 'EVENT_TYPE_AGENT_MESSAGE_CHUNK') return;
  if (payload['chunk_index'] === 1) payload['text'] = `${HOSTILE_TEXT}\n\n${payload['text']}`;
  if (payload['is_complete'] === true) payload['attachments'] = attachmentsFor(site);
}

/** Requests of a page: all addresses, and those sent with a referrer. */
interface Requests {
  readonly asked: readonly string[];
  readonly referred: readonly string[];
  /** Returns the hosts of all requests, except page, proxy and platform. */
  foreignHosts(): readonly string[];
}

/** Records every request of the page, and answers those to other machines. */
async function watchRequests(page: Page, { site, proxy, socket }: CustomerUrls): Promise<Requests> {
  const asked: string[] = [];
  const referred: string[] = [];
  const own = [site, proxy, socket].map((url) => new URL(url).host);
  page.on('request', (request) => {
    asked.push(request.url());
    if (request.headers()['referer'] && !own.includes(new URL(request.url()).host))
      referred.push(request.url());
  });
  page.on('websocket', (websocket) => asked.push(websocket.url()));
  await page.route(
    ({ host }) => !own.includes(host),
    (route) => route.fulfill({ body: PIXEL, contentType: 'image/png' }),
  );
  return {
    asked,
    referred,
    foreignHosts: () => [
      ...new Set(
        asked
          .map((url) => new URL(url))
          .flatMap(({ protocol, host }) =>
            /^(?:https?|wss?):$/.test(protocol) && !own.includes(host) ? [host] : [],
          ),
      ),
    ],
  };
}

const serve = (stack: Stack, attributes: string): Promise<CustomerSite> =>
  serveCustomerSite(stack, {
    render: (path, urls) =>
      path === '/own.png'
        ? { body: PIXEL, type: 'image/png' }
        : { body: html('<h1>A page</h1>', snippet(urls, attributes)) },
  });

/** Has a conversation over a socket whose messages are tainted. */
async function openTainted(page: Page, { site }: CustomerUrls): Promise<void> {
  await page.routeWebSocket(/\/ws\?/, (socket) => {
    const server = socket.connectToServer();
    server.onMessage((message) => {
      const event = JSON.parse(String(message)) as WireEvent;
      taint(event, site);
      socket.send(JSON.stringify(event));
    });
  });
  await page.goto(site);
}

test('requests pictures from allowed hosts only, whatever an agent sends', async ({ page, stack, chat }) => {
  const site = await serve(stack, `data-image-hosts="${ALLOWED}"`);
  const requests = await watchRequests(page, site.urls);
  await openTainted(page, site.urls);
  await chat.open();
  await chat.expectQuiet();
  const { dialog } = chat;
  await expect(dialog.getByText('<script src=')).toBeVisible();
  await expect(dialog.getByRole('link', { name: 'Open image: Own picture' })).toBeVisible();
  // A card that links to the picture, with the host of the picture.
  await expect.poll(() => requests.asked).toContain(`${site.urls.site}/own.png`);
  const card = dialog.getByRole('link', { name: /Strange picture/ });
  await expect(card).toContainText(STRANGE);
  await expect(card).toHaveAttribute('href', `https://${STRANGE}/image.png`);
  await expect(dialog.getByRole('link', { name: /Strange card/ })).toBeVisible();
  await expect(dialog.getByText('Script card')).toHaveCount(0);
  // Looking and pointing cause no request.
  for (const link of await dialog.getByRole('link').all()) await link.hover();

  await dialog.getByRole('link', { name: 'Open image: Listed thumbnail' }).click();
  const large = page.getByRole('dialog', { name: 'Listed thumbnail' });
  await expect(large.getByRole('img')).toHaveAttribute('src', `https://${ALLOWED}/thumbnail.png`);
  await expect.poll(() => requests.foreignHosts()).toEqual([ALLOWED]);
  await large.getByRole('button', { name: 'Close image' }).click();

  await dialog.getByRole('button', { name: 'More' }).click();
  const download = page.waitForEvent('download');
  await dialog.getByRole('menuitem', { name: 'Download transcript' }).click();
  await dialog.getByRole('menuitem', { name: 'HTML' }).click();
  await download;
  await page.reload();
  // The panel was open, so it opens again and the launcher closes it.
  await expect(dialog).toBeVisible();

  expect(requests.foreignHosts()).toEqual([ALLOWED]);
  expect(requests.referred).toEqual([]);

  const told = await page.evaluate(() => Reflect.get(window, 'Natter').doctor());
  expect(told.text).not.toContain(STRANGE);
  await site.close();
});

test('the test would detect requests to other hosts', async ({ page, stack, chat }) => {
  const site = await serve(stack, 'data-image-hosts="*"');
  const requests = await watchRequests(page, site.urls);
  await openTainted(page, site.urls);
  await chat.open();
  await chat.expectQuiet();
  await expect(chat.dialog.getByRole('link', { name: 'Open image: Strange picture' })).toBeVisible();
  await expect
    .poll(() => requests.foreignHosts().toSorted())
    .toEqual([ALLOWED, `${ALLOWED}.${STRANGE}`, STRANGE].toSorted());
  await expect.poll(() => requests.asked).toContain(`https://${STRANGE}/face.png`);
  // Even then nothing in a text is fetched, and no other host learns the address of the page.
  expect(requests.asked.filter((url) => /\/(?:markdown|img|svg|style|css)\.png$/.test(url))).toEqual([]);
  expect(requests.referred).toEqual([]);
  await site.close();
});
