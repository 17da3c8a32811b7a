import { expect, it } from 'vitest';
import { startRestFixture } from '../../../test/api/rest/rest-fixture.ts';
import { createDeskEventsFamily } from './desk-events-family.ts';

it('asks the desk to try again when another node owns the conversation', async () => {
  const rest = await startRestFixture({
    families: (services) => [
      createDeskEventsFamily({
        ...services,
        ensureSessionLoaded: async () => ({ status: 'elsewhere', owner: 'another node' }),
      }),
    ],
  });
  const id = `ho_00000000-0000-4000-8000-000000000000_${'0'.repeat(12)}`;
  const { status, headers, body } = await rest.call(`POST /v1/acme/shop/handoffs/${id}/events`, {
    key: rest.keys.runtime,
    body: { type: 'failed' },
  });
  expect([status, headers.get('retry-after'), body['error_code']]).toEqual([429, '1', 'RATE_LIMITED']);
  await rest.stop();
});
