import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EMBEDDED_ENGINE } from '../../../test/db/engines.ts';
import {
  isEndOfMessage,
  startTestPlatform,
  type TestPlatform,
} from '../../../test/realtime/test-platform.ts';

describe('what a page says along with a frame (MET-1)', () => {
  let platform: TestPlatform;
  beforeAll(async () => {
    platform = await startTestPlatform(EMBEDDED_ENGINE);
  });
  afterAll(() => platform.stop());

  it("passes the page's context to that turn only, without draft ids", async () => {
    const socket = await platform.connect(await platform.startSession());
    socket.send('REQUEST_AGENT_JOIN', {}, { page: 'Booking' });
    await socket.next(isEndOfMessage);
    expect(platform.agent.turns.at(-1)).toMatchObject({
      kind: 'greeting',
      pageContext: { page: 'Booking' },
      contextVault: {},
    });
    const custom = { client_event_id: 'a', local_id: 'a', tier: 'gold' };
    socket.send('USER_MESSAGE', { text: 'hi' }, custom);
    await socket.next(isEndOfMessage);
    expect(platform.agent.turns.at(-1)).toMatchObject({ text: 'hi', pageContext: { tier: 'gold' } });
    socket.send('USER_MESSAGE', { text: 'again' }, { local_id: 'b' });
    await socket.next(isEndOfMessage);
    expect(platform.agent.turns.at(-1)?.pageContext).toBeUndefined();
    // The latest context stays in the state, for later turns and for the record.
    expect(platform.agent.turns.at(-1)?.state).toMatchObject({ page_context: { tier: 'gold' } });
    const states = await platform.database.query<{ readonly context_state: unknown }>(
      'SELECT context_state FROM conversation_turns ORDER BY ordinal',
    );
    expect(states.map(({ context_state }) => context_state)).toEqual([
      { page_context: { page: 'Booking' } },
      { page_context: { tier: 'gold' } },
      null,
    ]);
    await socket.close();
  });
});
