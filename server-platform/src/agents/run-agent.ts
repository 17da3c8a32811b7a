import { TraceContext } from '@natter/server-kit/trace-context';
import type { Agent, AgentAction, AgentTurn } from './agent.ts';
import type { AgentClock } from './agent-clock.ts';
import { AgentError } from './agent-error.ts';

/** Time limits of an agent. */
export interface AgentTimeouts {
  readonly agentFirstActionMs: number;
  readonly agentSilenceMs: number;
  readonly agentTurnMs: number;
}

/**
 * Runs one turn and yields the agent's actions. Ends by throwing an `AgentError` with the code `timeout` when the agent
 * does not start, stops sending or takes too long; by throwing the signal's reason when the turn is cancelled. An agent
 * that ignores its signal is abandoned.
 */
export async function* runAgent(
  agent: Agent,
  turn: Omit<AgentTurn, 'signal'>,
  options: { readonly clock: AgentClock; readonly timeouts: AgentTimeouts; readonly signal: AbortSignal },
): AsyncGenerator<AgentAction, void, undefined> {
  const { clock, timeouts, signal } = options;
  signal.throwIfAborted();
  const stop = new AbortController();
  const endsAtMs = clock.now() + timeouts.agentTurnMs;
  const span = TraceContext.current().begin('agent', { 'gen_ai.agent.name': agent.name });
  const actions = span.within(() => agent.run({ ...turn, signal: stop.signal })[Symbol.asyncIterator]());
  let waitMs = timeouts.agentFirstActionMs;
  let isFinished = false;
  const onAbort = (): void => stop.abort(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    for (;;) {
      // Aborted while the caller ran the previous action.
      signal.throwIfAborted();
      const limitMs = Math.min(waitMs, endsAtMs - clock.now());
      const next = await within(
        span.within(() => actions.next()),
        { clock, limitMs, signal },
      );
      if (next.done === true) {
        isFinished = true;
        return;
      }
      waitMs = timeouts.agentSilenceMs;
      yield next.value;
    }
  } catch (error) {
    span.failWith(error);
    throw error;
  } finally {
    span.end();
    signal.removeEventListener('abort', onAbort);
    if (!isFinished) {
      stop.abort(new AgentError('timeout', 'The turn is over.', { retryable: true }));
      // An agent that hangs in its cleanup must not hang the session; an error that it throws now is ignored.
      actions.return?.().then(undefined, () => {});
    }
  }
}

function within<T>(
  promise: Promise<T>,
  {
    clock,
    limitMs,
    signal,
  }: { readonly clock: AgentClock; readonly limitMs: number; readonly signal: AbortSignal },
): Promise<T> {
  return new Promise((resolve, reject) => {
    const settle = (finish: () => void): void => {
      cancel();
      signal.removeEventListener('abort', onAbort);
      finish();
    };
    const onAbort = (): void => settle(() => reject(signal.reason));
    const onTimeout = (): void =>
      settle(() =>
        reject(
          new AgentError(
            'timeout',
            `The agent sent nothing for ${limitMs} ms. Check its endpoint, or raise the limit.`,
            {
              retryable: true,
            },
          ),
        ),
      );
    const cancel = clock.setTimer(onTimeout, limitMs);
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(
      (value) => settle(() => resolve(value)),
      (error: unknown) => settle(() => reject(error)),
    );
  });
}
