import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { page as html, serveCustomerSite, snippet } from './customer-site.ts';
import { policyFor } from './documented-policy.ts';
import { launchFirefox } from './launch-firefox.ts';
import { launchWebKit } from './launch-webkit.ts';
import { readAnswer } from './read-answer.ts';
import { type RemoteBrowser, waitFor } from './remote-browser.ts';
import { startStack } from './stack.ts';

const ENTER = '\uE007';
const ROOT = "document.querySelector('natter-chat').shadowRoot";
const LAUNCHER = `${ROOT}.querySelector('.launcher')`;
const LINES = `[...${ROOT}.querySelectorAll('.bubble, .rich')].map((one) => one.textContent)`;
const IS_QUIET = `!${ROOT}.querySelector('[data-streaming="true"], .typing')`;

/** The way of a visitor, with mouse and keys, on a page under the policy of docs/security.md. */
async function walk(browser: RemoteBrowser, site: string): Promise<void> {
  const lines = (tab: string, count: number): Promise<unknown> =>
    waitFor(`${count} lines`, () =>
      browser.evaluate(tab, `${IS_QUIET} && ${LINES}.length === ${count} && ${LINES}`),
    );
  const open = async (tab: string): Promise<void> => {
    await waitFor('the launcher', () => browser.evaluate(tab, `!!window.Natter && !!${LAUNCHER}`));
    const place = await browser.evaluate(
      tab,
      `(({ x, y, width, height }) => ({ x: Math.round(x + width / 2), y: Math.round(y + height / 2) }))(${LAUNCHER}.getBoundingClientRect())`,
    );
    const click = [
      { type: 'pointerMove', x: readAnswer(place, 'x'), y: readAnswer(place, 'y') },
      { type: 'pointerDown', button: 0 },
      { type: 'pointerUp', button: 0 },
    ];
    await browser.perform(tab, [{ type: 'pointer', id: 'mouse', actions: click }]);
    await waitFor('the focus in the composer', () =>
      browser.evaluate(tab, `${ROOT}.activeElement?.matches('.field')`),
    );
  };
  const say = async (tab: string, text: string): Promise<void> => {
    const strokes = [...text, ENTER].flatMap((value) => [
      { type: 'keyDown', value },
      { type: 'keyUp', value },
    ]);
    await browser.perform(tab, [{ type: 'key', id: 'keys', actions: strokes }]);
  };

  const first = await browser.openTab(site);
  await browser.evaluate(
    first,
    "void document.addEventListener('securitypolicyviolation', (event) => (window.refused ??= []).push(event.effectiveDirective))",
  );
  await open(first);
  await lines(first, 1);
  await say(first, 'Can I bring my dog?');
  const before = await lines(first, 3);
  assert.match(String(before), /dog|pet/i);
  assert.equal(await browser.evaluate(first, 'window.refused'), null);

  await browser.reload(first);
  await open(first);
  assert.deepEqual(await lines(first, 3), before);

  const second = await browser.openTab(site);
  await open(second);
  assert.deepEqual(await lines(second, 3), before);
  await say(second, 'Do you have wifi on board?');
  const after = await lines(second, 5);
  await browser.bringToFront(first);
  assert.deepEqual(await lines(first, 5), after);
}

const BROWSERS = [
  { names: ['firefox', 'firefox-esr'], launch: launchFirefox },
  { names: ['WebKitWebDriver'], launch: launchWebKit },
];

const stack = await startStack();
const site = await serveCustomerSite(stack, {
  render: (_, urls) => ({
    body: html('<h1>A page</h1>', snippet(urls)),
    headers: { 'content-security-policy': policyFor(urls) },
  }),
});
try {
  for (const { names, launch } of BROWSERS) {
    const executable = names.find((name) => spawnSync(name, ['--version']).error === undefined);
    if (!executable) {
      console.log(`skipped: no ${names.join(' or ')} on the PATH`);
      continue;
    }
    const browser = await launch(executable);
    try {
      await walk(browser, site.urls.site);
      console.log(`passed: ${browser.version}`);
    } finally {
      await browser.close();
    }
  }
} finally {
  await site.close();
  await stack.stop();
}
