import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, expect, type Locator, type Page, test } from '@playwright/test';
import { ChatPanel } from './page/chat-panel.ts';
import { COLOUR_RULES, findViolations } from './page/find-violations.ts';
import { PATIENCE } from './patience.ts';
import { type RunningDemo, runDemo } from './stack/run-demo.ts';
import { START_TIMEOUT_MS } from './stack/run-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'natter-desk-'));
let demo: RunningDemo;

test.beforeAll(async () => {
  test.setTimeout(START_TIMEOUT_MS);
  demo = runDemo(folder);
  await demo.whenReady();
});
// axe checks each page four times.
test.beforeEach(() => test.setTimeout(120_000 * PATIENCE));
test.afterAll(async () => {
  await demo.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.goto(await demo.urlOf('console'));
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('navigation', { name: 'Views' })).toBeVisible();
}

const SCHEMES = [
  ['light', {}],
  ['dark', { rules: COLOUR_RULES }],
] as const;

/** Expects no findings of axe in a page, and no sideways scrolling, in both colour schemes, wide and narrow. */
async function look(page: Page, name: string): Promise<void> {
  await expect(page.locator('h1').first()).toBeVisible();
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 760 });
    for (const [colorScheme, rules] of SCHEMES) {
      await page.emulateMedia({ colorScheme });
      expect(await findViolations(page, rules), `${name}, ${colorScheme}, ${width}`).toEqual([]);
      const sideways = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(sideways, `${name}, ${width} scrolls sideways`).toBeLessThanOrEqual(0);
    }
  }
  await page.setViewportSize({ width: 1280, height: 760 });
}

/** One dot. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** As people type: what shows it lasts for some seconds after a key. */
const TYPING = { delay: 100 };

