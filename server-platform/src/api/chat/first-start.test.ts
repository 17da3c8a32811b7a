import { createNatter, isNatterError, type Natter } from '@natter/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDoor, createScriptedAgent } from '../../../test/realtime/scripted-agent.ts';
import { type Platform, startPlatform } from '../../app/start-platform.ts';
import { createLogger } from '../../kit/logger.ts';

/** A client with the keys that a first start prints. */
function clientOf(platform: Platform): Natter {
  const keys = new Map(platform.addedKeys.map(({ name, key }) => [name, key]));
  return createNatter({
    baseUrl: platform.url,
    monitorBaseUrl: platform.url,
    apiKey: keys.get('runtime'),
    monitorApiKey: keys.get('monitoring'),
    connectorToken: platform.developmentConnector?.token,
    accountId: 'kittiwake',
    projectId: 'kittiwake',
  });
}

describe('a first start without any configuration', () => {
  let platform: Platform;
  let natter: Natter;
  beforeAll(async () => {
    platform = await startPlatform({ dataDir: 'memory', port: 0, logger: createLogger('silent') });
    natter = clientOf(platform);
  });
  afterAll(() => platform.close());

  const codeOf = (call: Promise<unknown>): Promise<unknown> =>
    call.then(
      () => null,
      (error: unknown) => (isNatterError(error) ? [error.status, error.code] : error),
    );

  it('chats through the SDK after a first start, hands off, and returns the stored state (3.2, HS-3)', async () => {
    const { conversation_id: id, response } = await natter.chat.create();
    expect(response).toContain('Ada');
    const answer = await natter.chat.respond({ conversation_id: id, message: 'Can I bring my dog?' });
    expect(answer.response).toMatch(/dog/i);
    expect(await codeOf(natter.handoff.get({ id }))).toEqual([404, 'HANDOFF_STATE_NOT_FOUND']);
    const handed = await natter.chat.respond({ conversation_id: id, message: 'Can I speak to a person?' });
    expect(handed).toMatchObject({
      end_conversation: true,
      handoff: { destination: 'service-desk', reason: expect.any(String) },
    });
    expect((await natter.handoff.get({ id })).data).toMatchObject({
      handoff_destination: 'service-desk',
      handoff_reason: handed.handoff?.reason,
    });
    expect(await codeOf(natter.chat.respond({ conversation_id: id, message: 'Hello?' }))).toEqual([
      410,
      'ChatConversationEnded',
    ]);
    expect(await natter.chat.close({ conversation_id: id })).toEqual({ success: true });
  });

  it('lists the chat of a first start under the same id, without naming an environment (CH-2)', async () => {
    const { conversation_id: id } = await natter.chat.create({ channel: 'sms' });
    await natter.chat.close({ conversation_id: id });
    const found: unknown[] = [];
    for await (const record of natter.conversations.v3.iterate())
      found.push([record.id, record.channel, record.in_progress]);
    expect(found).toContainEqual([id, 'SMS', false]);
  });

  it('answers pending chat requests before it shuts down', async () => {
    const door = createDoor();
    const begun = createDoor();
    const agent = createScriptedAgent(async function* (turn) {
      if (turn.kind === 'message') {
        begun.open();
        await door.opened;
      }
      yield { type: 'text', text: `Said: ${turn.text}` };
    });
    const stopping = await startPlatform({
      dataDir: 'memory',
      port: 0,
      logger: createLogger('silent'),
      agents: new Map([['kittiwake', agent]]),
    });
    const client = clientOf(stopping);
    const { conversation_id } = await client.chat.create();
    const answer = client.chat.respond({ conversation_id, message: 'hi' });
    await begun.opened;
    const closed = stopping.close();
    door.open();
    expect((await answer).response).toBe('Said: hi');
    await closed;
  });

  it('creates a monitoring key on a first start', async () => {
    expect(await natter.alertRules.list()).toEqual([]);
  });
});
