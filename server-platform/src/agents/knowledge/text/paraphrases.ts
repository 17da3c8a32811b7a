/*
 * Ways of saying that hold no word of their own for the thing meant. Each adds the plain word; nothing is taken away.
 * Only what holds for any travel or service company belongs here.
 */
const PARAPHRASES: readonly (readonly [pattern: RegExp, words: string])[] = [
  [
    /\bhow much (?:is|are|do|does|for|to|would|will|it|can|if)\b|\bwhat (?:do|does|would|will) (?:i|we|he|she|they|my \w+|children|kids|it) (?:pay|owe|cost)\b/,
    'price',
  ],
  [/\b(?:money|cash|cost)s? back\b|\b(?:get|give)\b.{0,20}\bback (?:my|the|our) money\b/, 'refund'],
  [
    /\b(?:first|last|next|earliest|latest|when|what time)\b.{0,20} (?:ferry|ferries|boats?|ship|sailings?|crossing|leaves?|departs?)\b/,
    'timetable',
  ],
  [/\bhow long (?:is|are|does|do|will|it)\b/, 'duration'],
  [/\b(?:pay|paying|costs?) less\b|\bsave (?:some )?money\b|\bmoney off\b|\bany deals?\b/, 'discount'],
  [
    /\b(?:turn|show) up\b|\bbe (?:there|at the (?:port|terminal|harbour|station|airport|gate))\b|\bget there\b/,
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
  [/\b\d+ ?(?:minutes?|mins?|hours?|hrs?|h) late\b/, 'delay compensation'],
  [/\b(?:book|reserve)\b.{0,20}\b(?:by|over|on) (?:the )?(?:phone|telephone)\b/, 'book booking fee'],
  [/\b(?:[0-9]|1[0-5]) ?-?(?:years?|yrs?)[ -]olds?\b|\bunder (?:[0-9]|1[0-8])s?\b/, 'child'],
  [/\b(?:6[0-9]|[7-9][0-9]) ?-?(?:years?|yrs?)[ -]olds?\b|\bover 6[05]s?\b/, 'senior'],
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

/** The plain words behind the turns of phrase in a folded text, separated by spaces; empty when there are none. */
export function plainWordsFor(foldedText: string): string {
  return PARAPHRASES.flatMap(([pattern, words]) => (pattern.test(foldedText) ? [words] : [])).join(' ');
}
