import { plainWordsFor } from '../text/plain-words-for.ts';
import { FILLER_WORDS } from '../text/stop-words.ts';
import { foldText, tokenize } from '../text/tokenize.ts';

/** A message split into its questions and its statements, such as "we are two adults with a dog". */
export interface SplitMessage {
  readonly questions: readonly string[];
  readonly context: string;
}

const QUESTION_WORD =
  "(?:(?:until|till|since|from|by|at|for|in|to|on|with) (?=when|what|which|how|whom))?(?:how|what|whats|what's|when|whens|when's|where|wheres|where's|who|which|why|can(?!')|could|do|does|did|is|are|will|would|may|should|must|am|any|whether|if not|if so)";

// No question begins in "and would like" or "and are thinking of".
const NO_STATEMENT =
  '(?!\\s+(?:like|love|prefer|rather|be|been|not|both|all)\\b|(?<=\\b(?:are|am))\\s+\\w+ing\\b)';

// A sentence ends at its sign before a space, or at a line's end.
const SENTENCE_END = /(?<=[?!])\s+|(?<=[?!])(?=[a-z])|(?<=[a-z]{2}\.)\s+|[\n;]+/i;

// "1. parking 2. luggage" in one line.
const IS_NUMBERED = /^\s*\(?1[.)]\s[^\n]*\s\(?2[.)]\s/;
const NEXT_NUMBER = /\s+(?=\(?\d[.)]\s)/;

const THING = '(?:(?:a|an|any) )?[\\p{L}-]+(?: [\\p{L}-]+)?';

/** Openings that ask for a thing: "do you have wifi", "is there a bar". */
export const ASKS_FOR_THING = '(?:do you (?:have|sell|offer)|have you got|is there|are there)(?: any)?';

// "Do you have wifi, sockets and a bar on the first floor?": three things or more, of one or two words each.
const HAVE_ALL = new RegExp(
  `^\\s*(?<asked>${ASKS_FOR_THING})\\s+(?<things>${THING}(?:, ?${THING}){1,4},? (?:and|or) ${THING}?)(?<where>\\s+(?:on|at|in|aboard|to|for) [^,?]{3,60})?[\\s?]*$`,
  'iu',
);

// "I'd like to know the height limit, the price to Tarrow and whether gas is allowed": a list follows the announcement.
const TELL_ME =
  '(?:(?:can|could|please|would) )?(?:you )?(?:please )?(?:tell|send|give) (?:me|us)(?: about)?';
const LIKE_TO_KNOW =
  "(?:i|we)(?:'d| would| want| need|'m| are| am)?(?: like| want| need| trying)? to (?:know|find out)(?: about)?";
const QUESTIONS_ABOUT = '(?:i have )?(?:\\w+ )?questions? ?(?:about|on|:)';
const INFORMATION_ABOUT = '(?:(?:i|we) need )?info(?:rmation)? (?:about|on)';
const ANNOUNCES = new RegExp(
  `^\\s*(?:[^,:;?!.\\n]{0,40}[,:] ?)?(?:${TELL_ME}|${LIKE_TO_KNOW}|(?:i|we) need ?:|${QUESTIONS_ABOUT}|${INFORMATION_ABOUT}):?\\s+`,
  'i',
);
const MIN_THINGS = 3;
const MAX_THING_WORDS = 12;

// "Two questions: can I ...".
const INTRODUCES = new RegExp(`^[^:?!.]{0,40}:\\s+(?=${QUESTION_WORD}\\b)`, 'i');

const LIST_MARK = /^\s*(?:[-*•]|\(?\d{1,2}[.)])\s+/;

