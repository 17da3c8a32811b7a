import type { KnowledgeAgentConfig } from '../knowledge-agent-config.ts';
import type { Reply } from '../reply.ts';
import { formatTime, localTimeAt, nameDay } from '../time/local-day.ts';

const CLOCK =
  /^\W*(?:(?:do you know |can you tell me )?(?:what time is it|what(?:'?s| is) the time|what(?:'?s| is) (?:the date|today'?s date)|what day is (?:it|today)))(?: today| now| please| there)*\W*$/i;

/** Says what time it is where the company is; null when the message asks for something else. */
export function answerClock(
  text: string,
  { timeZone }: Pick<KnowledgeAgentConfig, 'timeZone'>,
  nowMs: number,
): Reply | null {
  if (!CLOCK.test(text.slice(0, 60))) return null;
  const now = localTimeAt(nowMs, timeZone);
  return { intent: 'clock', text: `It is ${formatTime(now.minutes)} on ${nameDay(now.day)} here.` };
}
