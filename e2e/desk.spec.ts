import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { ChatPanel } from './chat-panel.ts';
import { COLOUR_RULES, findViolations } from './find-violations.ts';
import { type RunningDemo, runDemo } from './run-demo.ts';
import { START_TIMEOUT_MS } from './run-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'natter-desk-'));
let demo: RunningDemo;

test.beforeAll(async () => {
  test.setTimeout(START_TIMEOUT_MS);
  demo = runDemo(folder, '--desk');
  await demo.whenReady();
});
// axe looks at each page four times.
test.beforeEach(() => test.setTimeout(120_000));
test.afterAll(async () => {
  await demo.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.goto(await demo.urlOf('console'));
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('navigation', { name: 'Views' })).toBeVisible();
}

const SCHEMES = [
  ['light', {}],
  ['dark', { rules: COLOUR_RULES }],
] as const;

/** Neither axe finds anything in a page, nor is it wider than its window, in both colour schemes, wide and narrow. */
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

/** As people type: what shows it lasts for some seconds after a key. */
const TYPING = { delay: 100 };

/** Another visitor, who meets nobody. */
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

test('a hand-off from both sides: offer, talk over a reload of the desk, note, return to the agent', async ({
  page: visitor,
  context,
  browser,
}) => {
  const siteUrl = await demo.urlOf('demo');
  const deskUrl = await demo.urlOf('console');
  const password = await demo.passwordOf('grace@example.com');
  const desk = await context.newPage();
  await desk.goto(deskUrl);
  await expect(desk.getByLabel('E-mail address')).toBeVisible();
  expect(await findViolations(desk), 'the door').toEqual([]);
  await desk.getByLabel('E-mail address').fill('grace@example.com');
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
  await desk.getByLabel('Canned reply').selectOption('Greeting');
  await desk.keyboard.press('Enter');
  await expect(chat.transcript).toContainText('Hello, I am Grace. How can I help?');

  await leaveMessage(await demo.urlOf('proxy'), new URL(siteUrl).origin);
  const left = desk.getByRole('region', { name: 'Messages left' });
  await expect(left).toContainText('Where is my bag?');
  await left.getByRole('button', { name: 'Done: Maren' }).click();
  await expect(left).not.toContainText('Where is my bag?');
  await left.getByRole('button', { name: 'Undo' }).click();
  await expect(left.getByRole('link', { name: 'maren@example.com' })).toBeVisible();

  await desk.reload();
  const transcript = desk.getByRole('log', { name: 'Transcript' });
  await expect(transcript).toContainText('When does the ferry to Tarrow leave?');
  await expect(transcript).toContainText('Hello, I am Grace. How can I help?');
  await chat.say('Can I bring two bicycles?');
  await expect(transcript).toContainText('Can I bring two bicycles?');
  await desk.getByRole('textbox', { name: 'Private note' }).fill('asks for bicycles');
  await desk.keyboard.press('Enter');
  await expect(desk.getByRole('complementary')).toContainText('asks for bicycles');

  // Choosing a person or a queue moves nothing, and neither does what comes while somebody reads above.
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
  await transcript.evaluate((log) => log.scrollTo(0, 0));
  await chat.say('And a trailer?');
  await expect(transcript).toContainText('And a trailer?');
  expect(await transcript.evaluate(({ scrollTop }) => scrollTop)).toBe(0);
  // The log has the message before the platform's answer has come: it is shown once.
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
  await desk.getByRole('button', { name: 'Return to agent' }).click();
  // What the visitor writes before is for Grace still.
  await expect(transcript).toContainText('Grace has left.');
  await chat.ask('When does the ferry to Tarrow leave?');
  await expect(chat.transcript).not.toContainText('asks for bicycles');

  const supervisor = await (await browser.newContext()).newPage();
  await signIn(supervisor, 'sue@example.com', password);
  await supervisor.getByRole('link', { name: 'Service levels' }).click();
  await expect(supervisor.getByRole('region', { name: 'By queue' }).first()).toContainText('Service desk');
  await expect(supervisor.locator('canvas').first()).toBeVisible();
  await look(supervisor, 'service levels');
  await supervisor.context().close();
});

test('an admin invites a person, who signs in and is kept out again; what was done is in the audit log', async ({
  page: admin,
  browser,
}) => {
  await signIn(admin, 'rita@example.com', await demo.passwordOf('rita@example.com'));
  await admin.getByRole('link', { name: 'People and roles' }).click();
  await admin.getByRole('button', { name: 'Invite' }).click();
  const form = admin.getByRole('dialog', { name: 'Invite a person' });
  await form.getByLabel('E-mail address').fill('lin@example.com');
  await form.getByLabel('Name').fill('Lin');
  await look(admin, 'the invitation');
  await form.getByRole('button', { name: 'Invite' }).click();
  const given = admin.getByRole('dialog', { name: 'Hand over the password' });
  const password = (await given.locator('code').textContent()) ?? '';
  await look(admin, 'the password');
  await given.getByRole('button', { name: 'Done' }).click();
  await expect(admin.getByRole('row', { name: 'lin@example.com' })).toContainText('Service desk');
  await look(admin, 'people');

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
  await expect(chat.transcript).toContainText('Five pounds');
  // Nobody else is told that she listens.
  expect(await chat.transcript.textContent()).not.toContain('Sue');

  await sue.getByRole('link', { name: 'On record' }).click();
  const conversation = sue.url();
  await grace.getByRole('button', { name: 'End', exact: true }).click();
  await grace.getByRole('button', { name: 'End for good?' }).click();
  await chat.dialog.getByRole('button', { name: '4 of 5' }).click();
  await chat.dialog.getByRole('textbox', { name: 'Anything to add?' }).fill('Grace was kind.');
  await chat.dialog.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(grace.getByRole('complementary')).toContainText('4: Grace was kind.');
  await sue.goto(conversation);
  await expect(sue.getByRole('main')).toContainText('Grace was kind.');
  await sue.context().close();
});

test('a supervisor follows a conversation while it happens, and jumps in', async ({
  page: visitor,
  context,
}) => {
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
  await expect(sue.getByText('Can be taken over once')).toBeVisible();
  await sue.getByLabel('Answered by').selectOption('All');
  await chat.say('I want to talk to a person');
  await expect(transcript).toContainText('I want to talk to a person');
  await sue.getByRole('button', { name: 'Jump in' }).waitFor();
  await look(sue, 'live, a conversation');
  await sue.getByRole('button', { name: 'Jump in' }).click();
  await expect(sue.getByRole('button', { name: 'Return to agent' })).toBeVisible();
  await expect(chat.dialog.getByText('Sue').first()).toBeVisible();
});