// "… and how much is it", "…, what about", "… also do you": another question begins.
const CONJUNCTION = new RegExp(
  `[,]?\\s+(?:and(?: also)?|also|plus|then|&|\\+|or)\\s+(?=${QUESTION_WORD}\\b${NO_STATEMENT})|\\s+(?:and|or)\\s+(?=(?:cancel|change|pay|book|claim)\\b)|\\s+(?:and(?: also)?|or)\\s+(?=about\\b)|\\s+(?:plus|as well as)\\s+|,\\s+(?=${QUESTION_WORD}\\b${NO_STATEMENT})|\\.?\\s+(?=also,? ${QUESTION_WORD}\\b)`,
  'i',
);
const STARTS_AS_QUESTION = new RegExp(
  `^(?:and |also |so |but |then |plus |ok |hi |hello |hey )*${QUESTION_WORD}\\b${NO_STATEMENT}`,
);
const ASKS =
  /\?\s*$|\b(?:wants? to know|needs? to know|like to know|wondering|asks? (?:if|whether|how|what|when)|tell me|please explain|i need|i want|looking for|lost|left|how much|how long|what about|how about)\b/;

const TAIL =
  /^(?:and |or )?(?:what times?|when|where|how|why|which(?: one)?(?: (?:should|shall|do|must|can|would) (?:i|we) (?:take|catch|get|need|book))?|how much|how come|ok|any ideas?|what (?:do|can|could|will) (?:i|we) get|what am i entitled to|what are my options|what (?:can|should|do) (?:i|we) do(?: now)?|what now|what happens(?: now| then)?)\W*$/;

// The first line of a letter.
const SALUTATION = /^\s*[^,:;?!.\n]{1,60},[ \t]*\n/;

// The end of a letter.
const CLOSING =
  /[\s,.]+(?:(?:with )?(?:kind|best|warm|kindest|warmest) regards|yours (?:sincerely|faithfully|truly)|(?:many|best) (?:thanks|wishes)(?: in advance)?|thank(?:s| you)(?: very much| so much)?(?: in advance)?|sincerely|regards)\b[^?]{0,60}$/i;

const MAX_CHARACTERS = 2_000;
const MAX_PARTS = 12;

/**
 * Splits a message into its questions: at sentences, list items, and where "and" stands before a question word. A
 * message that holds one question, or questions that cannot be separated, stays whole.
 */
export function splitQuestions(text: string): SplitMessage {
  const start = text.slice(0, MAX_CHARACTERS).replace(SALUTATION, '').replace(CLOSING, '');
  const things = splitThings(start);
  if (things !== null) return things;
  const isNumbered = IS_NUMBERED.test(start);
  const lines = start.split(isNumbered ? NEXT_NUMBER : '\n').filter((line) => line.trim() !== '');
  const isList = lines.length > 1 && lines.filter((line) => LIST_MARK.test(line)).length >= lines.length - 1;
  const pieces = (isNumbered ? lines : [start])
    .flatMap((line) => line.split(SENTENCE_END))
    .slice(0, MAX_PARTS)
    .flatMap((sentence) => sentence.split(CONJUNCTION))
    .map((part) => part.replace(LIST_MARK, '').replace(INTRODUCES, '').trim())
    .filter((part) => /\p{L}{2}/u.test(part));
  const parts = isList ? pieces : joinTails(joinFragments(pieces));
  const isQuestion = (part: string): boolean => {
    const folded = foldText(part);
    return isList || STARTS_AS_QUESTION.test(folded) || ASKS.test(folded);
  };
  // "Phone number? And the opening hours": the text after a question is also a question.
  const hasQuestion = parts.some(isQuestion);
  const asks = (part: string): boolean =>
    isQuestion(part) || (hasQuestion && (/^(?:and|also|plus|about)\b/i.test(part) || isRequest(part)));
  const questions = parts.filter(asks);
  if (questions.length < 2) return { questions: [text], context: '' };
  return { questions, context: parts.filter((part) => !asks(part)).join(' ') };
}

