import { readAge } from './age.ts';
import { HOLIDAY } from './holidays.ts';
import { toFigures } from './to-figures.ts';

/*
 * Phrases that do not name the thing they mean. Each adds the plain word; nothing is removed.
 * Only what holds for any travel or service company belongs here.
 */
const PARAPHRASES: readonly (readonly [pattern: RegExp, words: string])[] = [
  [
    /\bhow much(?: (?:is|are|do|does|for|to|would|will|it|can|if)\b|\W*$)|\bwhat (?:do|does|would|will) (?:i|we|he|she|they|my \w+|children|kids|it|each(?: of us)?|an? \w+|one) (?:pay|owe|cost)\b/,
    'price',
  ],
  [
    /\bhow (?:many )?(?:money|pounds|quid|cost|price|expensive)\b|\bwhat(?:s| is)? (?:the )?(?:money|price|cost|damage)\b/,
    'price',
  ],
  [/\b(?:give|send|bring|take|hand) (?:an?|the|my|this|it|them)(?: (?!money\b)\w+){0,2} back\b/, 'return'],
  [/\bcall(?:ed|ing)? (?:\w+ ){0,3}off\b/, 'cancel'],
  [
    /\b(?:take|accept|with|by|use) (?:\w+ )?(?:paypal|visa|mastercard|american express|(?:apple|google) pay|klarna|cards?|cash|cheques?)\b/,
    'payment',
  ],
  [/\b(?:money|cash|cost)s? back\b|\b(?:get|give)\b.{0,20}\bback (?:my|the|our) money\b/, 'refund'],
  [/\b(?:first|last|next|earliest|latest|when|what time)\b.{0,20} (?:leaves?|departs?)\b/, 'timetable'],
  [/\bhow long (?:is|are|does|do|will|it)\b/, 'duration'],
  [/\b(?:pay|paying|costs?) less\b|\bsave (?:some )?money\b|\bmoney off\b|\bany deals?\b/, 'discount'],
  [/\b(?:dont|didnt|do not|not|never|cant|forg[eo]t to) (?:turn|show) up\b|\bno[ -]show\b/, 'miss'],
  [
    /(?<!(?:dont|didnt|not|never|cant) )\b(?:turn|show) up\b|\bbe (?:there|at the (?:port|terminal|harbour|station|airport|gate))\b|\bget there\b/,
    'arrive',
  ],
  [/\bget(?:ting)? to the (?:port|terminal|harbour|station|airport|pier)\b/, 'directions'],
  [
    /\b(?:left|leave|forgot) (?:my|our|a|an|the|his|her|something)\b.{0,30}\b(?:on|in|at|behind|aboard)\b/,
    'lost',
  ],
  [/\bleav(?:e|ing) (?:my|our|the|a) (?:car|vehicle|van|motorbike|motorhome)\b/, 'parking'],
  [
    /\b(?:on (?:his|her|their|my|your) own|by (?:himself|herself|themselves|myself)|alone)\b/,
    'alone unaccompanied',
  ],
  [/\b\d{1,2} ?-?(?:months?|weeks?)[ -]olds?\b/, 'baby'],
  [/\bboxing day\b/, 'christmas'],
  [HOLIDAY, 'holiday'],
  // "I'd" is folded to the same letters.
  [
    /\bids?\b(?! (?:like|love|need|want|prefer|rather|be|have|say|appreciate|go|take|just|really|also)\b)/,
    'identification',
  ],
  [
    /\b(?:\d+|an|two|several|many|half) ?(?:minutes?|mins?|hours?|hrs?|h) (?:too )?late\b/,
    'delay compensation',
  ],
  [/\b(?:book|reserve)\b.{0,20}\b(?:by|over|on) (?:the )?(?:phone|telephone)\b/, 'book booking fee'],
  [/\bunder (?:[0-9]|1[0-8])s?\b/, 'child'],
  [/\bover 6[05]s?\b/, 'senior'],
  [/\b(?:anything|something|bit|per cent|percent|% ?) off\b/, 'discount'],
  [
    /\b(?:1[0-9]|[2-9][0-9]) (?:\w+ )?(?:people|ppl|persons|pax|of us|adults|friends|mates|guests|passengers)\b|\b(?:we are|we re|were|there are) (?:1[0-9]|[2-9][0-9])\b/,
    'group',
  ],
  [/\b\d{1,2} ?(?:weeks|wks|months|mths) (?:gone|along|on)\b|\bbaby bump\b/, 'pregnant'],
  [
    /\bcharg(?:e|ing) (?:my|our|the|an|up my) (?!phones?|mobile|laptop|tablet|ipad|wheelchair|chair|mobility|scooter|watch|camera|card|account)/,
    'electric car charging',
  ],
  [
    /\b(?:keep|keeping|kept|store|storing|stored|hold|holding|retain)\b.{0,24}\b(?:details|data|info|information|records?|recordings?)\b/,
    'personal data privacy',
  ],
  [
    /\b(?:walking|zimmer) (?:frame|stick|aid)\b|\b(?:cant|cannot|cant|hardly) walk\b/,
    'wheelchair assistance',
  ],
  [
    /\b(?:contact|call|ring|phone|email|write to|reach|get hold of|get in touch|send) (?:you|u|with you)\b/,
    'contact',
  ],
  [
    /\b(?:can't|cannot|cant|couldn't|couldnt) (?:make it|come|travel|go)\b|\bno longer (?:travel|come|go)/,
    'cancel',
  ],
  [/\b(?:log|sign)(?:ging|ing)? ?(?:in|on)\b/, 'login account'],
];

const MIN_ADULT = 16;
const MIN_SENIOR = 60;

/** The plain words behind the turns of phrase in a folded text, separated by spaces; empty when there are none. */
export function plainWordsFor(foldedText: string): string {
  const age = readAge(foldedText);
  const person = age === null ? [] : age < MIN_ADULT ? ['child'] : age >= MIN_SENIOR ? ['senior'] : [];
  const text = toFigures(foldedText);
  const others = PARAPHRASES.flatMap(([pattern, words]) => (pattern.test(text) ? [words] : []));
  return [...person, ...others].join(' ');
}
