import type { AgentAction, AgentTurn } from '../agent.ts';
import type { AgentClock } from '../agent-clock.ts';
import { AgentError } from '../agent-error.ts';

/** Runs a turn with a signal that is aborted with the turn's own, or with a timeout once `totalMs` have passed. */
export async function* limitTurn(
  turn: AgentTurn,
  { totalMs, clock }: { readonly totalMs: number; readonly clock: AgentClock },
  answer: (signal: AbortSignal) => AsyncIterable<AgentAction>,
): AsyncIterable<AgentAction> {
  const total = new AbortController();
  const message = `The agent's endpoint did not finish the turn within ${totalMs} ms.`;
  const cancel = clock.setTimer(
    () => total.abort(new AgentError('timeout', message, { retryable: true })),
    totalMs,
  );
  try {
    yield* answer(AbortSignal.any([turn.signal, total.signal]));
  } finally {
    cancel();
  }
}
