import type { AgentTurn } from '../agent.ts';
import { HANDOFF_SUMMARY } from '../conversation-variables.ts';
import type { ChatMessage } from './chat-protocol.ts';
import { contextMessages } from './context-tools.ts';
import type { LlmAgentConfig } from './llm-agent-config.ts';

/**
 * The conversation as the model sees it. The verified context is never in it (VCI-10). Third-party text (external
 * events, page context, attributes) comes last, as results of tools: never in a message of the system or the user.
 */
export function buildMessages(config: LlmAgentConfig, turn: AgentTurn): readonly ChatMessage[] {
  const history = turn.history.slice(-config.maxHistory).filter(({ text }) => text.trim() !== '');
  return [
    ...history.map(({ author, text }): ChatMessage => {
      if (author === 'user') return { role: 'user', content: text };
      return { role: 'assistant', content: author === 'agent' ? text : `(A colleague wrote:) ${text}` };
    }),
    ...summaryOf(turn),
    { role: 'user', content: askedIn(turn) },
    // After the question, as if the model had asked for it: some endpoints refuse a user's message after a tool's.
    ...contextMessages(turn),
  ];
}

function summaryOf({ state }: AgentTurn): readonly ChatMessage[] {
  const summary = state[HANDOFF_SUMMARY];
  return typeof summary === 'string'
    ? [{ role: 'assistant', content: `(A colleague summed up, which the visitor has not read:) ${summary}` }]
    : [];
}

function askedIn(turn: AgentTurn): string {
  if (turn.event !== undefined) {
    return turn.event.received === null
      ? `(The event "${turn.event.name}" did not come in time. Tell me what that means for me.)`
      : `(The event "${turn.event.name}" has come. Tell me what that means for me.)`;
  }
  return turn.text.trim() === '' ? '(I said nothing.)' : turn.text;
}
