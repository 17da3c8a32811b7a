import { describe, expect, it } from 'vitest';
import { LogLines } from './log-lines.ts';

const frame = (type: string, payload: object, sequence: number | null = null) =>
  ({
    direction: 'in',
    atMs: 1_000,
    text: JSON.stringify({ type: `EVENT_TYPE_${type}`, sequence, payload }),
  }) as const;
const chunk = (id: string, text: string) => frame('AGENT_MESSAGE_CHUNK', { message_id: id, text }, 4);

describe('the log of the test bench', () => {
  it('the log folds the chunks of one message into one line, also with other lines between them', () => {
    const log = new LogLines();
    log.takeFrame(chunk('one', 'a'));
    const [first] = log.lines;
    log.takeFrame(frame('AGENT_THINKING', {}));
    log.takeFrame(chunk('one', 'b'));
    log.takeFrame(chunk('two', 'c'));
    expect(log.lines.map(({ type, bodies }) => [type, bodies.length])).toEqual([
      ['AGENT_MESSAGE_CHUNK', 2],
      ['AGENT_THINKING', 1],
      ['AGENT_MESSAGE_CHUNK', 1],
    ]);
    expect(log.total).toBe(4);
    // A line that has changed is another object, and so drawn again.
    expect(log.lines[0]).not.toBe(first);
  });

  it('the log shows notes and values that are not objects unchanged, and keeps the newest lines', () => {
    const log = new LogLines();
    for (const text of ['connection open', 'null', '[1'])
      log.takeFrame({ direction: 'local', atMs: 0, text });
    expect(log.lines.map(({ bodies }) => bodies[0])).toEqual(['connection open', 'null', '[1']);
    for (let count = 0; count < 2_500; count += 1) log.takeEvent('unread', count, '{}');
    expect(log.lines).toHaveLength(2_000);
    expect(log.lines.at(-1)?.atMs).toBe(2_499);
    log.clear();
    expect([log.lines, log.total]).toEqual([[], 0]);
  });
});
