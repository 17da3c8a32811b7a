import { afterEach, expect, it } from 'vitest';
import { type ChatHarness, sentTypes, settle, trackHarnesses, until } from '../../test/chat-harness.ts';

const { greeted } = trackHarnesses(afterEach);

const OFFERED = { capabilities: { extensions: ['other', 'cancel_handoff'] } };

const joinOf = ({ platform }: ChatHarness): unknown =>
  platform.session.received.find(({ type }) => type === 'EVENT_TYPE_REQUEST_AGENT_JOIN')?.custom;
const cancels = (one: ChatHarness): number =>
  sentTypes(one).filter((type) => type === 'X_CANCEL_HANDOFF').length;
const lastNotice = ({ chat }: ChatHarness): unknown => {
  const item = chat.messages.value.at(-1)?.value;
  return item?.kind === 'system' ? item.notice : null;
};

it('names the extensions that both ends have, and withdraws a request for a person once (EXT-1, EXT-5)', async () => {
  const one = await greeted(OFFERED);
  expect(joinOf(one)).toEqual({ natter_extensions: 'cancel_handoff' });
  expect(one.chat.canCancelHandoff.value).toBe(false);
  one.chat.cancelHandoff();
  one.platform.session.emit('EVENT_TYPE_AGENT_TRIGGERED_HANDOFF', {});
  await until(() => one.chat.canCancelHandoff.value);
  one.chat.cancelHandoff();
  await until(() => cancels(one) === 1);
  one.platform.session.emit('EVENT_TYPE_HANDOFF_FAILED', { reason: 'cancelled_by_user' });
  await until(() => !one.chat.canCancelHandoff.value);
  expect(lastNotice(one)).toEqual({ code: 'handoff_cancelled' });
  one.chat.cancelHandoff();
  await settle();
  expect(cancels(one)).toBe(1);
});

it.each(['EVENT_TYPE_LIVE_AGENT_JOINED', 'EVENT_TYPE_HANDOFF_TIMEOUT'] as const)(
  'offers no cancellation of a hand-off after %s',
  async (type) => {
    const one = await greeted(OFFERED);
    one.platform.session.emit('EVENT_TYPE_AGENT_TRIGGERED_HANDOFF', {});
    await until(() => one.chat.canCancelHandoff.value);
    one.platform.session.emit(type, {});
    await until(() => !one.chat.canCancelHandoff.value);
  },
);

/** Ids of the messages for which the platform received a read receipt. */
const readBy = ({ platform }: ChatHarness): readonly unknown[] =>
  platform.session.received.flatMap(({ type, payload }) =>
    type === 'EVENT_TYPE_USER_READ_MESSAGE' ? [Object(payload)['message_id']] : [],
  );

it.each([
  [['receipts'], ['msg_2']],
  [['cancel_handoff'], []],
])(
  'if the platform offers %j, reports that a person’s message was read: %j (EXT-8)',
  async (extensions, told) => {
    const one = await greeted({ capabilities: { extensions } });
    one.platform.session.emit('EVENT_TYPE_AGENT_MESSAGE', { message_id: 'msg_1', text: 'One moment.' });
    await until(() => one.chat.unread.value > 0);
    one.chat.markRead();
    one.platform.session.emit('EVENT_TYPE_LIVE_AGENT_JOINED', { agent: { id: '7', name: 'Grace' } });
    one.platform.session.emit('EVENT_TYPE_LIVE_AGENT_MESSAGE', {
      message_id: 'msg_2',
      text: 'Hello!',
      agent_id: '7',
    });
    await until(() => one.chat.unread.value > 0);
    one.chat.markRead();
    await until(() => one.chat.unread.value === 0);
    await settle();
    expect(readBy(one)).toEqual(told);
  },
);

it('shows when people are available, if the platform reports it', async () => {
  const one = await greeted();
  one.platform.session.emit('EVENT_TYPE_AGENT_TRIGGERED_HANDOFF', { desk_hours: 'every day 07:00–20:00' });
  await until(() => lastNotice(one) !== null);
  expect(lastNotice(one)).toStrictEqual({ code: 'handoff_started', hours: 'every day 07:00–20:00' });
});

it('shows the desk’s reason for refusing a handoff', async () => {
  const one = await greeted(OFFERED);
  for (const [payload, notice] of [
    [{ reason: 'closed' }, { code: 'handoff_failed', reason: 'closed' }],
    [{}, { code: 'handoff_failed' }],
  ] as const) {
    one.platform.session.emit('EVENT_TYPE_AGENT_TRIGGERED_HANDOFF', {});
    one.platform.session.emit('EVENT_TYPE_HANDOFF_FAILED', payload);
    await until(() => JSON.stringify(lastNotice(one)) === JSON.stringify(notice));
  }
});

it('names no extensions to a platform without them, and offers no cancellation in its queue (EXT-1, EXT-6)', async () => {
  const one = await greeted();
  expect(joinOf(one)).toBe(null);
  one.platform.session.emit('EVENT_TYPE_AGENT_TRIGGERED_HANDOFF', {});
  await until(() => lastNotice(one) !== null);
  one.chat.cancelHandoff();
  await settle();
  expect(one.chat.canCancelHandoff.value).toBe(false);
  expect(cancels(one)).toBe(0);
});

it('offers no cancellation in a session whose join named no extensions', async () => {
  const one = await greeted(OFFERED);
  one.platform.session.emit('EVENT_TYPE_REQUEST_AGENT_JOIN', {});
  one.platform.session.emit('EVENT_TYPE_AGENT_TRIGGERED_HANDOFF', {});
  await until(() => lastNotice(one) !== null);
  expect(one.chat.canCancelHandoff.value).toBe(false);
});

it('reports a message that was read without a connection once there is one again (EXT-8)', async () => {
  const one = await greeted({ capabilities: { extensions: ['receipts'] } });
  one.platform.session.emit('EVENT_TYPE_LIVE_AGENT_JOINED', { agent: { id: '7', name: 'Grace' } });
  const hello = { message_id: 'msg_1', text: 'Hello!', agent_id: '7' };
  one.platform.session.emit('EVENT_TYPE_LIVE_AGENT_MESSAGE', hello);
  await until(() => one.chat.unread.value > 0);
  one.platform.session.drop();
  await until(() => one.chat.connection.value.status === 'reconnecting');
  one.chat.markRead();
  await until(() => one.chat.unread.value === 0);
  one.clock.advance(1_000);
  await until(() => one.chat.connection.value.status === 'open');
  await until(() => readBy(one).length > 0);
  await settle();
  expect(readBy(one)).toEqual(['msg_1']);
});
