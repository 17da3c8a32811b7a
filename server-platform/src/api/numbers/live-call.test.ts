import { createNatter, type Natter } from '@natter/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../app/config/index.ts';
import { type Platform, startPlatform } from '../../app/start-platform.ts';
import { createLogger } from '../../kit/logger.ts';

describe('a customer’s server and a simulated caller, on the real platform', () => {
  let platform: Platform;
  let natter: Natter;
  const keyFor = (permission: string): string =>
    platform.addedKeys.find(({ permissions }) => permissions.includes(permission))?.key ?? '';
  beforeAll(async () => {
    const config = await loadConfig({}, {});
    platform = await startPlatform({
      config: { ...config, rest: { ...config.rest, hasSimulatedCalls: true } },
      dataDir: 'memory',
      port: 0,
      logger: createLogger('silent'),
    });
    natter = createNatter({
      baseUrl: platform.url,
      monitorBaseUrl: platform.url,
      apiKey: keyFor('chat'),
      connectorToken: platform.developmentConnector?.token,
      apiKeys: { numbers: keyFor('dni') },
      accountId: 'kittiwake',
      projectId: 'kittiwake',
    });
  });
  afterAll(() => platform.close());

  it('reserves a number, calls it, and finds the call among the conversations (DN-2, DN-4)', async () => {
    const { dni } = await natter.numbers.reserve({ attributes: { shared_id: 'crm-7', booking: 'KF-123' } });
    const answer = await fetch(`${platform.url}/internal/v1/simulated-calls`, {
      method: 'POST',
      headers: { 'X-Api-Key': keyFor('dni'), 'Content-Type': 'application/json' },
      body: JSON.stringify({
        to: dni,
        from: '+15551234',
        turns: [
          { text: 'Can I bring my dog?' },
          { text: 'On 24 December at 2 pm' },
          { dtmf: '1' },
          {},
          { text: 'Goodbye', barge_in: true },
        ],
      }),
    });
    const call: Readonly<Record<string, unknown>> = await answer.json();
    expect(call['integration_attributes']).toEqual({ shared_id: 'crm-7', booking: 'KF-123' });
    const { conversations } = await natter.conversations.v3.list({ channel: ['voice'] });
    expect(conversations[0]).toMatchObject({
      id: call['conversation_id'],
      channel: 'VOICE-SIP',
      in_progress: false,
      from_number: '+15551234',
      to_number: dni,
      state: {
        from_: '+15551234',
        to: dni,
        call_sid: expect.stringMatching(/^CA[0-9a-f]{32}$/),
        integration_attributes: { shared_id: 'crm-7', booking: 'KF-123' },
      },
      turns: [
        { user_input: '', is_silence: false },
        { user_input: 'Can I bring my dog?', agent_response: expect.stringContaining('Dogs stay on a lead') },
        { user_input: 'On 24 December at 2 pm', entities: { date: '--12-24', time: '14:00' } },
        { user_input: '', user_input_dtmf: '1', is_silence: false },
        { user_input: '', is_silence: true },
        { user_input: 'Goodbye', barge_in: true },
      ],
    });
  });

  it("finds an integrator's attributes in the state of the chat's record (3.1)", async () => {
    const { conversation_id: id } = await natter.chat.create({ integration_attributes: { tier: 'gold' } });
    await natter.chat.respond({ conversation_id: id, message: 'Can I bring my dog?' });
    const { conversations } = await natter.conversations.v3.list();
    // The agent's own state is not part of it.
    expect(conversations.find((each) => each.id === id)?.state).toEqual({
      integration_attributes: { tier: 'gold' },
    });
  });
});
