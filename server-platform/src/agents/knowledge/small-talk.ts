import type { AgentTurn } from '../agent.ts';
import type { KnowledgeAgentConfig } from './knowledge-agent-config.ts';
import type { Memory } from './memory.ts';
import type { Intent } from './read-intent.ts';
import type { Reply } from './reply.ts';

/** The suggestion that {@link readIntent} reads as a wish for a person. */
const PERSON_SUGGESTION = 'Speak to a person';

type SmallTalk = Exclude<Intent['kind'], 'question' | 'language' | 'accept' | 'agreement' | 'handoff'>;

const speaksFor = (config: KnowledgeAgentConfig): string =>
  config.company === null ? '' : ` for ${config.company}`;

/** The first message: it says that the agent is automated, and offers a way to begin. */
export function greet(config: KnowledgeAgentConfig): Reply {
  const text =
    config.greeting ??
    `Hello, I'm ${config.name}, the automated assistant${speaksFor(config)}. What can I help you with?`;
  return { intent: 'greeting', text, suggestions: config.starters };
}

/** Answers what is no question to the articles. */
export function replyToSmallTalk(
  kind: SmallTalk,
  turn: AgentTurn,
  config: KnowledgeAgentConfig,
  memory: Memory,
): Reply {
  // Alternates within a conversation without chance: the same history gives the same words.
  const pick = (texts: readonly string[]): string => texts[turn.history.length % texts.length] ?? '';
  const settled: Memory = { ...memory, hasOfferedPerson: false, misses: 0 };
  const base = { intent: kind, memory: settled };
  switch (kind) {
    case 'greeting':
      return {
        ...base,
        text: pick(['Hello! What can I help you with?', 'Hi! What would you like to know?']),
        suggestions: config.starters,
      };
    case 'well_being':
      return {
        ...base,
        text: 'All is well here, thank you. What can I help you with?',
        suggestions: config.starters,
      };
    case 'thanks':
      return {
        ...base,
        text: pick([
          "You're welcome. Is there anything else?",
          'Glad to help. Anything else you would like to know?',
        ]),
      };
    case 'goodbye':
      return {
        ...base,
        text: pick(['Thank you for getting in touch. Goodbye!', 'Glad I could help. Goodbye!']),
        ending: { type: 'end' },
      };
    case 'decline':
      return { ...base, text: 'All right. Just ask if anything else comes up.' };
    case 'identity':
      return {
        ...base,
        text: `I'm ${config.name}, an automated assistant${speaksFor(config)}, not a person. I answer from our help articles${config.handoff === null ? '' : ', and I can hand you over to a person'}.`,
        suggestions: offerPerson(config, config.starters.slice(0, 2)),
      };
    case 'capabilities':
      return {
        ...base,
        text: `I answer questions from the help articles${speaksFor(config)}${config.handoff === null ? '' : ', and I can connect you with a person'}. Ask in your own words, for example:`,
        suggestions: config.starters,
      };
    case 'frustration':
      return {
        ...base,
        text:
          config.handoff === null
            ? "I'm sorry that didn't help. Could you put it in other words?"
            : "I'm sorry that didn't help. You can put it in other words, or I can connect you with a person. Shall I do that?",
        memory: { ...memory, hasOfferedPerson: config.handoff !== null },
        suggestions: offerPerson(config, []),
        ...callAction(config),
      };
  }
}

/** The suggestions with the way to a person at the end, if there is one. */
export function offerPerson(config: KnowledgeAgentConfig, suggestions: readonly string[]): readonly string[] {
  return config.handoff === null ? suggestions : [...suggestions, PERSON_SUGGESTION];
}

/** The phone number as a call action, if there is one. */
export function callAction(config: KnowledgeAgentConfig): Pick<Reply, 'callActions'> {
  if (config.phone === null) return {};
  return { callActions: [{ title: config.phone.title, contact_number: config.phone.number }] };
}

/** Hands over, or says honestly that nobody is there to hand over to. */
export function handOver(
  config: KnowledgeAgentConfig,
  memory: Memory,
  reason: 'AGENT_DECISION' | 'COMPLEX_QUERY',
): Reply {
  const settled: Memory = { ...memory, hasOfferedPerson: false, misses: 0 };
  if (config.handoff === null) {
    const text =
      config.phone === null
        ? "I can't connect you with a person from this chat, I'm sorry. Ask me in other words and I'll look again."
        : "I can't connect you with a person from this chat, I'm sorry. Our team answers the phone:";
    return { intent: 'handoff_unavailable', text, memory: settled, ...callAction(config) };
  }
  const { destination, managed, queueName } = config.handoff;
  return {
    intent: 'handoff',
    text: "Of course. I'm connecting you with a person now.",
    memory: settled,
    ending: {
      type: 'handoff',
      destination,
      managed,
      reason,
      ...(queueName === undefined ? {} : { queueName }),
      data: { last_topic: memory.topic, unanswered_questions: memory.misses },
    },
  };
}
