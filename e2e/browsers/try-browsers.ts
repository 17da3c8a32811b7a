import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readAnswer } from '../page/read-answer.ts';
import { page as html, serveCustomerSite, snippet } from '../stack/customer-site.ts';
import { policyFor } from '../stack/documented-policy.ts';
import { startStack } from '../stack/stack.ts';
import { launchFirefox } from './launch-firefox.ts';
import { launchWebKit } from './launch-webkit.ts';
import { type RemoteBrowser, waitFor } from './remote-browser.ts';

const ENTER = '\uE007';
const ROOT = "document.querySelector('natter-chat').shadowRoot";
const LAUNCHER = `${ROOT}.querySelector('.launcher')`;
const FRAME = `${ROOT}.querySelector('.frame')`;
const FIELD = `${ROOT}.querySelector('.field')`;
const LINES = `[...${ROOT}.querySelectorAll('.bubble, .rich')].map((one) => one.textContent)`;
const LAST_ANSWER = `[...${ROOT}.querySelectorAll('.message.agent, .agent .message')].at(-1)`;
const IS_QUIET = `!${ROOT}.querySelector('[data-streaming="true"], .typing')`;

/** A visitor in one tab, with mouse and keyboard. */
class Visitor {
  readonly #browser: RemoteBrowser;
  readonly tab: string;

  constructor(browser: RemoteBrowser, tab: string) {
    this.#browser = browser;
    this.tab = tab;
  }

  read(expression: string): Promise<unknown> {
    return this.#browser.evaluate(this.tab, expression);
  }

  sees(what: string, expression: string): Promise<unknown> {
    return waitFor(what, () => this.read(expression));
  }

  /** Returns the texts of all messages, once there are `count` of them and nothing streams. */
  lines(count: number): Promise<unknown> {
    return this.sees(`${count} lines`, `${IS_QUIET} && ${LINES}.length === ${count} && ${LINES}`);
  }

  async click(what: string, expression: string): Promise<void> {
    await this.sees(what, `${expression}?.checkVisibility()`);
    const place = await this.read(
      `(({ x, y, width, height }) => ({ x: Math.round(x + width / 2), y: Math.round(y + height / 2) }))(${expression}.getBoundingClientRect())`,
    );
    const click = [
      { type: 'pointerMove', x: readAnswer(place, 'x'), y: readAnswer(place, 'y') },
      { type: 'pointerDown', button: 0 },
      { type: 'pointerUp', button: 0 },
    ];
    await this.#browser.perform(this.tab, [{ type: 'pointer', id: 'mouse', actions: click }]);
  }

  async type(text: string): Promise<void> {
    const strokes = [...text].flatMap((value) => [
      { type: 'keyDown', value },
      { type: 'keyUp', value },
    ]);
    await this.#browser.perform(this.tab, [{ type: 'key', id: 'keys', actions: strokes }]);
  }

  /** Opens the chat by its launcher. */
  async open(): Promise<void> {
    await this.sees('the launcher', `!!window.Natter && !!document.querySelector('natter-chat')`);
    await this.click('the launcher', LAUNCHER);
    await this.sees('the focus in the composer', `${ROOT}.activeElement?.matches('.field')`);
  }

  /** Clicks the composer, writes and sends. */
  async say(text: string): Promise<void> {
    await this.click('the composer', FIELD);
    await this.type(`${text}${ENTER}`);
  }
}

interface Sites {
  /** A customer's page under the policy of docs/security.md. */
  readonly strict: string;
  /** The demo site, which accepts files. */
  readonly demo: string;
}

/**
 * The events of an input method around the Enter that confirms its word: before the end of the composition, and in
 * Safari after it.
 */
