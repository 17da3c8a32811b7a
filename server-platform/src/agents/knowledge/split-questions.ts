import { foldText } from './text/tokenize.ts';

/** A message split into its questions and its statements, such as "we are two adults with a dog". */
export interface SplitMessage {
  readonly questions: readonly string[];
  readonly context: string;
}

const QUESTION_WORD =
  "(?:(?:until|till|since|from|by|at|for|in|to|on|with) (?=when|what|which|how|whom))?(?:how|what|whats|what's|when|whens|when's|where|wheres|where's|who|which|why|can|could|do|does|did|is|are|will|would|may|should|must|am|any|if not|if so)";

// A sentence ends at its sign before a space, or at a line's end.
const SENTENCE_END = /(?<=[?!])\s+|(?<=[?!])(?=[a-z])|(?<=[a-z]{2}\.)\s+|[\n;]+/i;

// "1. parking 2. luggage" in one line.
const IS_NUMBERED = /^\s*\(?1[.)]\s[^\n]*\s\(?2[.)]\s/;
const NEXT_NUMBER = /\s+(?=\(?\d[.)]\s)/;

const THING = '(?:(?:a|an|any) )?[\\p{L}-]+(?: [\\p{L}-]+)?';

// "Do you have wifi, sockets and a bar?": three things or more, of one or two words each.
const HAVE_ALL = new RegExp(
  `^\\s*(?<asked>(?:do you (?:have|offer|sell)|have you got|is there|are there)(?: any)?)\\s+(?<things>${THING}(?:, ?${THING}){1,4},? (?:and|or) ${THING})[\\s?]*$`,
  'iu',
);

const LIST_MARK = /^\s*(?:[-*•]|\(?\d{1,2}[.)])\s+/;

// "… and how much is it", "…, what about", "… also do you": another question begins.
const CONJUNCTION = new RegExp(
  `[,]?\\s+(?:and(?: also)?|also|plus|then|&|\\+|or)\\s+(?=${QUESTION_WORD}\\b)|\\s+(?:and|or)\\s+(?=(?:cancel|change|pay|book|claim)\\b)|\\s+(?:and(?: also)?|or)\\s+(?=about\\b)|\\s+(?:plus|as well as)\\s+|,\\s+(?=${QUESTION_WORD}\\b)|\\.?\\s+(?=also\\b)`,
  'i',
);
const STARTS_AS_QUESTION = new RegExp(
  `^(?:and |also |so |but |then |plus |ok |hi |hello |hey )*${QUESTION_WORD}\\b`,
);
const ASKS =
  /\?\s*$|\b(?:want to know|need to know|like to know|wondering|tell me|please explain|i need|i want|looking for|lost|left|how much|how long|what about|how about)\b/;

const TAIL =
  /^(?:and |or )?(?:what times?|when|where|how|why|which(?: (?:ferry|boat|one|sailing))?(?: (?:should|shall|do|must|can|would) (?:i|we) (?:take|catch|get|need|book))?|is that (?:ok|okay|possible|right|allowed|fine)|is it possible|can you help|how much|how come|ok|any ideas?|what (?:do|can|could|will) (?:i|we) get|what am i entitled to|what are my options|what (?:can|should|do) (?:i|we) do(?: now)?|what now|what happens(?: now| then)?|can you tell me|do you know|could you tell me)\W*$/;

const MAX_CHARACTERS = 2_000;
const MAX_PARTS = 12;

/**
 * Splits a message into its questions: at sentences, list items, and where "and" stands before a question word. A
 * message that holds one question, or none that can be told apart, stays whole.
 */
export function splitQuestions(text: string): SplitMessage {
  const start = text.slice(0, MAX_CHARACTERS);
  const things = splitThings(start);
  if (things !== null) return { questions: things, context: '' };
  const isNumbered = IS_NUMBERED.test(start);
  const lines = start.split(isNumbered ? NEXT_NUMBER : '\n').filter((line) => line.trim() !== '');
  const isList = lines.length > 1 && lines.filter((line) => LIST_MARK.test(line)).length >= lines.length - 1;
  const pieces = (isNumbered ? lines : [start])
    .flatMap((line) => line.split(SENTENCE_END))
    .slice(0, MAX_PARTS)
    .flatMap((sentence) => sentence.split(CONJUNCTION))
    .map((part) => part.replace(LIST_MARK, '').trim())
    .filter((part) => /\p{L}{2}/u.test(part));
  const parts = isList ? pieces : joinTails(pieces);
  const isQuestion = (part: string): boolean => {
    const folded = foldText(part);
    return isList || STARTS_AS_QUESTION.test(folded) || ASKS.test(folded);
  };
  // "Phone number? And the opening hours": what goes on after a question asks, too.
  const hasQuestion = parts.some(isQuestion);
  const asks = (part: string): boolean =>
    isQuestion(part) || (hasQuestion && (/^(?:and|also|plus|about)\b/i.test(part) || isRequest(part)));
  const questions = parts.filter(asks);
  if (questions.length < 2) return { questions: [text], context: '' };
  return { questions, context: parts.filter((part) => !asks(part)).join(' ') };
}

/** "Do you have wifi, sockets and a bar?" asks three times. */
function splitThings(text: string): readonly string[] | null {
  const { asked, things } = HAVE_ALL.exec(text)?.groups ?? {};
  if (asked === undefined || things === undefined) return null;
  return things.split(/,? (?:and|or) |, ?/).map((thing) => `${asked} ${thing}?`);
}

const MIN_REQUEST_WORDS = 2;
const MAX_REQUEST_WORDS = 8;

/** "Next ferry to Tarrow", "price for two adults": a noun phrase beside a question asks as well; statements do not. */
function isRequest(part: string): boolean {
  const words = foldText(part).match(/[a-z']+/g) ?? [];
  return (
    words.length >= MIN_REQUEST_WORDS &&
    words.length <= MAX_REQUEST_WORDS &&
    !words.some((word) => STATES.has(word))
  );
}

const STATES: ReadonlySet<string> = new Set(
  (
    "i i'm im i've ive i'd id we we're were we've weve he he's hes she she's shes they they're theyre it it's its this " +
    'me us am is are was has have had want wants going coming travelling traveling live moved booked bought arrive thanks ' +
    'thank hello hi hey ok okay sorry please cheers morning afternoon evening yes no bye there'
  ).split(' '),
);

/** "…, what times?" and "…, is that ok?" ask nothing of their own. */
function joinTails(pieces: readonly string[]): readonly string[] {
  const parts: string[] = [];
  for (const piece of pieces) {
    const last = parts.at(-1);
    if (last !== undefined && TAIL.test(foldText(piece))) parts[parts.length - 1] = `${last} ${piece}`;
    else parts.push(piece);
  }
  return parts;
}
