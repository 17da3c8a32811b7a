import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CRASH_CONNECTOR_TOKEN } from '../../../test/realtime/crash-options.ts';
import { createNodes, NODES_DATABASE_URL, type TestNodes } from '../../../test/realtime/nodes.ts';
import type { Platform } from '../../app/start-platform.ts';

describe.skipIf(NODES_DATABASE_URL === '')('limits of an address, on two nodes', () => {
  let nodes: TestNodes;
  let both: readonly Platform[];
  beforeAll(async () => {
    nodes = await createNodes({ limits: { sessionsPerMinute: 3, wrongCredentialsPerMinute: 3 } });
    both = [await nodes.start(), await nodes.start()];
  });
  afterAll(() => nodes.close());

  /** Sends requests to the nodes in turn and returns the statuses. */
  async function inTurn(
    count: number,
    path: string,
    headers: Record<string, string>,
  ): Promise<readonly number[]> {
    const statuses: number[] = [];
    for (let nr = 0; nr < count; nr += 1) {
      const answer = await fetch(`${both[nr % 2]?.url}/api/v1${path}`, {
        method: 'POST',
        headers,
        body: '{}',
      });
      statuses.push(answer.status);
    }
    return statuses;
  }

  it('limits the sessions of an address across all nodes', async () => {
    const minted = await fetch(`${both[0]?.url}/api/v1/access-token`, {
      method: 'POST',
      headers: { 'X-Token': CRASH_CONNECTOR_TOKEN, 'X-Host': 'localhost' },
      body: '{}',
    });
    const { access_token: token } = await minted.json();
    const headers = { Authorization: `Bearer ${token}` };
    expect(await inTurn(6, '/sessions', headers)).toEqual([200, 200, 200, 429, 429, 429]);
  });

  it('limits wrong tokens from an address across all nodes', async () => {
    const headers = { 'X-Token': 'not-a-token-of-anybody', 'X-Host': 'localhost' };
    expect(await inTurn(6, '/access-token', headers)).toEqual([401, 401, 401, 429, 429, 429]);
  });
});
