import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';

/** The scripts of the widget that a page has fetched, by their names. */
function watchScripts(page: Page): ReadonlySet<string> {
  const names = new Set<string>();
  page.on('request', (request) => {
    const name = /\/natter\/(?:[0-9a-f]{8}\/)?(.+\.js)$/.exec(new URL(request.url()).pathname)?.[1];
    if (name) names.add(name);
  });
  return names;
}

test('questions and answers need the panel and one language; all else comes with what needs it', async ({
  page,
  stack,
  chat,
}) => {
  const scripts = watchScripts(page);
  await page.goto(stack.urls.demo);
  await chat.launcher.waitFor();
  expect([...scripts]).toEqual([]);

  await chat.open();
  await chat.expectAnswer(/Ada/);
  await chat.ask('Can I bring my dog?');
  await chat.expectAnswer(/dog/i);
  await chat.expectQuiet();
  await expect(chat.dialog.locator('time')).not.toHaveCount(0);
  expect([...scripts].toSorted()).toEqual(['en.js', 'panel.js']);

  await chat.dialog.getByRole('button', { name: /more/i }).click();
  await chat.dialog.getByRole('menuitem', { name: /end chat/i }).click();
  expect([...scripts]).toContain('menu.js');
  expect([...scripts]).not.toContain('ended.js');
  await chat.dialog
    .getByRole('alertdialog')
    .getByRole('button', { name: /end chat/i })
    .click();
  await expect(chat.dialog.getByText(/you ended this chat/i)).toBeVisible();
  expect([...scripts]).toContain('ended.js');
  for (const name of ['cards.js', 'notices.js', 'survey.js', 'doctor.js'])
    expect([...scripts]).not.toContain(name);
});
