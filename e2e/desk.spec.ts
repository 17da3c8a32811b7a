import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { ChatPanel } from './chat-panel.ts';
import { findViolations } from './find-violations.ts';
import { type RunningProcess, runProcess } from './run-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'natter-desk-'));
let demo: RunningProcess;
const lineOf = async (pattern: RegExp): Promise<string> => (await demo.waitForLine(pattern))[1] ?? '';

test.beforeAll(() => {
  demo = runProcess('demo/start.ts', ['--data', folder, '--desk']);
});
test.afterAll(async () => {
  await demo.stop();
  rmSync(folder, { recursive: true, force: true });
});

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
}) => {
  const siteUrl = await lineOf(/^demo: (.+)$/);
  const deskUrl = await lineOf(/^console: (.+)$/);
  const password = await lineOf(/^ {2}grace@example.com .* password (.+)$/);
  const desk = await context.newPage();
  await desk.goto(deskUrl);
  expect(await findViolations(desk), 'the door').toEqual([]);
  await desk.getByLabel('E-mail address').fill('grace@example.com');
  await desk.getByLabel('Password').fill(password);
  await desk.keyboard.press('Enter');
  await desk.getByRole('switch', { name: 'Away' }).click();
  await expect(desk.getByRole('switch', { name: 'Available' })).toBeChecked();

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

  await leaveMessage(await lineOf(/^proxy: (.+)$/), new URL(siteUrl).origin);
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

  for (const colorScheme of ['light', 'dark'] as const) {
    await desk.emulateMedia({ colorScheme });
    for (const width of [1280, 360]) {
      await desk.setViewportSize({ width, height: 760 });
      expect(await findViolations(desk), `${colorScheme}, ${width}`).toEqual([]);
      const sideways = await desk.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(sideways, `${width} scrolls sideways`).toBeLessThanOrEqual(0);
    }
  }
  await desk.getByRole('button', { name: 'Return to agent' }).click();
  await chat.ask('When does the ferry to Tarrow leave?');
  await expect(chat.transcript).not.toContainText('asks for bicycles');
});