const CONFIRMED_WORDS: readonly (readonly [engine: string, types: readonly string[]])[] = [
  ['Chromium and Firefox', ['compositionstart', 'keydown', 'compositionend', 'keyup']],
  ['Safari', ['compositionstart', 'compositionend', 'keydown', 'keyup']],
];
const confirmWord = (types: readonly string[]): string => `(() => {
  let isComposing = false;
  for (const type of ${JSON.stringify(types)}) {
    if (type === 'compositionstart') isComposing = true;
    if (type === 'compositionend') isComposing = false;
    const shared = { bubbles: true, cancelable: true, composed: true };
    ${FIELD}.dispatchEvent(
      type.startsWith('key')
        ? new KeyboardEvent(type, { ...shared, key: 'Enter', code: 'Enter', keyCode: 229, isComposing })
        : new CompositionEvent(type, { ...shared, data: 'にほん' }),
    );
  }
  return true;
})()`;

/** Runs the steps of a visitor. `step` prints the next claim. */
async function walk(browser: RemoteBrowser, sites: Sites, step: (claim: string) => void): Promise<void> {
  step('answers under the policy of docs/security.md, and streams Markdown');
  const first = new Visitor(browser, await browser.openTab(sites.strict));
  await first.read(
    "void document.addEventListener('securitypolicyviolation', (event) => (window.refused ??= []).push(event.effectiveDirective))",
  );
  await first.open();
  await first.lines(1);
  await first.read(`void (window.streamed = new Set(), new MutationObserver(() => {
    const answer = ${ROOT}.querySelector('[data-streaming="true"]');
    if (answer) window.streamed.add(answer.textContent.length);
  }).observe(${ROOT}, { subtree: true, childList: true, characterData: true }))`);
  await first.say('Can I bring my dog?');
  const before = await first.lines(3);
  assert.match(String(before), /dog|pet/i);
  assert.doesNotMatch(String(before), /\*\*|\]\(/, 'no marks of Markdown are left in the text');
  assert.ok(Number(await first.read('window.streamed.size')) > 1, 'the answer grew');
  assert.ok(
    await first.read(`!!${LAST_ANSWER}.querySelector('.rich :is(strong, li, a)')`),
    'Markdown is drawn',
  );
  assert.equal(await first.read('window.refused'), null);

  step('shows where an answer comes from');
  await first.sees(
    'a source',
    `!!${ROOT}.querySelector('.link-card[href*="/help/"], .source[href*="/help/"]')`,
  );

  step('has its panel and its messages back after a reload');
  await browser.reload(first.tab);
  await first.sees(
    'the panel',
    `document.querySelector('natter-chat')?.shadowRoot.querySelector('.frame')?.dataset.open === 'true'`,
  );
  assert.deepEqual(await first.lines(3), before);

  step('shows the same conversation in two tabs, and goes on in one when the other is closed');
  const second = new Visitor(browser, await browser.openTab(sites.strict));
  await second.open();
  // A long earlier answer is drawn in parts.
  await second.sees(
    'the same lines',
    `JSON.stringify(${LINES}) === ${JSON.stringify(JSON.stringify(before))}`,
  );
  await second.say('Do you have wifi on board?');
  const after = await second.lines(5);
  await browser.bringToFront(first.tab);
  assert.deepEqual(await first.lines(5), after);
  await browser.closeTab(first.tab);
  await browser.bringToFront(second.tab);
  await second.say('How do I change my booking?');
  await second.lines(7);

  step('sends nothing while an input method confirms a word');
  await second.click('the composer', FIELD);
  await second.type('nihon');
  for (const [engine, types] of CONFIRMED_WORDS) {
    await second.read(confirmWord(types));
    assert.deepEqual(
      await second.read(`[${FIELD}.value, ${LINES}.length]`),
      ['nihon', 7],
      `the order of ${engine}`,
    );
  }
  await second.type(ENTER);
  await second.sees('the message', `${LINES}.includes('nihon')`);
  await second.lines(9);

  step('prints the conversation alone');
  await second.read(`void (() => {
    const { get } = Object.getOwnPropertyDescriptor(HTMLIFrameElement.prototype, 'contentWindow');
    Object.defineProperty(HTMLIFrameElement.prototype, 'contentWindow', {
      get() {
        const inner = get.call(this);
        if (inner) inner.print = () => {
          const { document } = inner;
          window.printed = [document.body.textContent, document.adoptedStyleSheets.length, inner.getComputedStyle(document.body).color];
        };
        return inner;
      },
    });
  })()`);
  await second.click('the menu', `${ROOT}.querySelector('.menu-anchor > button')`);
  const item = `[...(${ROOT}.querySelectorAll('[role=menuitem]') ?? [])].find((one) => one.textContent === 'Print')`;
  await second.click('Print in the menu', item);
  const [text, sheets] = (await second.sees('the printed page', 'window.printed')) as [string, number];
  assert.match(text, /Can I bring my dog\?/);
  assert.doesNotMatch(text, /A page/);
  assert.equal(sheets, 1);

  step('runs from right to left in Arabic, and back');
  await second.read("void window.Natter.setLanguage('ar')");
  await second.sees('Arabic', `${FRAME}.lang === 'ar' && !!${ROOT}.querySelector('[role=dialog][dir=rtl]')`);
  assert.ok(
    await second.read(
      `${ROOT}.querySelector('.send').getBoundingClientRect().right <= ${FIELD}.getBoundingClientRect().left + 1`,
    ),
    'the button stands left of the field',
  );
  await second.read("void window.Natter.setLanguage('en')");
  await second.sees('English', `${FRAME}.lang === 'en'`);

  step('hands over to a person');
  await second.say('Can I speak to a person, please?');
  await second.sees('the person', `${LINES}.some((line) => line.includes('I am Grace, a demonstration'))`);
  await second.say('My booking is KF-1234');
  await second.sees('an answer', `${LINES}.some((line) => line.includes('Let me look that up'))`);
  assert.equal(await second.read('window.refused ?? null'), null);

  step('takes a file');
  const demo = new Visitor(browser, await browser.openTab(sites.demo));
  await demo.open();
  await demo.lines(1);
  await demo.read("void window.Natter.update({ features: 'files' })");
  const input = `${ROOT}.querySelector('input[type=file]')`;
  await demo.sees('the button for files', `!!${input}`);
  // By script, because WebKit's driver does not find elements in a shadow tree.
  await demo.read(`(async () => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 8, height: 8 });
    canvas.getContext('2d').fillRect(0, 0, 8, 8);
    canvas.toBlob((blob) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([blob], 'car.png', { type: 'image/png' }));
      ${input}.files = transfer.files;
      ${input}.dispatchEvent(new Event('change'));
    });
  })()`);
  await demo.sees(
    'the uploaded file',
    `${ROOT}.querySelector('.chosen-file')?.dataset.status === 'uploaded'`,
  );
  await demo.say('Our car');
  await demo.sees(
    'the sent file',
    `[...${ROOT}.querySelectorAll('.visitor a')].some(({ href }) => href.endsWith('car.png'))`,
  );
}

