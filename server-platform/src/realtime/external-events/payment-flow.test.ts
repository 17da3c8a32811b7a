import { createNatter } from '@natter/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isEndOfMessage } from '../../../test/realtime/test-platform.ts';
import { openTestSocket } from '../../../test/realtime/test-socket.ts';
import { type Platform, startPlatform } from '../../app/start-platform.ts';
import { createLogger } from '../../kit/logger.ts';

describe('the demo agent’s payment, in a live chat', () => {
  let platform: Platform;
  beforeAll(async () => {
    platform = await startPlatform({ dataDir: 'memory', port: 0, logger: createLogger('silent') });
  });
  afterAll(() => platform.close());

  it('continues the chat as soon as the payment system confirms the payment (EE-6)', async () => {
    const { token, host } = platform.developmentConnector ?? { token: '', host: '' };
    const post = async (path: string, headers: Record<string, string>): Promise<Record<string, unknown>> =>
      (await fetch(`${platform.url}/api/v1${path}`, { method: 'POST', headers, body: '{}' })).json();
    const minted = await post('/access-token', { 'X-Token': token, 'X-Host': host });
    const accessToken = String(minted['access_token']);
    const { session_id: sessionId } = await post('/sessions', { Authorization: `Bearer ${accessToken}` });
    const socket = await openTestSocket(
      `${platform.url.replace('http', 'ws')}/ws?session_id=${sessionId}&access_token=${accessToken}`,
    );
    socket.send('REQUEST_AGENT_JOIN');
    await socket.next(isEndOfMessage);
    socket.send('USER_MESSAGE', { text: 'I would like to pay my balance' });
    const asked = String((await socket.next(isEndOfMessage)).payload['text']);
    const [eventId = ''] = /evt_\w+/.exec(asked) ?? [];
    const key = platform.addedKeys.find(({ permissions }) => permissions.includes('external_events'));
    const natter = createNatter({
      baseUrl: platform.url,
      apiKeys: { externalEvents: key?.key ?? '' },
      accountId: 'kittiwake',
      projectId: 'kittiwake',
    });
    await natter.externalEvents.send({
      event_id_location: 'payload',
      event_id_path: 'payment.reference',
      content: { xml: `<payment><reference>${eventId}</reference><state>paid</state></payment>` },
    });
    expect((await socket.next(isEndOfMessage)).payload['text']).toBe(
      'Your payment has arrived, thank you. Your booking is confirmed.',
    );
    await socket.close();
  });
});
