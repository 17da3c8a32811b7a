import { type ReadonlySignal, signal } from '@preact/signals-core';
import { describe, expect, it, vi } from 'vitest';
import { createFakeChat, type FakeChat, MAREN } from '../../../../test/widget/fake-chat.ts';
import type { TranscriptItem } from '../../../client/index.ts';
import { createRowSelector, type Row } from './select-rows.ts';
import type { Window } from './select-window.ts';

const NOON = new Date(2026, 4, 12, 12, 0).getTime();
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const rowsOf = (chat: FakeChat, from = 0, to = Number.POSITIVE_INFINITY): ReadonlySignal<readonly Row[]> =>
  createRowSelector(chat.messages, () => NOON, signal([from, to]));
const sketch = (rows: readonly Row[]): readonly string[] =>
  rows.map((row) => (row.kind === 'group' ? `${row.from}×${row.items.length}` : row.kind));

describe('the rows of a transcript', () => {
  it('groups consecutive messages of one speaker', () => {
    const chat = createFakeChat(NOON);
    chat.says('a');
    chat.says('b');
    chat.asks('c');
    chat.says('d', { speaker: MAREN });
    chat.says('e');
    expect(sketch(rowsOf(chat).value)).toEqual(['agent×2', 'user×1', 'agent×1', 'agent×1']);
  });

  it('begins a new group after a long pause', () => {
    const chat = createFakeChat(NOON);
    chat.says('a', { atMs: NOON });
    chat.says('b', { atMs: NOON + 6 * MINUTE });
    expect(sketch(rowsOf(chat).value)).toEqual(['agent×1', 'agent×1']);
  });

  it('shows a day when it changes, and today only after another day', () => {
    const chat = createFakeChat(NOON);
    chat.says('a', { atMs: NOON - DAY });
    chat.says('b', { atMs: NOON });
    expect(sketch(rowsOf(chat).value)).toEqual(['day', 'agent×1', 'day', 'agent×1']);
    chat.messages.value = chat.messages.value.slice(1);
    expect(sketch(rowsOf(chat).value)).toEqual(['agent×1']);
  });

  it('omits the first “joined” of the agent and shows a later one', () => {
    const chat = createFakeChat(NOON);
    chat.notes({ code: 'agent_joined', name: 'Ada' });
    chat.says('a');
    chat.notes({ code: 'agent_left', name: 'Ada' });
    chat.notes({ code: 'agent_joined', name: 'Ada' });
    const rows = rowsOf(chat).value;
    expect(sketch(rows)).toEqual(['agent×1', 'system', 'system']);
  });

  it('names a speaker after another speaker, not after each question', () => {
    const chat = createFakeChat(NOON);
    chat.says('a');
    chat.asks('b');
    chat.says('c');
    chat.says('d', { speaker: MAREN });
    chat.asks('e');
    chat.says('f', { speaker: MAREN });
    const named = rowsOf(chat).value.map((row) => row.kind === 'group' && row.isNewSpeaker);
    expect(named).toEqual([true, false, false, true, false, false]);
  });

  it('has one card per hand-off, which moves down with its latest notice and keeps its key', () => {
    const chat = createFakeChat(NOON);
    const rows = rowsOf(chat);
    const cards = () => rows.value.filter(({ kind }) => kind === 'handoff');
    chat.notes({ code: 'handoff_started' });
    const [first] = cards();
    // The card says that a human agent takes over.
    chat.notes({ code: 'agent_left', name: 'Ada' });
    chat.notes({ code: 'handoff_accepted', queueName: 'Desk' });
    chat.asks('Anybody?');
    chat.notes({ code: 'live_agent_joined', name: 'Maren' });
    expect(sketch(rows.value)).toEqual(['user×1', 'handoff']);
    expect(cards().map(({ key }) => key)).toEqual([first?.key]);
    chat.notes({ code: 'handoff_started' });
    expect(cards()).toHaveLength(2);
    chat.notes({ code: 'handoff_cancelled' });
    chat.notes({ code: 'agent_joined', name: 'Ada' });
    expect(sketch(rows.value)).toEqual(['user×1', 'handoff', 'handoff']);
    chat.says('Here I am again.');
    chat.notes({ code: 'agent_left', name: 'Ada' });
    expect(sketch(rows.value)).toEqual(['user×1', 'handoff', 'handoff', 'agent×1', 'system']);
  });

  it.each(['handoff_failed', 'handoff_timed_out'] as const)(
    'omits the agent who answers again after %s, but not the one after a person has left',
    (code) => {
      const chat = createFakeChat(NOON);
      const rows = rowsOf(chat);
      chat.notes({ code: 'agent_joined', name: 'Ada' });
      chat.notes({ code: 'handoff_started' });
      chat.notes({ code: 'agent_left', name: 'Ada' });
      chat.notes({ code });
      chat.notes({ code: 'agent_joined', name: 'Ada' });
      expect(sketch(rows.value)).toEqual(['handoff']);
      chat.notes({ code: 'handoff_started' });
      chat.notes({ code: 'live_agent_joined', name: 'Maren' });
      chat.notes({ code: 'live_agent_left', name: 'Maren' });
      chat.notes({ code: 'agent_joined', name: 'Ada' });
      expect(sketch(rows.value)).toEqual(['handoff', 'handoff', 'system', 'system']);
    },
  );

  it('reads no other message again while one grows', () => {
    const chat = createFakeChat(NOON);
    const question = chat.asks('a');
    const answer = chat.says('Hel', { isStreaming: true });
    const rows = rowsOf(chat);
    const stop = rows.subscribe(() => {});
    const read = vi.spyOn(question, 'value', 'get');
    answer.value = { ...answer.value, kind: 'agent', text: 'Hello' } as TranscriptItem;
    expect(sketch(rows.value)).toEqual(['user×1', 'agent×1']);
    expect(read).not.toHaveBeenCalled();
    stop();
  });

  it('keeps the rows when the window is set to the same range', () => {
    const chat = createFakeChat(NOON);
    chat.says('a');
    const window = signal<Window>([0, 150]);
    const rows = createRowSelector(chat.messages, () => NOON, window);
    const before = rows.value;
    window.value = [0, 150];
    expect(rows.value).toBe(before);
  });

  it('keeps the rows while a message grows', () => {
    const chat = createFakeChat(NOON);
    const answer = chat.says('Hel', { isStreaming: true });
    const rows = rowsOf(chat);
    const before = rows.value;
    answer.value = {
      ...answer.value,
      kind: 'agent',
      text: 'Hello',
      isStreaming: false,
    } as typeof answer.value;
    expect(rows.value).toBe(before);
  });

  it('selects rows of the requested window that equal the rows of the whole transcript', () => {
    const chat = createFakeChat(NOON);
    chat.notes({ code: 'agent_joined', name: 'Ada' });
    for (let number = 1; number < 60; number += 1) chat.says(`${number}`);
    const keys = (rows: readonly Row[]): readonly string[] => rows.map(({ key }) => key);
    const whole = rowsOf(chat).value;
    expect(sketch(whole)).toEqual(['agent×24', 'agent×25', 'agent×10']);
    expect(keys(rowsOf(chat, 25).value)).toEqual(keys(whole).slice(1));
    expect(keys(rowsOf(chat, 25, 50).value)).toEqual(keys(whole).slice(1, 2));
  });

  it('shows no day at the start of a window that began before it', () => {
    const chat = createFakeChat(NOON - DAY);
    for (let number = 0; number < 50; number += 1) chat.says(`${number}`);
    expect(sketch(rowsOf(chat).value)).toEqual(['day', 'agent×25', 'agent×25']);
    expect(sketch(rowsOf(chat, 25).value)).toEqual(['agent×25']);
  });
});
