import { formatTime } from './local-day.ts';
import type { Direction } from './sailings.ts';

/** "09:45, 11:30". */
export const listTimes = (times: readonly number[]): string => times.map(formatTime).join(', ');

/** "from Port Hallan to Tarrow". */
export const between = ({ from, to }: Direction): string => `from ${from} to ${to}`;

/** "leaves today at 09:45 and arrives at 10:20"; `when` may be empty. */
export function leaves(direction: Direction, time: number, when: string): string {
  const arrival = time + direction.crossingMinutes;
  const nextMorning = arrival >= 1_440 ? ' the next morning' : '';
  return `leaves ${when === '' ? '' : `${when} `}at ${formatTime(time)} and arrives at ${formatTime(arrival)}${nextMorning}`;
}
