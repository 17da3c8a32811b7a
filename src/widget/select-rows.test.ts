import { describe, expect, it } from 'vitest';
import { createRowSelector, type Row } from './select-rows.ts';
import { createFakeChat, MAREN } from './testing/fake-chat.ts';

const NOON = new Date(2026, 4, 12, 12, 0).getTime();
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const sketch = (rows: readonly Row[]): readonly string[] =>
  rows.map((row) => (row.kind === 'group' ? `${row.from}×${row.items.length}` : row.kind));

describe('the rows of a transcript', () => {
  it('put what one speaker says in a row into one group', () => {
    const chat = createFakeChat(NOON);
    chat.says('a');
    chat.says('b');
    chat.asks('c');
    chat.says('d', { speaker: MAREN });
    chat.says('e');
    expect(sketch(createRowSelector(chat.messages, () => NOON).value)).toEqual([
      'agent×2',
      'user×1',
      'agent×1',
      'agent×1',
    ]);
  });

  it('begin a new group after a long pause', () => {
    const chat = createFakeChat(NOON);
    chat.says('a', { atMs: NOON });
    chat.says('b', { atMs: NOON + 6 * MINUTE });
    expect(sketch(createRowSelector(chat.messages, () => NOON).value)).toEqual(['agent×1', 'agent×1']);
  });

  it('name the day where it changes, and today only after another day', () => {
    const chat = createFakeChat(NOON);
    chat.says('a', { atMs: NOON - DAY });
    chat.says('b', { atMs: NOON });
    expect(sketch(createRowSelector(chat.messages, () => NOON).value)).toEqual([
      'day',
      'agent×1',
      'day',
      'agent×1',
    ]);
    chat.messages.value = chat.messages.value.slice(1);
    expect(sketch(createRowSelector(chat.messages, () => NOON).value)).toEqual(['agent×1']);
  });

  it('leave out the first “joined” of the agent and show a later one', () => {
    const chat = createFakeChat(NOON);
    chat.notes({ code: 'agent_joined', name: 'Ada' });
    chat.says('a');
    chat.notes({ code: 'handoff_failed' });
    chat.notes({ code: 'agent_joined', name: 'Ada' });
    const rows = createRowSelector(chat.messages, () => NOON).value;
    expect(sketch(rows)).toEqual(['agent×1', 'system', 'system']);
  });

  it('stay the same object while a message grows', () => {
    const chat = createFakeChat(NOON);
    const answer = chat.says('Hel', { isStreaming: true });
    const rows = createRowSelector(chat.messages, () => NOON);
    const before = rows.value;
    answer.value = {
      ...answer.value,
      kind: 'agent',
      text: 'Hello',
      isStreaming: false,
    } as typeof answer.value;
    expect(rows.value).toBe(before);
  });
});
