import { type Contact, callContact, describeContact, findContact } from './contact.ts';
import type { KnowledgeAgentConfig } from './knowledge-agent-config.ts';
import type { Memory } from './memory.ts';
import type { Reply } from './reply.ts';
import { spellOut } from './text/spell-out.ts';
import { foldText } from './text/tokenize.ts';
import { formatTime, type LocalTime, localTimeAt } from './time/local-day.ts';
import { type OpeningHours, openOn, readOpeningHours } from './time/opening-hours.ts';
import { dayName } from './time/say-departures.ts';

const ASKS_OPEN =
  /^(?:(?:hi|hello|hey|ok|so|and|but|please|excuse me|sorry) )*(?:(?:are|is|isnt|arent|will)\b.{0,50}\b(?:open|opened|closed|shut|staffed|manned|there|available|reachable|answering)\b|(?:can|could|may) (?:i|we|you)\b.{0,20}\b(?:ring|call|phone|reach|speak to)\b)/;
const NOW =
  /\b(?:now|at the moment|at present|currently|today|tonight|still|already|yet|at this (?:hour|time)|this (?:late|early))\b/;

// Their hours stand in the articles.
const OTHER_PLACE =
  /\b(?:bar|cafe|restaurant|galley|shop|check ?in|car park|parking|playroom|lounge|lockers?|deck|kiosk|ledge|ferry|ferries|boats?|ships?|sailings?|bus|taxi)\b/;

const ASKS_CLOSED = /\b(?:closed|shut)\b/;

/** Answers whether a desk is open now, by its hours and the clock; null when the message asks for something else. */
export function answerOpening(
  text: string,
  config: KnowledgeAgentConfig,
  memory: Memory,
  nowMs: number,
): Reply | null {
  const words = spellOut(foldText(text.slice(0, MAX_CHARACTERS)))
    .replaceAll("'", '')
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();
  if (!ASKS_OPEN.test(words) || !NOW.test(words) || OTHER_PLACE.test(words)) return null;
  const contact = findContact(text, config.contacts);
  const hours = readOpeningHours(contact?.hours ?? '');
  if (contact === null || hours === null) return null;
  const { isOpen, stated } = sayOpen(contact, hours, localTimeAt(nowMs, config.timeZone));
  // "No" to "Is it closed now?" could be read either way.
  const sentence = ASKS_CLOSED.test(words) ? stated : `${isOpen ? 'Yes' : 'No'}, ${stated}`;
  return {
    intent: 'opening',
    text: `${sentence}\n\n- ${describeContact(contact)}`,
    callActions: callContact(contact),
    memory: { ...memory, words: text.slice(0, MAX_CHARACTERS), hasOfferedPerson: false, misses: 0 },
  };
}

const MAX_CHARACTERS = 120;
const DAYS_AHEAD = 14;

interface OpenState {
  readonly isOpen: boolean;
  readonly stated: string;
}

/** "Freight is open now, until 18:00." */
function sayOpen({ title }: Contact, hours: OpeningHours, now: LocalTime): OpenState {
  const today = openOn(hours, now.day);
  if (today !== null && today.until - today.from >= 1_440)
    return { isOpen: true, stated: `**${title}** is open day and night.` };
  if (today !== null && now.minutes >= today.from && now.minutes < today.until)
    return { isOpen: true, stated: `**${title}** is open now, until ${formatTime(today.until)} today.` };
  for (let day = now.day; day <= now.day + DAYS_AHEAD; day += 1) {
    const span = openOn(hours, day);
    if (span === null || (day === now.day && now.minutes >= span.until)) continue;
    const opens = `It opens ${dayName(day, now)} at ${formatTime(span.from)}, until ${formatTime(span.until)}.`;
    return { isOpen: false, stated: `**${title}** is closed now. ${opens}` };
  }
  return { isOpen: false, stated: `**${title}** is closed now.` };
}
