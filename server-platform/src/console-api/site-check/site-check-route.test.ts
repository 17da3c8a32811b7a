import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  type ConsoleFixture,
  startConsoleFixture,
  type TestPerson,
} from '../../../test/console-api/console-fixture.ts';

let fixture: ConsoleFixture;
let rita: TestPerson;
beforeAll(async () => {
  fixture = await startConsoleFixture();
  rita = await fixture.signIn('admin');
});
afterAll(() => fixture.stop());

it('checks a site for admins, writes that down without the query, and calls no private address', async () => {
  const url = 'http://127.0.0.1:9/shop?key=secret';
  const checked = await rita.call('POST /site-check', { url });
  expect(checked.body).toEqual({
    url,
    findings: [
      {
        ...{ check: 'page', status: 'fault', code: null },
        message: expect.stringContaining('does not let the platform call'),
      },
    ],
  });
  const { entries } = await (await rita.fetchDesk('GET /audit')).json();
  expect(entries[0]).toMatchObject({ action: 'check_site', subject: 'http://127.0.0.1:9/shop' });
  const sue = await fixture.signIn('supervisor');
  expect((await sue.call('POST /site-check', { url })).status).toBe(403);
});

it.each([
  'ftp://shop.test/',
  'https://ada:pw@shop.test/',
  'shop.test',
  `https://shop.test/${'x'.repeat(2000)}`,
])('refuses an input that is not the address of a page (%#)', async (url) => {
  expect((await rita.call('POST /site-check', { url })).status).toBe(400);
});

it('makes twenty checks of an account in a minute', async () => {
  const statuses: number[] = [];
  for (let count = 0; count < 21; count += 1)
    statuses.push((await rita.call('POST /site-check', { url: 'http://127.0.0.1:9/' })).status);
  expect(statuses.at(-1)).toBe(429);
  expect(statuses.slice(0, 10)).toEqual(Array(10).fill(200));
});
