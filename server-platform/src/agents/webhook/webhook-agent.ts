import { randomUUID } from 'node:crypto';
import type { WebhookHeaderStyle } from '@natter/sdk';
import type { Agent, AgentAction, AgentTurn } from '../agent.ts';
import { limitTurn } from '../endpoint/limit-turn.ts';
import { type EndpointPorts, requestWithRetries } from '../endpoint/request-with-retries.ts';
import { type ReceivedAction, requestActions } from './request-actions.ts';
import type { WebhookAgentConfig } from './webhook-agent-config.ts';
import { writeTurn } from './write-turn.ts';

/** Dependencies of an agent behind a webhook. */
export interface WebhookAgentPorts extends EndpointPorts {
  /** Names of the signature's headers. */
  readonly headerStyle: WebhookHeaderStyle;
}

/**
 * An agent that posts each turn to a server of its owner, signed like a webhook delivery, and passes on the actions of
 * the answer as they come. Fails with an `AgentError`; see its codes.
 */
export function createWebhookAgent(config: WebhookAgentConfig, ports: WebhookAgentPorts): Agent {
  const { clock } = ports;
  const { totalMs } = config.timeouts;
  return {
    name: config.name,
    avatarUrl: config.avatarUrl,
    run: (turn) => limitTurn(turn, { totalMs, clock }, (signal) => answer(config, turn, ports, signal)),
  };
}

async function* answer(
  config: WebhookAgentConfig,
  turn: AgentTurn,
  ports: WebhookAgentPorts,
  signal: AbortSignal,
): AsyncIterable<AgentAction> {
  const eventId = randomUUID();
  const request = { eventId, body: writeTurn(turn, eventId), headerStyle: ports.headerStyle };
  // Each attempt has its own time and therefore its own signature.
  const post = (): ReturnType<typeof requestActions> => requestActions(config, request, ports, signal);
  for await (const { action } of requestWithRetries<ReceivedAction>(post, config.retries, ports, signal)) {
    yield action;
    if (action.type === 'handoff' || action.type === 'end') return;
  }
}
