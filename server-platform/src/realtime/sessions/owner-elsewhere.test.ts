import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EMBEDDED_ENGINE } from '../../../test/db/engines.ts';
import { claimSession, testLease } from '../../../test/db/fixtures.ts';
import {
  isEndOfMessage,
  startTestPlatform,
  type TestPlatform,
} from '../../../test/realtime/test-platform.ts';
import { NO_PEERS, type Peers } from '../bus/index.ts';
import { transientSystemMessage } from '../conversation/outgoing-event.ts';

describe('what nodes say to each other of what a client sends', () => {
  const OTHER = 'other';
  const handlers = new Map<string, (body: unknown) => Promise<unknown>>();
  const inputs: Record<string, unknown>[] = [];
  let platform: TestPlatform;
  let answerInput: (body: Record<string, unknown>) => Promise<unknown>;
  const peers: Peers = {
    ...NO_PEERS,
    isShared: true,
    isAlone: false,
    names: [OTHER],
    canReach: (node) => node === OTHER,
    async call(_node, ask, body) {
      if (ask !== 'input') return 0;
      const input = { ...(body as object) };
      inputs.push(input);
      return await answerInput(input);
    },
    answer: (ask, handler) => void handlers.set(ask, handler),
  };
  const taken = (message: string) => {
    const event = transientSystemMessage(0, 'SYSTEM_MESSAGE_LEVEL_INFO', message, null);
    return { status: 'taken', delivered: [event], refusal: null, close: null };
  };
  beforeAll(async () => {
    platform = await startTestPlatform(EMBEDDED_ENGINE, { peers });
  });
  beforeEach(() => void inputs.splice(0));
  afterAll(() => platform.stop());

  /** A session that the other node has taken from this one, which does not know yet. */
  async function converse() {
    const conversation = await platform.converse({ streaming_enabled: false });
    const lease = await testLease(platform.database, OTHER);
    const takeover = { from: 'test', isIdleOnly: false };
    const { sessionId } = conversation;
    const claim = await claimSession(platform.database, sessionId, lease, takeover);
    expect(claim.status).toBe('claimed');
    return conversation;
  }

  it('forwards a command although this node believed to be the owner, and returns the replies to the sender', async () => {
    answerInput = async () => taken('said by the owner');
    const { socket, sessionId } = await converse();
    socket.send('USER_MESSAGE', { text: 'hi' });
    expect((await socket.next('SYSTEM_MESSAGE')).payload['message']).toBe('said by the owner');
    expect(inputs).toMatchObject([{ sessionId, isAdmitted: true, event: { payload: { text: 'hi' } } }]);
    await socket.close();
  });

  it('handles a command here when the other node is not the owner, and interrupts no answer', async () => {
    answerInput = async () => ({ status: 'not_owner' });
    const { socket } = await converse();
    socket.send('USER_MESSAGE', { text: 'hi' });
    expect((await socket.next(isEndOfMessage)).payload['text']).toBe('You said: hi');
    await socket.close();
  });

  it('forwards a command again under the same draft id while its outcome is unknown', async () => {
    const { socket } = await converse();
    answerInput = async () => {
      if (inputs.length < 3) throw Object.assign(new Error('no answer'), { name: 'PeerError' });
      return taken('the third time');
    };
    socket.send('USER_MESSAGE', { text: 'hi' });
    expect((await socket.next('SYSTEM_MESSAGE')).payload['message']).toBe('the third time');
    expect(inputs).toHaveLength(3);
    expect(new Set(inputs.map(({ draftId }) => draftId)).size).toBe(1);
    await socket.close();
  });

  it('does not report a lost transient command to its sender', async () => {
    const { socket } = await converse();
    answerInput = async () => taken('the message before');
    socket.send('USER_MESSAGE', { text: 'hi' });
    await socket.next('SYSTEM_MESSAGE');
    const lost = [
      async () => ({ status: 'not_owner' }),
      () => Promise.reject(Object.assign(new Error('no answer'), { name: 'PeerError' })),
    ];
    answerInput = async () => (await lost.shift()?.()) ?? taken('the message after');
    socket.send('USER_TYPING', { state: 'TYPING_STATE_STARTED' });
    socket.send('USER_TYPING', { state: 'TYPING_STATE_STOPPED' });
    socket.send('USER_MESSAGE', { text: 'hi again' });
    expect((await socket.next('SYSTEM_MESSAGE')).payload['message']).toBe('the message after');
    expect(lost).toHaveLength(0);
    await socket.close();
  });

  it('forwards no transient command from the owner node', async () => {
    answerInput = async () => taken('said by nobody');
    const { socket } = await platform.converse({ streaming_enabled: false });
    socket.send('USER_TYPING', { state: 'TYPING_STATE_STARTED' });
    socket.send('USER_MESSAGE', { text: 'hi' });
    expect((await socket.next(isEndOfMessage)).payload['text']).toBe('You said: hi');
    expect(inputs).toEqual([]);
    await socket.close();
  });

  it('returns the replies to a transient command, and closes the socket when that fails', async () => {
    const { socket } = await converse();
    answerInput = async () => taken('said of a message');
    socket.send('USER_MESSAGE', { text: 'hi' });
    await socket.next('SYSTEM_MESSAGE');
    answerInput = async () => taken('said of typing');
    socket.send('USER_TYPING', { state: 'TYPING_STATE_STARTED' });
    expect((await socket.next('SYSTEM_MESSAGE')).payload['message']).toBe('said of typing');
    answerInput = () => Promise.reject(new Error('no answer of this kind'));
    socket.send('USER_TYPING', { state: 'TYPING_STATE_STOPPED' });
    expect((await socket.closed).code).toBe(1011);
  });

  it('stores a command forwarded twice only once, and drops one that exceeded the limit where it arrived', async () => {
    const { socket, sessionId } = await platform.converse({ streaming_enabled: false });
    const receive = (type: string, fields: object) => {
      const event = { type, payload: { text: 'twice' }, custom: null };
      return handlers.get('input')?.({ sessionId, event, draftId: 'draft', isAdmitted: true, ...fields });
    };
    expect(await receive('EVENT_TYPE_USER_MESSAGE', {})).toMatchObject({ status: 'taken' });
    expect(await receive('EVENT_TYPE_USER_MESSAGE', {})).toMatchObject({ status: 'taken' });
    await socket.next(isEndOfMessage);
    const over = { isAdmitted: false, draftId: 'another' };
    for (const type of ['EVENT_TYPE_USER_MESSAGE', 'EVENT_TYPE_USER_END_SESSION'])
      expect(await receive(type, over)).toMatchObject({ status: 'taken' });
    const log = await platform.log.readAfter(sessionId, 0, 100);
    expect(log.filter(({ type }) => type === 'EVENT_TYPE_USER_MESSAGE')).toHaveLength(1);
    expect(log.filter(({ type }) => type === 'EVENT_TYPE_SESSION_END')).toHaveLength(0);
    await socket.close();
  });
});
