import { sleep } from '../agent-clock.ts';
import { type ChatDelta, type ChatRequest, type LlmPorts, requestChat } from './chat-endpoint.ts';
import type { EndpointFailure } from './endpoint-failure.ts';
import type { LlmAgentConfig, LlmRetries } from './llm-agent-config.ts';

/**
 * Asks the model and yields its answer as it comes. A request that fails before its first token is sent again, as the
 * configuration allows; afterwards never, because the visitor has read the beginning.
 *
 * Throws an `AgentError`, or the reason of an aborted `signal`.
 */
export async function* askModel(
  config: LlmAgentConfig,
  request: ChatRequest,
  ports: LlmPorts,
  signal: AbortSignal,
): AsyncIterable<ChatDelta> {
  for (let attempt = 1; ; attempt += 1) {
    let failure: EndpointFailure | null = null;
    let hasStarted = false;
    for await (const event of requestChat(config, request, ports, signal)) {
      if (event.kind === 'failed') {
        failure = event;
      } else {
        hasStarted = true;
        yield event;
      }
    }
    if (failure === null) return;
    const delayMs = hasStarted ? null : retryDelay(failure, attempt, config.retries, ports.random);
    if (delayMs === null) throw failure.error;
    await sleep(ports.clock, delayMs, signal);
  }
}

/** How long to wait before the next try, or null for giving up. */
function retryDelay(
  failure: EndpointFailure,
  attempt: number,
  { maxAttempts, baseDelayMs, maxDelayMs }: LlmRetries,
  random: () => number,
): number | null {
  if (!failure.mayRetry || attempt >= maxAttempts) return null;
  if (failure.retryAfterMs !== null) {
    // Coming back earlier than asked makes an overload worse, and a visitor does not wait that long.
    return failure.retryAfterMs <= maxDelayMs ? failure.retryAfterMs : null;
  }
  const delayMs = Math.min(maxDelayMs, baseDelayMs * 2 ** (attempt - 1));
  return delayMs * (0.75 + random() / 2);
}
