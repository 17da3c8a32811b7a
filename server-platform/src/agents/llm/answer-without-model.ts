import type { AgentAction, AgentTurn } from '../agent.ts';
import { KNOWLEDGE_AGENT_DEFAULTS } from '../articles/knowledge-agent-config.ts';
import { readMemory } from '../articles/memory.ts';
import { readMessage, replyToIntent } from '../articles/reply-to-intent.ts';
import type { LlmAgentConfig } from './llm-agent-config.ts';

/**
 * Answers danger to life and requests for a human agent, which must neither wait for a model nor fail with its endpoint.
 * Null for everything else.
 */
export function answerWithoutModel(
  turn: AgentTurn,
  { name, handoff, country, emergency, replies }: LlmAgentConfig,
): readonly AgentAction[] | null {
  if (turn.kind !== 'message') return null;
  const config = { ...KNOWLEDGE_AGENT_DEFAULTS, name, handoff, country, emergency, replies };
  const message = readMessage(turn.text, turn, config, null);
  const action = message.intent?.action;
  if (action !== 'emergency' && (action !== 'handoff' || handoff === null)) return null;
  const reply = replyToIntent(turn.text, message, config, readMemory({}));
  if (reply === null) return null;
  const { ending } = reply;
  return [
    { type: 'intent', name: reply.intent },
    { type: 'text', text: reply.text },
    ...(reply.callActions ?? []).map((callAction) => ({ type: 'call_action' as const, callAction })),
    ...(ending === undefined ? [] : [ending.type === 'handoff' ? { ...ending, data: {} } : ending]),
  ];
}
