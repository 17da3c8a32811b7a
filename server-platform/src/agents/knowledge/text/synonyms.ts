import { stem } from './stem.ts';

/*
 * Words that visitors of any service swap freely. What only one company's visitors say belongs into the `keywords` of
 * its articles, not here.
 */
const GROUPS: readonly (readonly string[])[] = [
  ['price', 'cost', 'fare', 'charge', 'fee', 'pricing', 'tariff', 'rate'],
  ['cheap', 'cheaper', 'cheapest', 'discount', 'offer', 'saving', 'reduced', 'concession', 'affordable'],
  ['refund', 'reimburse', 'reimbursement', 'moneyback'],
  ['cancel', 'scrap'],
  ['change', 'amend', 'modify', 'alter', 'reschedule', 'rebook', 'switch', 'move'],
  ['book', 'reserve', 'reservation'],
  ['booking', 'reservation', 'ticket'],
  ['pay', 'payment', 'checkout'],
  ['card', 'visa', 'mastercard', 'amex', 'debit', 'credit'],
  ['buy', 'purchase'],
  ['child', 'kid', 'toddler', 'infant', 'baby', 'youngster', 'teenager'],
  ['dog', 'puppy', 'pet', 'labrador', 'retriever', 'terrier', 'spaniel', 'collie', 'poodle', 'doggy'],
  ['cat', 'kitten', 'pet'],
  ['bike', 'bicycle', 'cycle', 'ebike', 'cyclist'],
  ['car', 'vehicle', 'automobile'],
  ['motorhome', 'campervan', 'camper', 'rv', 'caravan'],
  ['motorbike', 'motorcycle', 'scooter', 'moped'],
  ['lorry', 'truck', 'hgv'],
  ['wheelchair', 'disabled', 'disability', 'mobility', 'zimmer', 'rollator', 'crutches', 'walker'],
  ['stairs', 'step', 'lift', 'ramp'],
  ['hen', 'stag', 'party', 'group'],
  ['helmet', 'lid'],
  ['ombudsman', 'regulator', 'watchdog', 'arbitration', 'adjudicator'],
  ['4', 'four'],
  ['5', 'five'],
  ['6', 'six'],
  ['luggage', 'baggage', 'bag', 'suitcase'],
  [
    'food',
    'eat',
    'meal',
    'restaurant',
    'cafe',
    'breakfast',
    'lunch',
    'dinner',
    'snack',
    'sandwich',
    'picnic',
    'hungry',
  ],
  ['drink', 'beer', 'alcohol', 'wine', 'bar', 'coffee'],
  [
    'alcohol',
    'whisky',
    'whiskey',
    'vodka',
    'gin',
    'rum',
    'spirits',
    'liquor',
    'booze',
    'lager',
    'cider',
    'prosecco',
    'champagne',
  ],
  ['wifi', 'internet', 'online'],
  ['phone', 'telephone', 'ring', 'mobile'],
  ['email', 'mail'],
  ['lost', 'left', 'missing', 'forgot', 'forgotten', 'mislaid', 'misplaced'],
  ['late', 'delay', 'delayed', 'overdue'],
  ['early', 'beforehand', 'advance'],
  ['time', 'timetable', 'schedule', 'hour', 'clock'],
  ['depart', 'departure', 'leave', 'sail', 'sailing'],
  ['boat', 'ship', 'ferry', 'vessel', 'fleet'],
  ['trip', 'journey', 'crossing', 'voyage', 'travel', 'ferry', 'boat', 'sailing'],
  ['passport', 'id', 'identification', 'identity', 'licence', 'license', 'document'],
  ['seasick', 'sick', 'nausea', 'queasy', 'rough', 'bumpy', 'choppy', 'wavy'],
  ['weather', 'storm', 'wind', 'gale', 'rough'],
  ['park', 'parking', 'carpark'],
  ['toilet', 'loo', 'bathroom', 'restroom', 'shower'],
  ['cabin', 'berth', 'bed', 'bunk', 'sleep', 'room'],
  ['group', 'party', 'school', 'coach'],
  ['voucher', 'gift', 'present', 'coupon'],
  ['promo', 'promotional', 'code', 'coupon', 'voucher'],
  ['name', 'surname', 'spelling'],
  ['correct', 'fix', 'wrong', 'mistake', 'misspelled', 'typo', 'error'],
  ['money', 'cash'],
  ['pram', 'pushchair', 'buggy', 'stroller'],
  ['veggie', 'vegetarian', 'vegan'],
  ['password', 'login', 'passcode'],
  ['staff', 'crew', 'employee'],
  ['train', 'railway', 'rail'],
  ['tall', 'tallest', 'high', 'higher', 'highest', 'height', 'headroom'],
  ['long', 'longest', 'length'],
  ['paper', 'document', 'passport'],
  ['maximum', 'limit'],
  ['min', 'minimum'],
  ['big', 'bigger', 'biggest', 'large', 'larger', 'largest', 'size'],
  ['alone', 'unaccompanied', 'solo'],
  ['horse', 'pony', 'livestock', 'cattle', 'sheep'],
  ['cold', 'cool', 'fridge', 'refrigerate'],
  ['medicine', 'medication', 'medical', 'insulin', 'drug'],
  ['complain', 'complaint', 'unhappy', 'feedback'],
  ['job', 'career', 'vacancy', 'hiring'],
  ['apprenticeship', 'apprentice'],
  ['deadline', 'apply'],
  ['hear', 'hearing', 'deaf'],
  ['lead', 'leash', 'leed'],
  ['lift', 'elevator'],
  ['opening', 'open', 'hours'],
  ['pensioner', 'senior', 'oap', 'retired', 'elderly'],
  ['pregnant', 'pregnancy', 'expecting'],
  ['receipt', 'invoice', 'vat'],
  ['student', 'uni', 'university', 'college', 'undergraduate'],
  ['heavy', 'heavier', 'heaviest', 'weight', 'tonne', 'weigh', 'kilo'],
  ['video', 'netflix', 'youtube', 'stream', 'film'],
  ['warm', 'heat', 'microwave'],
  ['reduction', 'discount', 'concession'],
  ['post', 'send', 'mail', 'deliver', 'ship'],
  ['parcel', 'package', 'box'],
  ['hire', 'rent', 'rental', 'charter'],
  ['doctor', 'nurse', 'medic', 'paramedic', 'physician'],
  ['ill', 'unwell', 'sick', 'poorly'],
  ['died', 'death', 'bereavement', 'funeral', 'deceased'],
  ['shut', 'close', 'closing'],
  ['broken', 'damage', 'broke'],
  ['wide', 'widest', 'width', 'broad'],
  ['grandson', 'granddaughter', 'grandchild', 'nephew', 'niece', 'child'],
  ['thief', 'steal', 'stolen', 'theft'],
  ['island', 'isle'],
  ['stay', 'sit', 'remain'],
  ['vacate', 'leave'],
  ['calm', 'quiet', 'peaceful', 'sheltered', 'smooth'],
];

function buildSynonyms(): ReadonlyMap<string, readonly string[]> {
  const result = new Map<string, Set<string>>();
  for (const group of GROUPS) {
    const stems = group.map(stem);
    for (const one of stems) {
      const others = result.get(one) ?? new Set<string>();
      for (const other of stems) if (other !== one) others.add(other);
      result.set(one, others);
    }
  }
  return new Map([...result].map(([key, others]) => [key, [...others]]));
}

const SYNONYMS = buildSynonyms();

/** The stems that may stand for this stem in everyday English; empty when there are none. */
export function synonymsOf(wordStem: string): readonly string[] {
  return SYNONYMS.get(wordStem) ?? [];
}
