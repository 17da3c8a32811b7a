/** A platform in a separate process, to be killed: its agent stops in the middle and never continues. */
import type { AgentAction, AgentTurn } from '../../src/agents/index.ts';
import { startPlatform } from '../../src/app/start-platform.ts';
import { CRASH_EVENT_ID, type CrashPlace, createCrashOptions } from './crash-options.ts';

async function* stopInTheMiddle(turn: AgentTurn): AsyncGenerator<AgentAction> {
  if (turn.kind === 'greeting') {
    yield { type: 'text', text: 'Hello!' };
    return;
  }
  if (turn.text === 'wait') {
    yield { type: 'wait_for_event', name: 'payment', timeoutMs: 600_000, eventId: CRASH_EVENT_ID };
    yield { type: 'text', text: `Pay at ${CRASH_EVENT_ID}.` };
    return;
  }
  if (turn.text === 'break off') yield { type: 'text', text: 'Let me tell you ' };
  await new Promise(() => {});
}

const place: CrashPlace = JSON.parse(process.argv[2] ?? '{}');
const platform = await startPlatform(createCrashOptions(place, stopInTheMiddle));
process.send?.({ port: platform.port });
