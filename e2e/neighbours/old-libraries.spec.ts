import { expect, test } from './visit.ts';

test('the chat answers, also after a reload, on a page that extends Object.prototype and Array.prototype', async ({
  page,
  chat,
  visit,
}) => {
  const faults: string[] = [];
  page.on('pageerror', ({ message }) => faults.push(message));
  await visit({
    body: '<h1>Since 2006</h1>',
    head: `<script>
      Object.prototype.extend = function (other) { for (var name in other) this[name] = other[name]; return this; };
      Object.prototype.version = '1.0';
      Object.prototype.count = 3;
      Array.prototype.each = function (visit) { for (var i = 0; i < this.length; i++) visit(this[i]); };
    </script>`,
    attributes: 'data-features="feedback history privacy emoji"',
  });
  await chat.open();
  await chat.expectQuiet();
  await chat.composer.fill('Can I bring my dog?');
  await chat.composer.press('Enter');
  await expect(chat.messages('agent').filter({ hasText: /dog|pet/i })).toHaveCount(1);
  await chat.dialog.getByRole('button', { name: 'More' }).click();
  await expect(chat.dialog.getByRole('menu')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.reload();
  await expect(chat.messages('user')).toHaveText(/Can I bring my dog\?/);
  expect(faults).toEqual([]);
});

test('the chat answers on a page that has frozen the prototypes of the language', async ({
  page,
  chat,
  visit,
}) => {
  const faults: string[] = [];
  page.on('pageerror', ({ message }) => faults.push(message));
  await visit({
    body: '<h1>Hardened</h1>',
    head: '<script>for (const { prototype } of [Object, Array, Function, Promise]) Object.freeze(prototype);</script>',
    attributes: 'data-features="feedback history privacy emoji"',
  });
  await chat.open();
  await chat.say('Can I bring my dog?');
  await chat.expectAnswer(/dog|pet/i);
  expect(faults).toEqual([]);
});
