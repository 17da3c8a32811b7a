import { findHoursChange, isOpenAt, type OpeningHours } from 'natter/protocol';
import { callContact, describeContact, findNamedContact } from '../contact.ts';
import { isTableByDay } from '../excerpts/narrow-to-day.ts';
import { stemsOf } from '../excerpts/select-passage.ts';
import { findAnswer } from '../find-answer.ts';
import type { Say } from '../intents/replies.ts';
import type { KnowledgeAgentConfig } from '../knowledge-agent-config.ts';
import { type Memory, readMemory } from '../memory.ts';
import type { Article } from '../passages/article.ts';
import type { KnowledgeIndex } from '../passages/knowledge-index.ts';
import type { Reply } from '../reply.ts';
import { spellOut } from '../text/spell-out.ts';
import { stem } from '../text/stem.ts';
import { FILLER_WORDS } from '../text/stop-words.ts';
import { foldText, tokenize } from '../text/tokenize.ts';
import { toEnglish } from '../text/translate.ts';
import { readHoursTable } from '../time/hours-table.ts';
import {
  dayName,
  formatTime,
  fromLocalMs,
  type LocalTime,
  localTimeAt,
  toLocalMs,
} from '../time/local-day.ts';
import { readHours } from '../time/read-hours.ts';

const OPEN =
  /\b(?:open|opened|closed|shut|staffed|manned|available|reachable|answering|call|ring|phone|reach|speak)\b/;
const NOW =
  /\b(?:now|at the moment|at present|currently|today|tonight|still|already|yet|at this (?:hour|time)|this (?:late|early))\b/;

// Words about the desk itself. The hours of anything else are in the articles.
const OF_THE_DESK: ReadonlySet<string> = new Set(
  'open opened close closed shut phone telephone line lines office desk team staffed manned available reachable answering ring call reach speak moment present currently hour late early customer service support company business reception'
    .split(' ')
    .map(stem),
);

/** Whether a message names something other than a desk of the company. */
function namesOther(words: string, title = ''): boolean {
  const own = stemsOf(title);
  return tokenize(words).some(
    ({ surface, stem: each, isStopWord }) =>
      !isStopWord && !FILLER_WORDS.has(surface) && !OF_THE_DESK.has(each) && !own.has(each),
  );
}

/** Whether an article has a table of the place's own hours by day. */
const isInArticle = (text: string, index: KnowledgeIndex): boolean =>
  /\b(?:open|closed?|shut)\b/i.test(text) &&
  findAnswer(index, text, readMemory({})).article?.sections.some(({ blocks }) =>
    blocks.some((block) => isTableByDay(block, index.language)),
  ) === true;

const WHEN = /\b(?:when|what time|how (?:long|late)|which)\b/;

/** Whether a message in plain English words asks whether something is open at this moment. */
const asksOpenNow = (words: string): boolean => OPEN.test(words) && NOW.test(words) && !WHEN.test(words);

const ASKS_CLOSED = /\b(?:closed|shut)\b/;

/** Answers whether a desk is open now, by its hours and the clock; null when the message asks for something else. */
export function answerOpening(
  text: string,
  config: KnowledgeAgentConfig,
  memory: Memory,
  say: Say,
  index: KnowledgeIndex,
  nowMs: number,
): Reply | null {
  const words = plainWordsOf(text);
  if (!asksOpenNow(words)) return null;
  const named = findNamedContact(text, config.contacts);
  if (named === null && (namesOther(words) || isInArticle(text, index))) return null;
  const contact = named ?? config.contacts[0] ?? null;
  const hours = readHours(contact?.hours ?? '');
  if (contact === null || hours === null) return null;
  const { isOpen, stated } = sayOpen(hours, localTimeAt(nowMs, config.timeZone), say);
  const sentence = `${yesOrNo(words, isOpen, say)}**${contact.title}** is ${stated}`;
  return {
    intent: 'opening',
    text: `${sentence}\n\n- ${describeContact(contact, say)}`,
    callActions: callContact(contact),
    memory: { ...memory, words: text.slice(0, MAX_CHARACTERS), hasOfferedPerson: false, misses: 0 },
  };
}

const MAX_CHARACTERS = 120;

const plainWordsOf = (text: string): string =>
  spellOut(foldText(text.slice(0, MAX_CHARACTERS)))
    .replaceAll("'", '')
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();

/** "No" to "Is it closed now?" could be read either way. */
const yesOrNo = (words: string, isOpen: boolean, say: Say): string =>
  ASKS_CLOSED.test(words) ? '' : `${say(isOpen ? 'yes' : 'no')} `;

/**
 * Says whether it is open now, by an article's table of hours by day, for each column that the message may mean.
 * Null when the message asks for something else, or the article lists no hours that are understood.
 */
export function sayOpenByArticle(
  text: string,
  { title, sections, language }: Article,
  now: LocalTime,
  say: Say,
): string | null {
  const words = plainWordsOf(toEnglish(text, language));
  if (!asksOpenNow(words)) return null;
  const [hours] = sections.flatMap(({ blocks }) =>
    blocks.flatMap((block) => readHoursTable(block, language) ?? []),
  );
  if (hours === undefined) return null;
  const said = foldText(text);
  const named = [...hours].filter(([head]) => head !== '' && said.includes(foldText(head)));
  const states = (named.length > 0 ? named : [...hours]).map(([head, each]) => ({
    ...sayOpen(each, now, say),
    head: head === '' ? title : head,
  }));
  const isAgreed = states.every(({ isOpen }) => isOpen === states[0]?.isOpen);
  const isMeant = named.length > 0 || !namesOther(words, title);
  const answer = isAgreed && isMeant ? yesOrNo(words, states[0]?.isOpen === true, say) : '';
  return `${answer}${states.map(({ head, stated }) => `**${head}:** ${stated}`).join('\n\n')}`;
}

interface OpenState {
  readonly isOpen: boolean;
  readonly stated: string;
}

/** "open now, until 18:00 today." */
function sayOpen(hours: OpeningHours, now: LocalTime, say: Say): OpenState {
  const isOpen = isOpenAt(hours, toLocalMs(now));
  const changesMs = findHoursChange(hours, toLocalMs(now));
  if (changesMs === null) return { isOpen, stated: say(isOpen ? 'open_always' : 'closed') };
  const change = fromLocalMs(changesMs);
  const [time, day] = [formatTime(change.minutes), dayName(change.day, now, say.language)];
  if (isOpen) return { isOpen, stated: say('open_now', { time, day }) };
  const closesMs = findHoursChange(hours, changesMs);
  const until = closesMs === null ? '' : `–${formatTime(fromLocalMs(closesMs).minutes)}`;
  return { isOpen, stated: say('closed_now', { day, hours: `${time}${until}` }) };
}