const BROWSERS = [
  { name: 'Firefox', executables: ['firefox', 'firefox-esr'], launch: launchFirefox },
  { name: 'WebKitGTK', executables: ['WebKitWebDriver'], launch: launchWebKit },
];

const stack = await startStack();
const site = await serveCustomerSite(stack, {
  render: (_, urls) => ({
    body: html('<h1>A page</h1>', snippet(urls)),
    headers: { 'content-security-policy': policyFor(urls) },
  }),
});
try {
  for (const { name, executables, launch } of BROWSERS) {
    const executable = executables.find((one) => spawnSync(one, ['--version']).error === undefined);
    if (!executable) {
      console.log(`skipped: ${name} is not installed (no ${executables.join(' or ')} on the PATH)`);
      continue;
    }
    const browser = await launch(executable);
    let claim = 'starts';
    try {
      await walk(browser, { strict: site.urls.site, demo: stack.urls.demo }, (next) => {
        if (claim !== 'starts') console.log(`  ✓ ${claim}`);
        claim = next;
      });
      console.log(`  ✓ ${claim}\npassed: ${browser.version}`);
    } catch (error) {
      process.exitCode = 1;
      console.error(`  ✗ ${claim}\nfailed: ${browser.version}`, error);
    } finally {
      await browser.close();
    }
  }
} finally {
  await site.close();
  await stack.stop();
}