/** Adds another visitor, without a human agent. */
async function leaveMessage(proxyUrl: string, origin: string): Promise<void> {
  const post = async (path: string, body: object) => {
    const headers = { Origin: origin, 'Sec-Fetch-Site': 'cross-site', 'Content-Type': 'application/json' };
    const answer = await fetch(new URL(path, proxyUrl), {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    return { status: answer.status, body: await answer.json() };
  };
  const { body: session } = await post('/v1/session', {});
  expect(session.offers).toContain('contact');
  const words = { name: 'Maren', email: 'maren@example.com', text: 'Where is my bag?' };
  const left = await post('/v1/contact', { ...words, resume_ticket: session.resume_ticket });
  expect(left.status).toBe(200);
}

test('a hand-off at the desk and for the visitor: offer, messages over a reload of the desk, note, return to the agent', async ({
  page: visitor,
  context,
  browser,
}) => {
  const siteUrl = await demo.urlOf('demo');
  const deskUrl = await demo.urlOf('console');
  const password = await demo.passwordOf('grace@example.com');
  const desk = await context.newPage();
  await desk.goto(deskUrl);
  await expect(desk.getByLabel('Email address')).toBeVisible();
  expect(await findViolations(desk), 'the door').toEqual([]);
  await desk.getByLabel('Email address').fill('grace@example.com');
  await desk.getByLabel('Password').fill(password);
  await desk.keyboard.press('Enter');
  await desk.getByRole('switch', { name: 'Available', checked: false }).click();
  await expect(desk.getByRole('switch', { name: 'Available', checked: true })).toBeVisible();

  const chat = new ChatPanel(visitor);
  await visitor.goto(siteUrl);
  await chat.open();
  await chat.ask('When does the ferry to Tarrow leave?');
  await chat.say('I want to talk to a person');
  await desk.getByRole('button', { name: 'Accept' }).waitFor();
  expect(await findViolations(desk), 'an offer').toEqual([]);
  await desk.getByRole('button', { name: 'Accept' }).click();
  await expect(chat.dialog.getByText('Grace').first()).toBeVisible();
  const message = desk.getByRole('textbox', { name: 'Message' });
  const replies = desk.getByRole('listbox', { name: 'Canned replies' });
  const option = (name: string) => replies.getByRole('option', { name });
  await message.pressSequentially('/');
  await expect(replies.getByRole('option')).toHaveCount(2);
  await expect(option('Goodbye')).toHaveAttribute('aria-selected', 'true');
  await message.press('ArrowDown');
  const greetingId = (await option('Greeting').getAttribute('id')) ?? '';
  await expect(message).toHaveAttribute('aria-activedescendant', greetingId);
  await look(desk, 'the canned replies');
  await message.press('Escape');
  await expect(replies).toHaveCount(0);
  await message.pressSequentially('g');
  await expect(message).toHaveValue('/g');
  await expect(replies).toHaveCount(0);
  await message.fill('');
  await message.pressSequentially('Yes. /goo');
  await expect(replies.getByRole('option')).toHaveCount(1);
  await message.press('Tab');
  await expect(message).toHaveValue('Yes. Thank you for writing to us. Have a good crossing!');
  await message.fill('');
  await message.pressSequentially('/gre');
  await expect(option('Greeting')).toHaveAttribute('aria-selected', 'true');
  await message.press('Enter');
  // The visitor's name is unknown.
  await expect(message).toHaveValue('Hello, I am Grace. How can I help?');
  await message.press('Enter');
  await expect(chat.transcript).toContainText('Hello, I am Grace. How can I help?');
  const transcript = desk.getByRole('log', { name: 'Transcript' });
  const seen = transcript.getByText('Seen', { exact: true });
  await expect(seen).toBeVisible();

  await leaveMessage(await demo.urlOf('proxy'), new URL(siteUrl).origin);
  const left = desk.getByRole('region', { name: 'Messages left' });
  await expect(left).toContainText('Where is my bag?');
  await left.getByRole('button', { name: 'Done: Maren' }).click();
  await expect(left).not.toContainText('Where is my bag?');
  await left.getByRole('button', { name: 'Undo' }).click();
  await expect(left.getByRole('link', { name: 'maren@example.com' })).toBeVisible();

  await desk.reload();
  await expect(transcript).toContainText('When does the ferry to Tarrow leave?');
  await expect(transcript).toContainText('Hello, I am Grace. How can I help?');
  await expect(seen).toBeVisible();
  await chat.say('Can I bring two bicycles?');
  await expect(transcript).toContainText('Can I bring two bicycles?');
  await expect(seen).toBeHidden();
  await desk.getByRole('tab', { name: 'Reply' }).focus();
  await desk.keyboard.press('ArrowRight');
  await desk.keyboard.press('Tab');
  const noteField = desk.getByRole('textbox', { name: 'Private note' });
  await expect(noteField).toBeFocused();
  await expect(noteField).toHaveAttribute('placeholder', /Visitors never see it/);
  await desk.keyboard.type('asks for bicycles');
  await expect(desk.getByRole('button', { name: 'Add note' })).toBeEnabled();
  await look(desk, 'a note');
  await noteField.press('Enter');
  // The next text is for the visitor again.
  await expect(desk.getByRole('tab', { name: 'Reply', selected: true })).toBeVisible();
  await expect(desk.getByRole('textbox', { name: 'Message' })).toBeFocused();
  await expect(desk.getByRole('textbox', { name: 'Message' })).toHaveValue('');
  const note = desk.getByRole('complementary').getByRole('listitem').filter({ hasText: 'asks for bicycles' });
  await expect(note.locator('time')).toBeVisible();
  await desk.getByLabel('Tags, separated by commas').fill('bicycle, group');
  await desk.keyboard.press('Enter');
  await expect(desk.getByText('Tags saved: bicycle, group')).toBeVisible();

  // Neither choosing a person or a queue nor new events move the log while the person reads above.
  await desk.setViewportSize({ width: 1280, height: 520 });
  const last = transcript.getByText('Can I bring two bicycles?');
  const above = desk.getByRole('button', { name: 'Return to agent' });
  const before = await above.boundingBox();
  await desk.getByLabel('Transfer to').selectOption('Queue Service desk');
  await expect(desk.getByRole('button', { name: 'Transfer', exact: true })).toBeVisible();
  expect((await above.boundingBox())?.y).toBe(before?.y);
  await expect(last).toBeInViewport({ ratio: 1 });
  await desk.getByLabel('Transfer to').selectOption('');
  await desk.setViewportSize({ width: 1280, height: 460 });
  await expect(last).toBeInViewport({ ratio: 1 });
  // In narrower windows the text is longer, and the details are below.
  for (const width of [1024, 768, 1280]) {
    await desk.setViewportSize({ width, height: 600 });
    await expect(last).toBeInViewport({ ratio: 1 });
  }
  await desk.setViewportSize({ width: 1280, height: 460 });
  await transcript.evaluate((log) => log.scrollTo(0, 0));
  await chat.say('And a trailer?');
  await expect(transcript).toContainText('And a trailer?');
  expect(await transcript.evaluate(({ scrollTop }) => scrollTop)).toBe(0);
  // Choosing the visible conversation does not move it either.
  await transcript.evaluate((log) => log.scrollTo(0, 20));
  await Promise.all([
    desk.waitForResponse(/\/desk\/api\/requests\/[^/]+$/),
    desk
      .getByRole('navigation', { name: 'Conversations' })
      .getByRole('button', { name: 'When does the ferry to Tarrow leave?' })
      .click(),
  ]);
  expect(await transcript.evaluate(({ scrollTop }) => scrollTop)).toBe(20);
  // The log receives the message before the platform's answer, and shows it once.
  let answer = (): void => {};
  const isShown = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await desk.route(
    '**/requests/*/messages',
    async (route) => {
      const response = await route.fetch();
      await isShown;
      await route.fulfill({ response });
    },
    { times: 1 },
  );
  await desk.getByLabel('Message', { exact: true }).fill('Yes.');
  await desk.keyboard.press('Enter');
  await expect(transcript.locator('[data-author=person]', { hasText: 'Grace' }).last()).toContainText('Yes.');
  await expect(transcript.getByText('Yes.', { exact: true })).toBeInViewport({ ratio: 1 });
  answer();
  await expect(transcript.getByText('Yes.', { exact: true })).toBeInViewport({ ratio: 1 });

  await look(desk, 'the desk');
  // On a wide screen the sides get more room, and the conversation is a column in the middle.
  const boxOf = async (locator: Locator) =>
    (await locator.boundingBox()) ?? { x: Number.NaN, width: Number.NaN };
  const list = desk.getByRole('navigation', { name: 'Conversations' });
  const side = desk.getByRole('complementary');
  expect((await boxOf(list)).width).toBe(280);
  expect((await boxOf(side)).width).toBe(280);
  await desk.setViewportSize({ width: 1920, height: 900 });
  expect((await boxOf(list)).width).toBeGreaterThan(360);
  expect((await boxOf(side)).width).toBeGreaterThan(360);
  const middle = await boxOf(transcript);
  const question = await boxOf(transcript.locator('[data-author=visitor]').first());
  const answers = await boxOf(transcript.locator('[data-author=person]').last());
  expect(answers.x + answers.width - question.x).toBeLessThanOrEqual(740);
  expect(question.x - middle.x).toBeCloseTo(middle.x + middle.width - answers.x - answers.width, 0);
  expect((await boxOf(message)).x).toBeCloseTo(question.x, 0);
  const title = await boxOf(desk.getByRole('heading', { name: 'Service desk' }));
  const end = await boxOf(desk.getByRole('button', { name: 'End', exact: true }));
  expect(title.x).toBeCloseTo(question.x, 0);
  expect(end.x + end.width).toBeCloseTo(answers.x + answers.width, 0);
  await desk.setViewportSize({ width: 1280, height: 760 });
  await desk.getByRole('button', { name: 'Return to agent' }).click();
  const giveBack = desk.getByRole('dialog', { name: 'Return to the agent' });
  await giveBack.getByLabel('Summary for the agent (optional)').fill('Travels with two bicycles.');
  await giveBack.getByRole('button', { name: 'Return' }).click();
  // The visitor's earlier messages are still for Grace.
  await expect(transcript).toContainText('Grace has left.');
  await chat.ask('When does the ferry to Tarrow leave?');
  await expect(chat.transcript).not.toContainText('asks for bicycles');
  await expect(chat.transcript).not.toContainText('Travels with two bicycles.');

  await chat.dialog.getByRole('button', { name: 'More' }).click();
  await chat.dialog.getByRole('menuitem', { name: 'End chat' }).click();
  await chat.dialog.getByRole('alertdialog').getByRole('button', { name: 'End chat' }).click();
  const survey = chat.dialog.getByRole('region', { name: 'Rate your chat' });
  await survey.getByRole('button', { name: '4 of 5' }).click();
  await survey.getByRole('textbox').fill('Grace knew the answer.');
  await survey.getByRole('button', { name: 'Send' }).click();
  await expect(chat.dialog).toContainText('Thank you for your rating.');

  const supervisor = await (await browser.newContext()).newPage();
  await signIn(supervisor, 'sue@example.com', password);
  await supervisor.getByRole('link', { name: 'Service levels' }).click();
  await expect(supervisor.getByRole('region', { name: 'By queue' }).first()).toContainText('Service desk');
  await expect(supervisor.locator('canvas').first()).toBeVisible();
  await expect(supervisor.getByRole('region', { name: 'Total' })).toContainText('4.0 of 5');
  const ended = supervisor.getByRole('region', { name: 'Conversations that ended' });
  await expect(ended).toContainText('With a person1 (100%)');
  const comments = supervisor.getByRole('region', { name: 'Comments' });
  await expect(comments).toContainText('Grace knew the answer.');
  await look(supervisor, 'service levels');
  await comments.getByRole('link').click();
  await expect(supervisor.getByRole('region', { name: 'Transcript' })).toContainText(
    'Grace knew the answer.',
  );
  await supervisor.context().close();
});

/** Signs in at another desk, as available. */
async function sitDown(browser: Browser, email: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await signIn(page, email, await demo.passwordOf(email));
  await page.goto(`${await demo.urlOf('console')}desk`);
  const presence = page.getByRole('switch', { name: 'Available' });
  if (!(await presence.isChecked())) await presence.click();
  await expect(presence).toBeChecked();
  return page;
}

test('a transferred conversation leaves the desk, which names its destination, as the visitor’s chat does', async ({
  page: visitor,
  browser,
}) => {
  const grace = await sitDown(browser, 'grace@example.com');
  const chat = new ChatPanel(visitor);
  await visitor.goto(await demo.urlOf('demo'));
  await chat.open();
  await visitor.evaluate(() => Reflect.get(window, 'Natter').identify({ id: 'ana', name: 'Ana' }));
  await chat.say('I want to talk to a person');
  await grace.getByRole('button', { name: 'Accept' }).click();
  await expect(chat.transcript).toContainText('Grace has joined');
  await grace.getByRole('textbox', { name: 'Message' }).pressSequentially('/gre');
  await grace.getByRole('option', { name: 'Greeting' }).click();
  await grace.getByRole('button', { name: 'Send' }).click();
  await expect(chat.transcript).toContainText('Hello Ana, I am Grace.');

  const sue = await sitDown(browser, 'sue@example.com');
  await grace.getByLabel('Transfer to').selectOption('Sue');
  await grace.getByRole('button', { name: 'Transfer', exact: true }).click();
  const handover = grace.getByRole('dialog', { name: 'Transfer to Sue' });
  await handover.getByLabel('Note (optional)').fill('She has lost a bag on the 09:45.');
  await look(grace, 'a transfer');
  await handover.getByRole('button', { name: 'Transfer' }).click();
  const pane = grace.getByRole('region', { name: 'Conversation', exact: true });
  await expect(pane).toContainText('You transferred the conversation to Sue');
  await expect(pane.getByRole('textbox')).toHaveCount(0);
  await look(grace, 'a conversation that was passed on');
  await expect(chat.transcript).toContainText('Grace is passing you to Sue');
  await expect(chat.transcript).not.toContainText('in the queue');
  await sue.getByRole('button', { name: 'Accept' }).click();
  await expect(chat.transcript).toContainText('Sue has joined');
  await expect(sue.getByRole('log', { name: 'Transcript' })).toContainText(
    'Grace has transferred the conversation to Sue.',
  );
  await expect(sue.getByRole('complementary')).toContainText('She has lost a bag on the 09:45.');
  expect(await chat.transcript.textContent()).not.toContain('lost a bag');

  await sue.getByRole('button', { name: 'End', exact: true }).click();
  await sue.getByRole('button', { name: 'End conversation?' }).click();
  await sue.getByRole('switch', { name: 'Available' }).click();
  await sue.context().close();
  await grace.context().close();
});

test('a picture and a file of a person reach the visitor, and are in both transcripts after a reload', async ({
  page: visitor,
  browser,
}) => {
  const grace = await sitDown(browser, 'grace@example.com');
  const chat = new ChatPanel(visitor);
  await visitor.goto(await demo.urlOf('demo'));
  await chat.open();
  await chat.say('I want to talk to a person');
  await grace.getByRole('button', { name: 'Accept' }).click();
  await expect(chat.transcript).toContainText('Grace has joined');
  const composer = grace.getByRole('region', { name: 'Conversation', exact: true });
  const chooser = grace.waitForEvent('filechooser');
  await composer.getByRole('button', { name: 'Add files' }).click();
  await (await chooser).setFiles([
    { name: 'Deck plan.png', mimeType: 'image/png', buffer: PICTURE },
    { name: 'Terms.txt', mimeType: 'text/plain', buffer: Buffer.from('Terms of carriage') },
    { name: 'Wrong.txt', mimeType: 'text/plain', buffer: Buffer.from('of another visitor') },
    { name: 'Large.txt', mimeType: 'text/plain', buffer: Buffer.alloc(5_242_881, 'a') },
  ]);
  await expect(grace.getByRole('alert')).toContainText('Large.txt is larger than 5 MB.');
  await composer.getByRole('button', { name: 'Remove Wrong.txt' }).click();
  await expect(composer.getByRole('list', { name: 'Files to send' }).getByRole('listitem')).toHaveCount(2);
  await look(grace, 'chosen files');
  await grace.getByRole('textbox', { name: 'Message' }).fill('Here are plan and terms.');
  await grace.getByRole('button', { name: 'Send', exact: true }).click();

  const sent = grace.getByRole('log', { name: 'Transcript' });
  for (const check of ['sent', 'reloaded']) {
    await expect(sent.getByRole('link', { name: 'Deck plan.png' }).locator('img'), check).toHaveJSProperty(
      'naturalWidth',
      1,
    );
    await expect(sent.getByRole('link', { name: 'Terms.txt' })).toBeVisible();
    await expect(sent).not.toContainText('Wrong.txt');
    await expect(chat.transcript.getByRole('img', { name: 'Deck plan.png' })).toHaveJSProperty(
      'naturalWidth',
      1,
    );
    await expect(chat.transcript.getByRole('link', { name: /Terms\.txt/ })).toBeVisible();
    await look(grace, `files that were ${check}`);
    if (check === 'sent') await Promise.all([grace.reload(), visitor.reload()]);
  }
  const download = visitor.waitForEvent('download');
  await chat.transcript.getByRole('link', { name: /Terms\.txt/ }).click();
  expect((await download).suggestedFilename()).toBe('Terms.txt');
  await grace.getByRole('button', { name: 'End', exact: true }).click();
  await grace.getByRole('button', { name: 'End conversation?' }).click();
  await expect(chat.transcript).toContainText('Grace left the chat');
  await grace.context().close();
});

test('the desk says in words whether the visitor is there, with what and where, and what was noted before', async ({
  page: visitor,
  browser,
}) => {
  const grace = await sitDown(browser, 'grace@example.com');
  const chat = new ChatPanel(visitor);
  await visitor.goto(await demo.urlOf('demo'));
  await chat.open();
  await chat.ask('When does the ferry to Tarrow leave?');
  await chat.say('I want to talk to a person');
  await expect(grace.getByRole('region', { name: 'Offer' })).toContainText('Here');
  await grace.getByRole('button', { name: 'Accept' }).click();
  const pane = grace.getByRole('region', { name: 'Conversation', exact: true });
  await expect(pane.getByRole('status')).toHaveText('Here');
  const side = grace.getByRole('complementary');
  await expect(side).toContainText('Computer');
  await expect(side).not.toContainText('Earlier conversations');
  await visitor.evaluate(async () => {
    const widget = Reflect.get(window, 'Natter');
    await widget.identify({ id: 'mia', name: 'Mia' });
    await widget.setContext({ page: `${location.origin}/fares?code=secret`, time_zone: 'Asia/Tokyo' });
  });
  await chat.say('Are you there?');
  await expect(side).toContainText(`${new URL(await demo.urlOf('demo')).origin}/fares`);
  await expect(side).toContainText('mia not verified');
  await expect(side).toContainText('Local time');
  await expect(side).not.toContainText('secret');
  await grace.getByRole('tab', { name: 'Note' }).click();
  await grace.getByRole('textbox', { name: 'Private note' }).fill('Travels with a dog.');
  await grace.getByRole('textbox', { name: 'Private note' }).press('Enter');
  await expect(side).toContainText('Travels with a dog.');
  await visitor.goto('about:blank');
  // A reload may take ten seconds.
  await expect(pane.getByRole('status')).toHaveText(/^Gone since \d/, { timeout: 20_000 * PATIENCE });
  await expect(grace.getByRole('navigation', { name: 'Conversations' })).toContainText(/Gone since \d/);
  await look(grace, 'a visitor who is gone');

  await grace.getByRole('button', { name: 'End', exact: true }).click();
  await grace.getByRole('button', { name: 'End conversation?' }).click();
  await expect(pane.getByRole('status')).toHaveText('');

  const elsewhere = await (await browser.newContext()).newPage();
  await elsewhere.goto(await demo.urlOf('demo'));
  const back = new ChatPanel(elsewhere);
  await back.open();
  await elsewhere.evaluate(() => Reflect.get(window, 'Natter').identify({ id: 'mia', name: 'Mia' }));
  await back.say('I want to talk to a person');
  await grace.getByRole('button', { name: 'Accept' }).click();
  await expect(side.getByRole('button', { name: 'When does the ferry to Tarrow leave?' })).toBeVisible();
  await expect(side).toContainText('Travels with a dog.');
  await look(grace, 'a visitor who was here before');
  await grace.getByRole('button', { name: 'End', exact: true }).click();
  await grace.getByRole('button', { name: 'End conversation?' }).click();
  await elsewhere.context().close();
  await grace.context().close();
});

test('a draft stays with its conversation until it is sent or the conversation is over', async ({
  page: visitor,
  browser,
}) => {
  const grace = await sitDown(browser, 'grace@example.com');
  const bicycle = 'How much is a bicycle?';
  const farholm = 'Which ferry goes to Farholm?';
  const another = await (await browser.newContext()).newPage();
  for (const [page, question] of [
    [visitor, bicycle],
    [another, farholm],
  ] as const) {
    const chat = new ChatPanel(page);
    await page.goto(await demo.urlOf('demo'));
    await chat.open();
    await chat.ask(question);
    await chat.say('I want to talk to a person');
    await grace.getByRole('region', { name: 'Offer' }).getByRole('button', { name: 'Accept' }).click();
    await expect(chat.transcript).toContainText('Grace has joined');
  }
  const row = (question: string) => grace.getByRole('button', { name: question });
  const open = (question: string) => row(question).click();
  const tab = (name: string) => grace.getByRole('tab', { name });
  const message = grace.getByRole('textbox', { name: 'Message' });
  const note = grace.getByRole('textbox', { name: 'Private note' });
  await open(bicycle);
  await message.fill('Five pounds, and');
  await tab('Note').click();
  await note.fill('has a tandem');
  await open(farholm);
  await expect(message).toHaveValue('');
  await message.fill('The 09:45');
  // The inbox marks drafts of other conversations, not of the visible one.
  await expect(row(bicycle)).toContainText('Draft');
  await expect(row(farholm)).not.toContainText('Draft');
  await open(bicycle);
  await expect(row(farholm)).toContainText('Draft');
  await expect(row(bicycle)).not.toContainText('Draft');
  await expect(note).toHaveValue('has a tandem');
  await tab('Reply').click();
  await expect(message).toHaveValue('Five pounds, and');
  const stored = await grace.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
  expect(stored).not.toMatch(/Five pounds|tandem|09:45/);

  await message.press('Enter');
  await open(farholm);
  await expect(message).toHaveValue('The 09:45');
  await expect(row(bicycle)).toContainText('Draft');
  await open(bicycle);
  await expect(message).toHaveValue('');
  await tab('Note').click();
  await expect(note).toHaveValue('has a tandem');
  await note.press('Enter');
  await expect(grace.getByRole('complementary')).toContainText('has a tandem');

  await open(farholm);
  await expect(row(bicycle)).not.toContainText('Draft');
  await grace.getByRole('button', { name: 'End', exact: true }).click();
  await grace.getByRole('button', { name: 'End conversation?' }).click();
  await expect(tab('Reply')).toHaveCount(0);
  await expect(note).toHaveValue('');
  await open(bicycle);
  await grace.getByRole('button', { name: 'End', exact: true }).click();
  await grace.getByRole('button', { name: 'End conversation?' }).click();
  await expect(tab('Reply')).toHaveCount(0);
  await grace.getByRole('switch', { name: 'Available' }).click();
  await another.context().close();
  await grace.context().close();
});

test('a conversation can be found by visitor, text, tag and id, with the keys that the desk lists', async ({
  page: visitor,
  browser,
}) => {
  const grace = await sitDown(browser, 'grace@example.com');
  const chat = new ChatPanel(visitor);
  await visitor.goto(await demo.urlOf('demo'));
  await chat.open();
  await visitor.evaluate(() => Reflect.get(window, 'Natter').identify({ id: 'ida', name: 'Ida Holm' }));
  await chat.ask('Can I bring my dog?');
  await chat.say('I want to talk to a person');
  await grace.getByRole('button', { name: 'Accept' }).click();
  await expect(chat.transcript).toContainText('Grace has joined');
  await chat.say('It is a wolfhound');
  const transcript = grace.getByRole('log', { name: 'Transcript' });
  await expect(transcript).toContainText('It is a wolfhound');
  await grace.getByLabel('Tags, separated by commas').fill('large pet');
  await grace.keyboard.press('Enter');
  await expect(grace.getByText('Tags saved: large pet')).toBeVisible();
  await grace.getByRole('button', { name: 'End', exact: true }).click();
  await grace.getByRole('button', { name: 'End conversation?' }).click();
  await expect(grace.getByRole('tab', { name: 'Reply' })).toHaveCount(0);
  const id = new URLSearchParams(new URL(grace.url()).hash.slice(1)).get('request') ?? '';

  await grace.goto(`${await demo.urlOf('console')}desk`);
  await expect(grace.getByText('Choose a conversation')).toBeVisible();
  const found = grace.getByRole('dialog').getByRole('option', { name: 'Can I bring my dog?' });
  for (const text of ['holm wolf', 'large pet', id]) {
    await grace.keyboard.press('Control+k');
    const field = grace.getByRole('combobox', { name: 'Search pages, actions and conversations' });
    await field.fill('zebra');
    await expect(grace.getByRole('dialog').getByText('No results')).toBeVisible();
    await field.fill(text);
    await expect(found).toHaveAttribute('aria-selected', 'true');
    await expect(found).toContainText('Ida Holm');
    if (text === 'large pet') await look(grace, 'a search');
    await grace.keyboard.press('Enter');
    await expect(transcript).toContainText('It is a wolfhound');
  }
  await expect(grace.getByRole('heading', { name: 'Ida Holm Service desk' })).toBeVisible();

  await transcript.focus();
  await grace.keyboard.press('?');
  const keys = grace.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(keys).toContainText('Choose a canned reply');
  await look(grace, 'the shortcuts');
  await grace.keyboard.press('Escape');
  await expect(keys).toHaveCount(0);
  await expect(transcript).toBeFocused();
  // In a text field it is a character.
  const note = grace.getByRole('textbox', { name: 'Private note' });
  await note.press('?');
  await expect(note).toHaveValue('?');
  await grace.getByRole('switch', { name: 'Available' }).click();
  await grace.context().close();
});

test('an admin invites a person, who signs in and is locked out again; the audit log lists both', async ({
  page: admin,
  browser,
}) => {
  await signIn(admin, 'rita@example.com', await demo.passwordOf('rita@example.com'));
  await admin.getByRole('link', { name: 'People and roles' }).click();
  await admin.getByRole('button', { name: 'Invite' }).click();
  const form = admin.getByRole('dialog', { name: 'Invite a person' });
  await form.getByLabel('Email address').fill('lin@example.com');
  await form.getByLabel('Name').fill('Lin');
  await look(admin, 'the invitation');
  await form.getByRole('button', { name: 'Invite' }).click();
  const given = admin.getByRole('dialog', { name: 'Share the password' });
  const password = (await given.locator('code').textContent()) ?? '';
  await look(admin, 'the password');
  await given.getByRole('button', { name: 'Done' }).click();
  await expect(admin.getByRole('row', { name: 'lin@example.com' })).toContainText('Service desk');
  await look(admin, 'people');

  await admin.getByRole('link', { name: 'Canned replies' }).click();
  await admin.getByRole('button', { name: 'New reply' }).click();
  const reply = admin.getByRole('dialog', { name: 'New canned reply' });
  await reply.getByLabel('Name').fill('Greeting');
  await reply.getByLabel('Language of the conversation').selectOption('German');
  await reply.getByLabel('Text').fill('Hallo {name|zusammen}, ich bin **{agent}**.');
  await expect(reply.getByRole('region', { name: 'Preview' }).locator('strong')).toHaveText('{agent}');
  await look(admin, 'a canned reply');
  await reply.getByRole('button', { name: 'Save' }).click();
  const row = admin.getByRole('row', { name: 'Greeting German' });
  await expect(row).toContainText('ich bin **{agent}**.');
  await look(admin, 'canned replies');
  await row.getByRole('button', { name: 'Delete Greeting (German)' }).click();
  await admin.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(row).toHaveCount(0);
  await admin.getByRole('link', { name: 'People and roles' }).click();

  const other = await browser.newContext();
  const lin = await other.newPage();
  await signIn(lin, 'lin@example.com', password);
  await expect(lin.getByRole('switch', { name: 'Available', checked: false })).toBeVisible();
  await admin.getByRole('button', { name: 'Disable Lin' }).click();
  const question = admin.getByRole('dialog', { name: 'Disable Lin?' });
  await question.getByRole('button', { name: 'Disable Lin' }).click();
  await expect(admin.getByRole('row', { name: 'lin@example.com' })).toContainText('disabled');
  await expect(lin.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await other.close();

  await admin.getByRole('link', { name: 'Audit log' }).click();
  const entries = admin.getByRole('region', { name: 'Entries' });
  await expect(entries.getByRole('row').nth(1)).toContainText('disable person');
  await look(admin, 'the audit log');
});

test('a supervisor listens in, sees who types, and reads the visitor’s answer to the survey', async ({
  page: visitor,
  context,
  browser,
}) => {
  const password = await demo.passwordOf('grace@example.com');
  const grace = await context.newPage();
  await signIn(grace, 'grace@example.com', password);
  const presence = grace.getByRole('switch');
  await expect(presence).toBeVisible();
  if (!(await presence.isChecked())) await presence.click();
  const sue = await (await browser.newContext()).newPage();
  await signIn(sue, 'sue@example.com', password);

  const chat = new ChatPanel(visitor);
  await visitor.goto(await demo.urlOf('demo'));
  await chat.open();
  await chat.ask('How much is a bicycle?');
  await chat.say('I want to talk to a person');
  await grace.getByRole('button', { name: 'Accept' }).click();
  await sue.goto(`${await demo.urlOf('console')}live?state=person`);
  await sue.getByRole('link', { name: /with Grace/ }).click();
  const overheard = sue.getByRole('log', { name: 'Transcript' });
  await expect(overheard).toContainText('How much is a bicycle?');
  const asking = chat.composer.pressSequentially('It is a tandem', TYPING);
  await expect(overheard).toContainText('The visitor is typing …');
  await asking;
  await chat.composer.press('Enter');
  await expect(overheard).not.toContainText('typing …');
  const answering = grace.getByRole('textbox', { name: 'Message' }).pressSequentially('Five pounds', TYPING);
  await expect(overheard).toContainText('Grace is typing …');
  await answering;
  await grace.keyboard.press('Enter');
  await expect(overheard).toContainText('Five pounds');
  // As the visitor sees it: addresses are links on both sides, and codes are hidden.
  await grace
    .getByRole('textbox', { name: 'Message' })
    .fill('**Folded** ones are free: https://example.com/folded');
  await grace.getByRole('button', { name: 'Preview', pressed: false }).click();
  const preview = grace.getByRole('region', { name: 'As the visitor will see it' });
  await expect(preview.locator('strong')).toHaveText('Folded');
  await expect(preview.getByRole('link', { name: 'https://example.com/folded' })).toBeVisible();
  await expect(grace.getByRole('textbox', { name: 'Message' })).toBeFocused();
  await look(grace, 'the preview of a reply');
  await grace.getByRole('textbox', { name: 'Message' }).press('Enter');
  await expect(preview).toHaveText('The reply as the visitor will see it');
  await expect(chat.transcript.locator('strong', { hasText: 'Folded' })).toBeVisible();
  await grace.getByRole('button', { name: 'Preview', pressed: true }).click();
  await expect(preview).toHaveCount(0);
  const atDesk = grace.getByRole('log', { name: 'Transcript' });
  await expect(atDesk.locator('strong', { hasText: 'Folded' })).toBeVisible();
  await expect(atDesk.getByRole('link', { name: 'https://example.com/folded' })).toBeVisible();
  await expect(overheard.getByRole('link', { name: 'https://example.com/folded' })).toBeVisible();
  await chat.say('I mean https://example.com/tandem.');
  await expect(atDesk.getByRole('link', { name: 'https://example.com/tandem', exact: true })).toBeVisible();
  const side = grace.getByRole('complementary');
  await expect(side.getByText('AGENT_DECISION').first()).toBeHidden();
  await side.getByText('Technical details').click();
  await expect(side.getByText('AGENT_DECISION').first()).toBeVisible();
  await expect(chat.transcript).toContainText('Five pounds');
  // No one else sees that Sue listens.
  expect(await chat.transcript.textContent()).not.toContain('Sue');

  await sue.getByRole('link', { name: 'View record' }).click();
  const conversation = sue.url();
  await grace.getByRole('button', { name: 'End', exact: true }).click();
  await grace.getByRole('button', { name: 'End conversation?' }).click();
  await chat.dialog.getByRole('button', { name: '4 of 5' }).click();
  await chat.dialog.getByRole('textbox', { name: 'Anything to add?' }).fill('Grace was kind.');
  await chat.dialog.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(grace.getByRole('complementary')).toContainText('4: Grace was kind.');
  await sue.goto(conversation);
  const record = sue.getByRole('region', { name: 'Transcript' });
  await expect(record).toContainText('Grace was kind.');
  // Messages of people and events are between the turns, in order.
  await expect(record.getByRole('listitem').filter({ hasText: 'Five pounds' })).toBeVisible();
  const story = (await record.textContent()) ?? '';
  const order = ['How much is a bicycle?', 'I want to talk to a person', 'Grace has joined.'];
  const places = [...order, 'It is a tandem', 'Five pounds', 'Grace has left.'].map((words) =>
    story.indexOf(words),
  );
  expect(places).not.toContain(-1);
  expect(places.toSorted((one, other) => one - other)).toEqual(places);
  expect(story.split('It is a tandem')).toHaveLength(2);
  await look(sue, 'a conversation with a person on record');
  await sue.context().close();
});

test('a supervisor follows a conversation live, and takes part', async ({ page: visitor, context }) => {
  const sue = await context.newPage();
  await signIn(sue, 'sue@example.com', await demo.passwordOf('sue@example.com'));
  const chat = new ChatPanel(visitor);
  await visitor.goto(await demo.urlOf('demo'));
  await chat.open();
  await chat.ask('Which ferry goes to Farholm?');
  await sue.goto(`${await demo.urlOf('console')}live?state=agent`);
  const open = sue.getByRole('link', { name: /Which ferry goes to Farholm/ });
  await expect(open).toBeVisible();
  await look(sue, 'live');
  await open.click();
  const transcript = sue.getByRole('log', { name: 'Transcript' });
  await expect(transcript).toContainText('Which ferry goes to Farholm?');
  await expect(sue.getByText('You can take over once')).toBeVisible();
  await sue.getByLabel('Answered by').selectOption('All');
  await chat.say('I want to talk to a person');
  await expect(transcript).toContainText('I want to talk to a person');
  await sue.getByRole('button', { name: 'Jump in' }).waitFor();
  await look(sue, 'live, a conversation');
  await sue.getByRole('button', { name: 'Jump in' }).click();
  await expect(sue.getByRole('button', { name: 'Return to agent' })).toBeVisible();
  await expect(chat.dialog.getByText('Sue').first()).toBeVisible();
});

test('Live, the desk and the record name the language that the visitor writes in', async ({
  page: visitor,
  browser,
}) => {
  const chat = new ChatPanel(visitor);
  await visitor.goto(await demo.urlOf('demo'));
  await chat.open();
  await chat.expectQuiet();
  await chat.say('Kann ich meinen Hund auf die Fähre mitnehmen?');
  await expect(visitor.locator('natter-chat .frame')).toHaveAttribute('lang', 'de');
  await chat.say('Ich möchte mit einem Menschen sprechen');
  const desk = await browser.newPage();
  await signIn(desk, 'rita@example.com', await demo.passwordOf('rita@example.com'));
  const waiting = desk.getByRole('button', { name: /meinen Hund/ });
  await expect(waiting).toContainText('German');
  await desk.getByRole('link', { name: 'Live' }).click();
  await expect(desk.getByRole('link', { name: /mit einem Menschen/ })).toContainText('German');
  await desk.getByRole('link', { name: 'Conversations' }).click();
  await desk.getByRole('link', { name: /meinen Hund/ }).click();
  await expect(desk.getByRole('term').filter({ hasText: 'Language' }).locator('+ dd')).toHaveText('German');
  await desk.close();
});
