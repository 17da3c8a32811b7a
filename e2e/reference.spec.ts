import { expect, test } from './fixtures.ts';

test('the reference page shows the operations and sends no request to another host', async ({
  page,
  stack,
}) => {
  const { origin } = new URL(stack.urls.platform);
  const elsewhere: string[] = [];
  const faults: string[] = [];
  page.on('request', (request) => {
    const { protocol, origin: asked } = new URL(request.url());
    if (protocol.startsWith('http') && asked !== origin) elsewhere.push(request.url());
  });
  page.on('pageerror', ({ message }) => faults.push(message));
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  await page.goto(`${origin}/reference`);
  // Scalar renders the operations of a group when it is opened or in view.
  for (const name of ['Before the socket', 'Create a session', 'Chat', 'Alert rules', 'Erasure']) {
    await expect(page.getByText(name).first()).toBeAttached();
  }
  await expect(page.getByText('X-TOKEN').first()).toBeAttached();
  expect(elsewhere).toEqual([]);
  expect(faults).toEqual([]);
});
