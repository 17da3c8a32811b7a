import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { ChatPanel } from './page/chat-panel.ts';
import { findFrame } from './page/open-bench.ts';
import { PATIENCE } from './patience.ts';
import { copySources } from './stack/copy-sources.ts';
import { type RunningDemo, runDemoOf } from './stack/run-demo.ts';

// Builds everything from a copy of the sources, and starts the platform three times.
test.describe.configure({ timeout: 120_000 * PATIENCE });

const root = realpathSync(mkdtempSync(join(tmpdir(), 'natter-dev-')));
const folder = join(root, '.natter');
let demo: RunningDemo;

test.beforeAll(() => {
  copySources(root);
  demo = runDemoOf(root, folder, '--dev');
});
test.afterAll(async () => {
  await demo.stop();
  rmSync(root, { recursive: true, force: true });
});

/** Replaces a part of a source file, like an editor. */
function edit(file: string, from: string, to: string): void {
  const path = join(root, file);
  const source = readFileSync(path, 'utf8');
  expect(source, `${file} has ${from}`).toContain(from);
  writeFileSync(
    path,
    source.replace(from, () => to),
  );
}

const HEADER = 'src/widget/panel/header/header.tsx';
const TRY = 'console/views/try/try-view.tsx';
const PLATFORM = 'server-platform/src/app/start-platform.ts';

test('edits of widget, console, test bench and platform reach open pages, and conversations continue', async ({
  page,
  context,
}) => {
  const { urls, people } = await demo.whenReady();
  const errors: string[] = [];
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) errors.push(message.text());
  });
  const chat = new ChatPanel(page);
  await page.goto(urls.demo);
  await chat.open();
  await chat.ask('When does the ferry to Tarrow leave?');
  await chat.composer.fill('half a sentence');
  // A page that reloads loses this property.
  await page.evaluate(() => Reflect.set(window, 'hasStayed', true));

  await test.step('a component', async () => {
    edit(HEADER, '<bdi>{shown}</bdi>', '<bdi>{shown}, edited</bdi>');
    await expect(chat.dialog.getByText('Ada, edited')).toBeVisible();
  });
  await test.step('a style in the shadow root', async () => {
    edit('src/widget/styles/panel.css', 'outline: none;', 'outline: 7px solid red;');
    await expect(chat.dialog).toHaveCSS('outline-width', '7px');
  });
  await test.step('a mistake is reported, and the next edit fixes it', async () => {
    edit(HEADER, '<bdi>{shown}, edited</bdi>', '<bdi>{shown}, edited</bd>');
    await demo.waitForLine(/header\.tsx:\d+/);
    edit(HEADER, '<bdi>{shown}, edited</bd>', '<bdi>{shown}, mended</bdi>');
    await expect(chat.dialog.getByText('Ada, mended')).toBeVisible();
  });
  await test.step('a view of the console', async () => {
    const console = await context.newPage();
    await console.goto(`${urls.console}try`);
    const [rita] = people.filter(({ role }) => role === 'admin');
    await console.getByLabel('Email address').fill(rita?.email ?? '');
    await console.getByLabel('Password').fill(rita?.password ?? '');
    await console.keyboard.press('Enter');
    const title = console.getByRole('heading', { level: 1 });
    await expect(title).toHaveText('Numbers, events, voice');
    await console.evaluate(() => Reflect.set(window, 'hasStayed', true));
    edit(TRY, 'title="Numbers, events, voice"', 'title="Edited"');
    await expect(title).toHaveText('Edited');
    expect(await console.evaluate(() => Reflect.get(window, 'hasStayed'))).toBe(true);
    await test.step('saved by an editor that empties the file first', async () => {
      const source = readFileSync(join(root, TRY), 'utf8');
      writeFileSync(join(root, TRY), '');
      // As long as a busy machine may leave the file empty.
      await console.waitForTimeout(30);
      writeFileSync(join(root, TRY), source.replace('title="Edited"', 'title="Edited again"'));
      await expect(title).toHaveText('Edited again');
    });
    await console.close();
  });
  await test.step('the test bench, whose addresses differ from those of its sources', async () => {
    const bench = await context.newPage();
    await bench.goto(urls.bench);
    await findFrame(bench);
    await bench.evaluate(() => Reflect.set(window, 'hasStayed', true));
    edit('demo/bench/ui/test-bench.tsx', 'title="Test bench"', 'title="Edited"');
    await expect(bench.getByRole('heading', { level: 1 })).toHaveText('Edited');
    expect(await bench.evaluate(() => Reflect.get(window, 'hasStayed'))).toBe(true);
    await bench.getByRole('tab', { name: 'Recordings' }).click();
    await bench.getByLabel('Replay', { exact: true }).selectOption('answer');
    await bench.getByRole('button', { name: 'Replay in the widget' }).click();
    await findFrame(bench, '/bench/replay.html');
    await bench.close();
  });
  await test.step('the platform, which keeps running after a mistake', async () => {
    edit(PLATFORM, 'export ', "console.log('the platform was edited');\nexport (");
    await demo.waitForLine(/start-platform\.ts/);
    edit(PLATFORM, 'export (', 'export ');
    await demo.waitForLine(/^the platform was edited$/);
    await demo.waitForLine(/^The platform runs with your edit/);
  });

  await expect(chat.composer).toHaveValue('half a sentence');
  await chat.say('Can I bring my dog?');
  // The widget reconnects to the platform after growing pauses.
  await expect(chat.messages('agent')).toHaveCount(3, { timeout: 60_000 * PATIENCE });
  await expect(chat.messages('user')).toHaveText([/When does the ferry/, /Can I bring my dog/]);
  expect(await page.evaluate(() => Reflect.get(window, 'hasStayed'))).toBe(true);
  expect(errors).toEqual([]);
});

test('Ctrl-C ends every process of the development server', async () => {
  await demo.whenReady();
  await demo.stop('SIGINT');
  test.skip(process.platform === 'win32', 'There is no ps.');
  const left = (): readonly string[] =>
    execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
      .split('\n')
      .filter((line) => line.includes(root));
  await expect.poll(left).toEqual([]);
});
