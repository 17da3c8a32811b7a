import type { OneOrMore } from '@natter/sdk';
import type { TurnRow } from './read-conversations.ts';
import { writeTime } from './write-turn.ts';

/**
 * The metrics of a conversation: a text for a metric that was written once, a list for one written more often. Those that
 * the agent wrote, and two of ours, `CALL_DURATION` in seconds and `CALL_TURN`, the times of the turns. `shown` narrows
 * them down; null: all. Source: CV-12.
 */
export function writeMetrics(
  turns: readonly TurnRow[],
  durationSeconds: number,
  shown: readonly string[] | null,
): Readonly<Record<string, OneOrMore>> {
  const written = new Map<string, string[]>([['CALL_DURATION', [String(durationSeconds)]]]);
  const add = (name: string, value: string): void => {
    const values = written.get(name);
    if (values === undefined) written.set(name, [value]);
    else values.push(value);
  };
  for (const turn of turns) {
    add('CALL_TURN', writeTime(turn.user_input_at ?? turn.agent_response_at ?? turn.recorded_at));
    for (const [name, value] of Object.entries(turn.metrics)) add(name, String(value));
  }
  return Object.fromEntries(
    [...written]
      .filter(([name]) => shown === null || shown.includes(name))
      .map(([name, values]) => [name, values.length === 1 ? (values[0] ?? '') : values]),
  );
}
