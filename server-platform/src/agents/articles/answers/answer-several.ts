import type { AgentTurn } from '../../agent.ts';
import type { Say } from '../intents/replies.ts';
import type { KnowledgeAgentConfig } from '../knowledge-agent-config.ts';
import type { Memory } from '../memory.ts';
import type { SplitMessage } from '../question/split-questions.ts';
import type { Reply } from '../reply.ts';
import { type ReadMessage, replyToIntent } from '../reply-to-intent.ts';

const MAX_ANSWERED = 3;

// Shorter than a single answer, because several share the panel.
const SHARE_OF_LENGTH = 0.8;

interface Answered {
  readonly question: string;
  readonly reply: Reply;
}

/** Functions that read and answer the parts of a message. */
export interface SeveralPort {
  readonly answerOne: (turn: AgentTurn, memory: Memory, config: KnowledgeAgentConfig) => Promise<Reply>;
  readonly readPart: (turn: AgentTurn) => ReadMessage;
  /** True when the questions were translated word by word, and so cannot be headings. */
  readonly isTranslated: boolean;
}

/**
 * Answers up to three questions of one message under separate headings. The topic of one question carries over to
 * the next ("can I bring my dog and how much is it"); a question without an answer is named. Where none has one, the message
 * is read as a single question: "can I book online or do I have to call".
 */
export async function answerSeveral(
  { questions, context }: SplitMessage,
  turn: AgentTurn,
  config: KnowledgeAgentConfig,
  memory: Memory,
  { answerOne, readPart, isTranslated }: SeveralPort,
): Promise<Reply> {
  const shorter = {
    ...config,
    maxAnswerCharacters: Math.round(config.maxAnswerCharacters * SHARE_OF_LENGTH),
  };
  const answered: Answered[] = [];
  let carried: Memory = { ...memory, words: `${context} ${memory.words}`.trim() };
  for (const question of questions.slice(0, MAX_ANSWERED)) {
    // Do not repeat the answers to earlier parts.
    const said = answered.map(({ reply }) => reply.text).join('\n\n');
    const history = said === '' ? turn.history : [...turn.history, { author: 'agent' as const, text: said }];
    const own = { ...turn, history, text: question };
    const message = readPart(own);
    // A courtesy is not a question, but asking who answers is.
    const isCourtesy = message.intent?.action === 'small_talk' && message.intent.intent !== 'identity';
    const intentReply = isCourtesy ? null : replyToIntent(question, message, config, carried);
    const reply = intentReply ?? (await answerOne(own, carried, shorter));
    answered.push({ question, reply });
    carried = reply.memory ?? carried;
  }
  if (answered.every(({ reply }) => isUnanswered(reply))) return await answerOne(turn, memory, config);
  const { say } = readPart(turn);
  const headingOf = ({ question, reply }: Answered): string =>
    isTranslated ? (reply.attachments?.[0]?.title ?? '') : toHeading(question);
  const left = isTranslated ? [] : questions.slice(MAX_ANSWERED);
  return compose(withoutRepeats(answered), left, carried, say, headingOf);
}

/** Merges questions with the same answer. */
function withoutRepeats(answered: readonly Answered[]): readonly Answered[] {
  return answered.filter(
    ({ reply }, position) => !answered.slice(0, position).some((before) => before.reply.text === reply.text),
  );
}

/** Whether a reply says that there is no answer. */
export const isUnanswered = ({ intent }: Reply): boolean =>
  intent === 'out_of_domain' || intent === 'foreign_language';

function compose(
  answered: readonly Answered[],
  left: readonly string[],
  memory: Memory,
  say: Say,
  headingOf: (each: Answered) => string,
): Reply {
  const [first] = answered;
  if (first === undefined) throw new RangeError('There is no question to answer.');
  if (answered.length === 1 && left.length === 0) return first.reply;
  const sections = answered.map((each) => {
    const text = isUnanswered(each.reply) ? say('no_answer') : each.reply.text;
    const heading = headingOf(each);
    return heading === '' ? text : `**${heading}**\n\n${text}`;
  });
  const more = left.map((question) => `- ${toHeading(question)}`);
  const note = more.length === 0 ? [] : [`${say('ask_again')}\n\n${more.join('\n')}`];
  const unanswered = answered.filter(({ reply }) => isUnanswered(reply));
  const replies = answered.map(({ reply }) => reply).filter((reply) => !isUnanswered(reply));
  const last = unanswered.at(-1)?.reply;
  return {
    intent: replies[0]?.intent ?? first.reply.intent,
    text: [...sections, ...note].join('\n\n'),
    attachments: uniqueBy(
      replies.flatMap(({ attachments }) => attachments ?? []),
      ({ content_url }) => content_url,
    ),
    callActions: uniqueBy(
      answered.flatMap(({ reply }) => reply.callActions ?? []),
      ({ contact_number }) => contact_number,
    ),
    suggestions: (last ?? answered.at(-1)?.reply)?.suggestions ?? [],
    failedTools: answered.flatMap(({ reply }) => reply.failedTools ?? []),
    metrics: { ...first.reply.metrics, questions: answered.length + left.length },
    memory: { ...memory, hasOfferedPerson: last !== undefined && (last.memory?.hasOfferedPerson ?? false) },
  };
}

const MAX_HEADING_CHARACTERS = 70;

/** The question as it was asked, as a heading. */
function toHeading(question: string): string {
  const plain = question
    .replace(/[*_`[\]#\\<>]/g, '')
    .replace(/^(?:and|also|plus|then|but|so|or)\s+/i, '')
    .replace(/\s+/g, ' ')
    .trim();
  const short =
    plain.length <= MAX_HEADING_CHARACTERS
      ? plain
      : `${plain.slice(0, plain.lastIndexOf(' ', MAX_HEADING_CHARACTERS))}…`;
  return short.charAt(0).toUpperCase() + short.slice(1);
}

function uniqueBy<T>(all: readonly T[], keyOf: (each: T) => string | null): readonly T[] {
  return [...new Map(all.map((each) => [keyOf(each), each])).values()];
}
