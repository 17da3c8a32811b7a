import { Signal } from '@preact/signals-core';
import { afterEach, expect, it } from 'vitest';
import { createHarness, trackHarnesses, until } from '../../test/chat-harness.ts';
import type { ChatSnapshot } from './index.ts';

const { harness, greeted } = trackHarnesses(afterEach);

/** The expected snapshot, read from the signals. */
const fromSignals = ({ chat }: ReturnType<typeof createHarness>): ChatSnapshot => ({
  connection: chat.connection.value,
  session: chat.session.value,
  messages: chat.messages.value.map((entry) => entry.value),
  hasLostConnection: chat.hasLostConnection.value,
  speaker: chat.speaker.value,
  typing: chat.typing.value,
  queue: chat.queue.value,
  canCancelHandoff: chat.canCancelHandoff.value,
  canStopAnswer: chat.canStopAnswer.value,
  canGiveFeedback: chat.canGiveFeedback.value,
  canRequestContact: chat.canRequestContact.value,
  survey: chat.survey.value,
  suggestions: chat.suggestions.value,
  unread: chat.unread.value,
  language: chat.language.value,
  unsent: chat.unsent.value,
});

it('contains the whole state without signals in a snapshot', async () => {
  const one = await greeted();
  one.chat.setUnsent('Is the');
  const snapshot = one.chat.getSnapshot();
  expect(snapshot).toEqual(fromSignals(one));
  expect(snapshot).toMatchObject({ unsent: 'Is the', connection: { status: 'open' } });
  expect(snapshot.messages.map(({ kind }) => kind)).toEqual(['system', 'agent']);
  const signals = Object.entries(one.chat).filter(([, value]) => value instanceof Signal);
  expect(Object.keys(snapshot).toSorted()).toEqual(signals.map(([name]) => name).toSorted());
});

it('returns the same frozen snapshot until something changes, with and without subscribers', async () => {
  const one = await greeted();
  for (const stop of [() => {}, one.chat.subscribe(() => {})]) {
    const before = one.chat.getSnapshot();
    expect(Object.isFrozen(before) && Object.isFrozen(before.messages)).toBe(true);
    expect(one.chat.getSnapshot()).toBe(before);
    one.chat.setUnsent(before.unsent);
    expect(one.chat.getSnapshot()).toBe(before);
    one.chat.setUnsent(`${before.unsent}.`);
    const after = one.chat.getSnapshot();
    expect(after).not.toBe(before);
    expect(before.unsent).not.toBe(after.unsent);
    // Unchanged values are still the same objects.
    expect(after.messages).toBe(before.messages);
    expect(after.connection).toBe(before.connection);
    stop();
  }
});

it('returns a changed snapshot before listeners are called, and passes them the same object', async () => {
  const one = await greeted();
  const seen: ChatSnapshot[] = [];
  one.chat.subscribe((snapshot) => seen.push(snapshot));
  one.chat.send('When does it leave?');
  expect(one.chat.getSnapshot().messages).toHaveLength(3);
  expect(seen.at(-1)).toBe(one.chat.getSnapshot());
  await until(() => one.lines().at(-1) === 'user: When does it leave?');
  one.platform.session.say('At 21:40.');
  await until(() => one.lines().at(-1) === 'agent: At 21:40.');
  expect(seen.at(-1)).toBe(one.chat.getSnapshot());
});

it('returns the initial snapshot for hydration, whatever has happened since', async () => {
  const one = harness();
  const before = one.chat.getSnapshot();
  await one.chat.start();
  await until(() => one.lines().length === 2);
  expect(one.chat.getInitialSnapshot()).toBe(before);
  expect(before).toMatchObject({ connection: { status: 'idle' }, messages: [], unread: 0 });
  // Equals that of a client on a server, which never starts.
  expect(createHarness().chat.getInitialSnapshot()).toEqual(before);
});

it('calls a snapshot listener only for changes of the state, not of signals that it reads', async () => {
  const one = await greeted();
  const other = harness();
  let calls = 0;
  one.chat.subscribe(() => {
    calls += 1;
    void other.chat.unsent.value;
  });
  one.chat.setUnsent('a');
  expect(calls).toBe(1);
  other.chat.setUnsent('b');
  expect(calls).toBe(1);
});
