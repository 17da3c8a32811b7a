import { expect, test } from '../fixtures.ts';
import { watchViolations } from '../page/watch-violations.ts';
import { page as html, serveCustomerSite, snippet } from '../stack/customer-site.ts';
import { policyFor } from '../stack/documented-policy.ts';
import { buildExample, serveExample, talkAndRename, watchFaults } from '../stack/example-site.ts';

test('the script tag works with exactly the header that docs/security.md prints', async ({
  page,
  chat,
  stack,
}) => {
  const site = await serveCustomerSite(stack, {
    render: (_, urls) => ({
      body: html('<h1>A page</h1>', snippet(urls)),
      headers: { 'content-security-policy': policyFor(urls) },
    }),
  });
  const violations = await watchViolations(page);
  const faults: string[] = [];
  page.on('pageerror', ({ message }) => faults.push(message));
  await page.goto(site.urls.site);
  await chat.open();
  await chat.say('Can I bring my dog?');
  await chat.expectAnswer(/dog|pet/i);
  // The page's own icon is a `data:` address, which this policy forbids; the widget requests none.
  expect((await violations()).filter((line) => line !== 'img-src data')).toEqual([]);
  expect(faults).toEqual([]);
  await site.close();
});

for (const name of ['react', 'vue']) {
  test(`the ${name} example answers, follows its options and leaves nothing behind`, async ({
    page,
    chat,
    stack,
  }) => {
    const outDir = test.info().outputPath('example');
    await buildExample(name, outDir);
    const example = await serveExample(stack, name, outDir);
    const faults = watchFaults(page);
    await page.goto(example.pageUrl());
    await talkAndRename(page, chat);
    expect(faults).toEqual([]);
    await example.close();
  });
}