/** "Do you have wifi, sockets and a bar?" asks three times; so does a list that is announced. */
function splitThings(text: string): SplitMessage | null {
  const { asked, things, where = '' } = HAVE_ALL.exec(text)?.groups ?? {};
  if (asked !== undefined && things !== undefined) {
    const questions = things.split(/,? (?:and|or) |, ?/).map((thing) => `${asked} ${thing}?`);
    return { questions, context: where.trim() };
  }
  const list = text.slice(ANNOUNCES.exec(text)?.[0].length ?? text.length).replace(/[?.!]\s{0,9}$/, '');
  if (/[?!.;\n]/.test(list)) return null;
  const named = list.split(/,? and |, ?/).map((each) => each.replace(/^(?:whether|if) /i, '').trim());
  const isList = named.every((each) => each !== '' && each.split(/\s+/).length <= MAX_THING_WORDS);
  return isList && named.length >= MIN_THINGS ? { questions: named, context: '' } : null;
}

const MIN_REQUEST_WORDS = 2;
const MAX_REQUEST_WORDS = 8;

/** "Next bus to Leeds", "price for two adults": a noun phrase beside a question asks as well; statements do not. */
function isRequest(part: string): boolean {
  const words = foldText(part).match(/[a-z']+/g) ?? [];
  return (
    words.length >= MIN_REQUEST_WORDS &&
    words.length <= MAX_REQUEST_WORDS &&
    !/^(?:my|our)$/.test(words[0] ?? '') &&
    !words.some((word) => STATES.has(word))
  );
}

const STATES: ReadonlySet<string> = new Set(
  (
    "i i'm im i've ive i'd id we we're were we've weve he he's hes she she's shes they they're theyre it it's its this " +
    'me us am is are was has have had want wants going coming travelling traveling live moved booked bought arrive uses use cannot cant dont isnt thanks ' +
    'thank hello hi hey ok okay sorry please cheers morning afternoon evening yes no bye there'
  ).split(' '),
);

// "Next Friday, when can I go", "with a dog, how much is it", "Also, do you".
const FRAGMENT =
  /^(?:(?:and|also|so|then|plus|or|next|this|on|in|at|to|from|for|with|by|without|the|a|an|my|our) )*(?:also|too|please|plus|\S+)$/;

/** Joins an opening with the question that it belongs to. */
function joinFragments(pieces: readonly string[]): readonly string[] {
  const parts: string[] = [];
  let opening = '';
  for (const [position, piece] of pieces.entries()) {
    const isLast = position === pieces.length - 1;
    const isOpening = !isLast && /^[^?!.]*$/.test(piece) && FRAGMENT.test(foldText(piece));
    if (isOpening) opening = `${opening}${piece} `;
    else {
      parts.push(`${opening}${piece}`);
      opening = '';
    }
  }
  return parts;
}

/** "…, what times?" and "…, is that ok?" ask nothing of their own; nor does "Is it true?" at the beginning. */
function joinTails(pieces: readonly string[]): readonly string[] {
  const parts: string[] = [];
  for (const piece of pieces) {
    const last = parts.at(-1);
    const isTail = TAIL.test(foldText(piece)) || asksNothing(piece);
    const isBehindEmpty = parts.length === 1 && asksNothing(last ?? '');
    if (last !== undefined && (isTail || isBehindEmpty)) parts[parts.length - 1] = `${last} ${piece}`;
    else parts.push(piece);
  }
  return parts;
}

// A question about a person, such as "Does he need me with him", is not empty.
const YES_OR_NO =
  /^(?:(?:and|also|so|but|or|ok|well) )*(?:(?:can|could|do|did|will|would|are) you|(?:is|was) (?:it|this|that|there))\b/;

/** Whether a question for yes or no names nothing that it could be about: "Is it true", "do you know". */
function asksNothing(piece: string): boolean {
  const folded = foldText(piece);
  return (
    YES_OR_NO.test(folded) &&
    plainWordsFor(folded) === '' &&
    tokenize(folded).every(({ surface, isStopWord }) => isStopWord || FILLER_WORDS.has(surface))
  );
}
