import type { Agent, AgentAction, AgentTurn } from '../agent.ts';
import { type AgentClock, systemAgentClock } from '../agent-clock.ts';
import { fillTemplate } from '../fill-template.ts';
import { givenFactsOf } from '../given-state.ts';
import { answerQuestion } from './answer-question.ts';
import { createEventId, finishFlow, flowStartedBy, startFlow } from './event-flow.ts';
import { findEntities } from './find-entities.ts';
import type { KnowledgeAgentConfig } from './knowledge-agent-config.ts';
import type { KnowledgeIndex } from './knowledge-index.ts';
import { MEMORY_KEY, readMemory } from './memory.ts';
import { readIntent } from './read-intent.ts';
import { type Reply, toSuggestions } from './reply.ts';
import { greet, handOver, replyToSmallTalk } from './small-talk.ts';
import { streamText } from './stream-text.ts';
import { switchLanguage } from './switch-language.ts';

/**
 * An agent that answers from articles by full-text ranking: no network, no model, the same answer to the same words.
 * It says so when it does not know, hands over on request, and never fails on its own.
 *
 * @example
 * const index = createKnowledgeIndex(await loadArticles('knowledge/kittiwake'));
 * const agent = createKnowledgeAgent({ ...KNOWLEDGE_AGENT_DEFAULTS, name: 'Ada' }, index);
 */
export function createKnowledgeAgent(
  config: KnowledgeAgentConfig,
  index: KnowledgeIndex,
  clock: AgentClock = systemAgentClock,
): Agent {
  return {
    name: config.name,
    avatarUrl: config.avatarUrl,
    run: (turn) => {
      const filled = fillTexts(config, turn);
      return perform(decideReply(index, turn, filled, clock.now()), turn, filled, clock);
    },
  };
}

/** Fills the placeholders in the configured texts with the facts of this conversation. */
function fillTexts(config: KnowledgeAgentConfig, turn: AgentTurn): KnowledgeAgentConfig {
  const facts = givenFactsOf(turn);
  const fill = (text: string): string => fillTemplate(text, facts);
  return {
    ...config,
    greeting: config.greeting === null ? null : fill(config.greeting),
    eventFlows: config.eventFlows.map((flow) => ({
      ...flow,
      text: fill(flow.text),
      receivedText: fill(flow.receivedText),
      timedOutText: fill(flow.timedOutText),
    })),
  };
}

/** The whole answer to a turn, or null for saying nothing. Reads no clock and no network. */
function decideReply(
  index: KnowledgeIndex,
  turn: AgentTurn,
  config: KnowledgeAgentConfig,
  nowMs: number,
): Reply | null {
  if (turn.kind === 'greeting') return greet(config);
  const memory = readMemory(turn.state);
  // An event that none of the flows waits for is none of the visitor's business.
  if (turn.kind === 'event')
    return turn.event === undefined ? null : finishFlow(turn.event, config.eventFlows);
  if (turn.text.trim() === '') {
    return {
      intent: 'silence',
      text: 'I did not get a question. What would you like to know?',
      suggestions: config.starters,
    };
  }
  const intent = readIntent(turn.text, config.name);
  switch (intent.kind) {
    case 'question': {
      const flow = flowStartedBy(turn.text, config.eventFlows);
      return flow === null
        ? answerQuestion(index, turn, config, memory)
        : startFlow(flow, createEventId(nowMs), memory);
    }
    case 'language':
      return switchLanguage(intent.languageCode, turn, config);
    case 'handoff':
      return handOver(config, memory, 'AGENT_DECISION');
    case 'accept':
      return memory.hasOfferedPerson
        ? handOver(config, memory, 'COMPLEX_QUERY')
        : { intent: 'accept', text: 'Gladly. What would you like to know?', suggestions: config.starters };
    case 'agreement':
      return memory.hasOfferedPerson
        ? handOver(config, memory, 'COMPLEX_QUERY')
        : replyToSmallTalk('thanks', turn, config, memory);
    default:
      return replyToSmallTalk(intent.kind, turn, config, memory);
  }
}

async function* perform(
  reply: Reply | null,
  turn: AgentTurn,
  config: KnowledgeAgentConfig,
  clock: AgentClock,
): AsyncIterable<AgentAction> {
  turn.signal.throwIfAborted();
  if (reply === null) return;
  yield { type: 'intent', name: reply.intent };
  const found = findEntities(turn.text, config.places);
  if (Object.keys(found).length > 0) yield { type: 'entities', found };
  for (const [name, value] of Object.entries(reply.metrics ?? {})) yield { type: 'metric', name, value };
  // The language changes before the first text in it.
  if (reply.languageCode !== undefined) yield { type: 'language', languageCode: reply.languageCode };
  // An id is valid before anybody has read it.
  yield* reply.waits ?? [];
  for await (const text of streamText(reply.text, config.pacing, clock, turn.signal))
    yield { type: 'text', text };
  for (const attachment of reply.attachments ?? []) yield { type: 'attachment', attachment };
  for (const callAction of reply.callActions ?? []) yield { type: 'call_action', callAction };
  const suggestions = toSuggestions(reply.suggestions ?? []);
  if (suggestions.length > 0) yield { type: 'suggestions', suggestions };
  if (reply.memory !== undefined) yield { type: 'state', set: { [MEMORY_KEY]: reply.memory } };
  if (reply.ending !== undefined) yield reply.ending;
}
