import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { keepSecrets } from '../../demo/demo-config.ts';
import { startDemo } from '../../demo/start-demo.ts';
import { ChatPanel } from '../../e2e/page/chat-panel.ts';
import { launchChromium } from '../../test/chromium/launch-chromium.ts';

/**
 * The first minutes of a new operator, from a folder without data: each step as a person does it, without the time that
 * people take to read and think.
 */
const folder = mkdtempSync(join(tmpdir(), 'natter-operator-'));
const browser = await launchChromium();
let since = performance.now();
const begin = since;

/** Prints how long a step took. */
function step(name: string): void {
  const now = performance.now();
  console.log(`${((now - since) / 1_000).toFixed(1).padStart(6)} s  ${name}`);
  since = now;
}

async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.keyboard.press('Enter');
}

const demo = await startDemo({
  ...{ portBase: null, dataDir: folder, configFile: null, platformUrl: null, hasDesk: true },
  onProgress() {},
  onCrash(message) {
    throw new Error(message);
  },
});
try {
  step('npm start: database, platform, token proxy and site from nothing');
  const url = demo.urls.console ?? '';
  const { deskPassword: password } = keepSecrets(folder);
  const visitor = await browser.newPage();
  const chat = new ChatPanel(visitor);
  const operator = await (await browser.newContext()).newPage();

  await visitor.goto(demo.urls.demo);
  await chat.open();
  await chat.ask('When does the ferry to Tarrow leave?');
  step('a visitor asks the first question and has the answer');

  await operator.goto(url);
  await signIn(operator, 'rita@example.com', password);
  await operator.getByRole('switch', { name: 'Available', checked: false }).click();
  await operator.getByRole('switch', { name: 'Available', checked: true }).waitFor();
  step('sign in and say "available"');

  await operator.getByRole('link', { name: 'Live' }).click();
  await operator.getByRole('link', { name: /ferry to Tarrow/ }).click();
  const transcript = operator.getByRole('log', { name: 'Transcript' });
  await transcript.getByText('When does the ferry to Tarrow leave?').waitFor();
  step('see the conversation live');

  await chat.say('I want to talk to a person');
  await operator.getByRole('link', { name: /^Desk/ }).click();
  await operator.getByRole('button', { name: 'Accept' }).click();
  await operator.getByRole('textbox', { name: 'Message', exact: true }).fill('Hello, this is Rita.');
  await operator.keyboard.press('Enter');
  await chat.transcript.getByText('Hello, this is Rita.').waitFor();
  step('take the hand-off and answer; the visitor reads it');

  await operator.getByRole('link', { name: 'Overview' }).click();
  await operator.getByRole('region', { name: 'Volume' }).locator('canvas').waitFor();
  step('look at the overview');

  await operator.getByRole('link', { name: 'People and roles' }).click();
  await operator.getByRole('button', { name: 'Invite' }).click();
  const form = operator.getByRole('dialog', { name: 'Invite a person' });
  await form.getByLabel('Email address').fill('lin@example.com');
  await form.getByLabel('Name').fill('Lin');
  await form.getByRole('button', { name: 'Invite' }).click();
  const dialog = operator.getByRole('dialog', { name: 'Share the password' });
  const passwordOfLin = (await dialog.locator('code').textContent()) ?? '';
  step('invite a person');

  const lin = await (await browser.newContext()).newPage();
  await lin.goto(url);
  await signIn(lin, 'lin@example.com', passwordOfLin);
  await lin.getByRole('switch', { name: 'Available', checked: false }).waitFor();
  step('that person signs in');
  since = begin;
  step('all of it');
} finally {
  await browser.close();
  await demo.close();
  rmSync(folder, { recursive: true, force: true });
}
