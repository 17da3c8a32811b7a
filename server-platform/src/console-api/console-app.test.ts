import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConsoleFixture, startConsoleFixture } from '../../test/console-api/console-fixture.ts';
import { addAccount } from '../accounts/index.ts';
import { CONSOLE_ROUTES } from './console-app.ts';

const MADE_UP = 'none';

describe('the calls of the console', () => {
  let fixture: ConsoleFixture;
  beforeAll(async () => {
    fixture = await startConsoleFixture();
  });
  afterAll(() => fixture.stop());

  it('need a sign-in, the role of the call, the page itself, and the header when they change something', async () => {
    const agent = await fixture.signIn('agent');
    for (const { id, method, path, role } of CONSOLE_ROUTES) {
      const at = `${method} /console/api${path.replaceAll(/\{\w+\}/g, MADE_UP)}`;
      const headers = { 'X-Natter-Desk': '1' };
      expect([id, (await fixture.rest.call(at, { headers })).status]).toEqual([id, 401]);
      const foreign = await fixture.rest.call(at, {
        headers: { ...headers, 'Sec-Fetch-Site': 'cross-site' },
      });
      expect([id, foreign.body['error_code']]).toEqual([id, 'FOREIGN_ORIGIN']);
      if (method !== 'GET')
        expect([id, (await fixture.rest.call(at)).body['error_code']]).toEqual([id, 'HEADER_MISSING']);
      if (role === 'agent') continue;
      const refused = await agent.call(`${method} ${path.replaceAll(/\{\w+\}/g, MADE_UP)}`);
      expect([id, refused.body['error_code']]).toEqual([id, 'NOT_ALLOWED']);
    }
  });

  it('return the signed-in person and only that account’s projects', async () => {
    const { account, project, database, clock } = fixture.rest;
    const sue = await fixture.signIn('supervisor');
    const { body } = await sue.call('GET /me');
    expect(body).toMatchObject({
      me: { id: sue.id, role: 'supervisor' },
      account: { id: account.id },
      projects: [{ id: project.id, slug: 'shop', variants: [] }],
      has_desk: true,
      token_proxy_url: 'https://chat.example.com',
    });
    const other = await addAccount(database, { slug: 'other' }, clock.now());
    const eve = await fixture.signIn('admin', other.id);
    expect((await eve.call('GET /me')).body['projects']).toEqual([]);
  });

  it('are described in OpenAPI', async () => {
    const { body } = await fixture.rest.call('GET /console/api/openapi.json');
    const items = Object.values(Object(body['paths'])).flatMap((item) => Object.values(Object(item)));
    expect(items.map((item) => Reflect.get(Object(item), 'operationId')).toSorted()).toEqual(
      CONSOLE_ROUTES.map(({ id }) => id).toSorted(),
    );
  });
});
