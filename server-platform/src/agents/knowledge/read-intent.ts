import { readLanguageRequest } from './read-language-request.ts';
import { foldText } from './text/tokenize.ts';

/** What a message wants, before the articles are asked. */
export type Intent =
  | { readonly kind: 'greeting' | 'thanks' | 'goodbye' | 'well_being' | 'identity' | 'capabilities' }
  | { readonly kind: 'frustration' | 'handoff' | 'accept' | 'decline' }
  /** "ok": a yes when something was offered, else an acknowledgement. */
  | { readonly kind: 'agreement' }
  /** `languageCode` is the primary subtag. */
  | { readonly kind: 'language'; readonly languageCode: string }
  | { readonly kind: 'question' };

type Courtesy = 'greeting' | 'thanks' | 'goodbye';

const COURTESIES: Readonly<Record<Courtesy, readonly string[]>> = {
  greeting: [
    'hi there',
    'hello there',
    'hey there',
    'good morning',
    'good afternoon',
    'good evening',
    'good day',
    'morning',
    'afternoon',
    'evening',
    'greetings',
    'hi',
    'hiya',
    'hello',
    'hallo',
    'hey',
    'heya',
    'howdy',
    'yo',
  ],
  thanks: [
    'thank you so much',
    'thank you very much',
    'thank you',
    'thanks so much',
    'thanks very much',
    'thanks a lot',
    'a lot',
    'so much',
    'thanks a million',
    'many thanks',
    'thanks',
    'thankyou',
    'thx',
    'tnx',
    'ty',
    'cheers',
    'ta',
    'much appreciated',
    'i appreciate it',
    'for your help',
    'for the help',
    'for the info',
    'for that',
    'that helps',
    'that helped',
    'that was helpful',
    'thats helpful',
    'very helpful',
    'thats great',
    'thats perfect',
    'great',
    'perfect',
    'brilliant',
    'lovely',
    'awesome',
    'excellent',
    'amazing',
    'cool',
    'nice',
    'good to know',
    'got it',
    'i see',
    'understood',
    'alright',
    'all right',
    'ok',
    'okay',
  ],
  goodbye: [
    'bye bye',
    'bye',
    'goodbye',
    'good bye',
    'good night',
    'see you',
    'see ya',
    'cya',
    'take care',
    'have a nice day',
    'have a good day',
    'have a great day',
    'have a good one',
    'have a good evening',
    'have a nice evening',
    'that will be all',
    'thatll be all',
    'that is all',
    'thats all',
    'that is everything',
    'thats everything',
    'thats it',
    'that is it',
    'nothing else',
    'nothing more',
    'no more questions',
    'no further questions',
    'im done',
    'all done',
    'end chat',
    'end the chat',
    'end this chat',
    'close chat',
    'close the chat',
    'end conversation',
    'end the conversation',
    'for now',
    'i needed',
    'i wanted to know',
  ],
};

const COURTESY_PHRASES: readonly { readonly kind: Courtesy; readonly phrase: string }[] = (
  ['goodbye', 'thanks', 'greeting'] as const
)
  .flatMap((kind) => COURTESIES[kind].map((phrase) => ({ kind, phrase })))
  .sort((one, other) => other.phrase.length - one.phrase.length);

const PERSON =
  '(?:human(?: being)?s?|persons?|people|(?<!(?:travel|booking|freight|shipping|ticket|estate) )agents?|representatives?|rep|advis[oe]rs?|operators?|assistants?|member of staff|members? of your team|customer (?:services?|care|support)|support(?: team)?|supervisor|manager|your (?:team|staff|colleagues?)|colleague|someone|somebody|some one)';
const BETWEEN = '(?: \\S+){0,4}?';

const HANDOFF_PATTERNS: readonly RegExp[] = [
  new RegExp(
    `\\b(?:speak|talk|chat|speaking|talking|chatting)(?: \\S+){0,2}? (?:to|with)${BETWEEN} ${PERSON}\\b`,
  ),
  new RegExp(`\\b(?:connect|transfer|put|pass|hand|switch|redirect) me\\b${BETWEEN} ${PERSON}\\b`),
  new RegExp(`\\b(?:get|give|find) me (?:an? |the )?(?:real |live |actual |human )*${PERSON}\\b`),
  /\b(?:real|live|actual|human) (?:person|human|agent|advis[oe]r|operator|representative|being|chat)\b/,
  /\b(?:need|want|like|prefer|have|get) (?:an? )?(?:human|agent|representative|operator)(?: please| now)?$/,
  /^(?:an? )?(?:human|agent|person|operator|representative|advis[oe]r|customer (?:services?|support|care))$/,
  /\b(?:someone|somebody|a person) (?:i can|to|who i can|that i can) (?:speak|talk|chat)\b/,
  /\bput me through\b/,
];

const NOT_HANDOFF =
  /\b(?:dont|do not|not|rather not|no need to) (?:want|need|like|have)?(?: to)? ?(?:speak|talk|chat|a human|a person|an agent)\b/;

const IDENTITY =
  /\b(?:are you (?:an? )?(?:real|human|person|bot|robot|chatbot|ai|machine|computer|automated|chatgpt|llm|live)|am i (?:talking|speaking|chatting) (?:to|with) (?:an? )?(?:real|human|person|bot|robot|chatbot|ai|machine|computer)|is (?:this|it|that) (?:an? )?(?:bot|robot|chatbot|real person|human|ai|automated|machine))|^(?:and )?(?:who|what) are you$|^who is this$|\b(?:whats|what is) your name$/;

const WELL_BEING =
  /^(?:and )?(?:how are you|hows it going|how is it going|how do you do|how are things|hows your day|whats up|you ok|sup)(?: doing)?(?: today)?$/;

const CAPABILITIES =
  /^(?:help(?: me)?|(?:i )?need (?:some )?help|can you help(?: me)?(?: out)?|can i ask (?:you )?(?:something|a question|some questions)|i have (?:a|some|another|one more) (?:question|questions|query)|what (?:can|do) you (?:do|know|help(?: me)? with)(?: for me)?|what can i ask(?: you)?|how can you help(?: me)?|how does this work|what is this|menu|options|topics)$/;

const FRUSTRATION =
  /\b(?:(?:useless|rubbish|stupid|dumb|terrible|crap|shit|bloody) (?:bot|robot|chat|chatbot|thing|service|machine|answer)|you(?:re| are)(?: \S+)? (?:useless|stupid|no help|not helping|not helpful|rubbish|annoying)|(?:this|that|it)(?:s| is| was)?(?: \S+)? (?:useless|not helpful|unhelpful|no help|ridiculous)|(?:doesnt|didnt|not) (?:really )?(?:help|answer my question|answer the question|what i asked)|(?:not|isnt) (?:what i (?:asked|meant|want)|my question)|wrong answer|you (?:dont|didnt) understand)\b|^(?:useless|rubbish|wtf|ffs)$/;

const ACCEPT =
  /^(?:yes|yeah|yep|yup|sure|please do|go on|go ahead|do that|of course|definitely|absolutely|that would be (?:great|good|nice|helpful))(?: please| do| thanks| thank you| that would be (?:great|good|nice|helpful))*$/;

const AGREEMENT = /^(?:ok|okay|alright|all right)(?: (?:please|then|great|cool))*$/;

const DECLINE =
  /^(?:no|nope|nah|not really|not now|no need|dont worry|its fine|im good|im fine|never ?mind)(?: (?:thanks|thank you|its fine|im good|im fine|im ok|not now|never ?mind|dont worry))*$/;

// What small talk needs is said in few words; a longer text is a question with some courtesy around it.
const MAX_CHARACTERS = 300;

/**
 * Reads what a message wants. Courtesy around a question does not hide the question ("hi, thanks, can I bring my
 * dog?" is a question).
 */
export function readIntent(text: string, agentName: string): Intent {
  const words = foldText(text)
    .replaceAll("'", '')
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();
  if (words === '' || words.length > MAX_CHARACTERS) return { kind: 'question' };
  const { rest, kinds } = withoutCourtesy(words, foldText(agentName));
  const core = rest
    .replace(/^(?:so|well|and|but|please|ok|hmm+|um+) /, '')
    .replace(/ (?:please|pls|plz|then)$/, '');
  if (DECLINE.test(core) || (DECLINE.test(words) && !kinds.has('goodbye'))) {
    return { kind: kinds.has('goodbye') ? 'goodbye' : 'decline' };
  }
  if (core === '') return AGREEMENT.test(words) ? { kind: 'agreement' } : courtesyIntent(kinds);
  if (ACCEPT.test(core)) return { kind: 'accept' };
  if (WELL_BEING.test(core)) return { kind: 'well_being' };
  if (IDENTITY.test(core)) return { kind: 'identity' };
  if (!NOT_HANDOFF.test(core) && HANDOFF_PATTERNS.some((pattern) => pattern.test(core)))
    return { kind: 'handoff' };
  const languageCode = readLanguageRequest(core);
  if (languageCode !== null) return { kind: 'language', languageCode };
  if (CAPABILITIES.test(core)) return { kind: 'capabilities' };
  if (FRUSTRATION.test(words)) return { kind: 'frustration' };
  return { kind: 'question' };
}

function courtesyIntent(kinds: ReadonlySet<Courtesy>): Intent {
  if (kinds.has('goodbye')) return { kind: 'goodbye' };
  return { kind: kinds.has('thanks') ? 'thanks' : 'greeting' };
}

/** Takes courtesies off both ends until something else is there. */
function withoutCourtesy(
  words: string,
  agentName: string,
): { readonly rest: string; readonly kinds: ReadonlySet<Courtesy> } {
  const kinds = new Set<Courtesy>();
  let rest = words;
  for (;;) {
    const before = rest;
    for (const { kind, phrase } of COURTESY_PHRASES) {
      if (rest === phrase || rest.startsWith(`${phrase} `)) rest = rest.slice(phrase.length).trimStart();
      else if (rest.endsWith(` ${phrase}`)) rest = rest.slice(0, -phrase.length).trimEnd();
      else continue;
      kinds.add(kind);
      break;
    }
    if (kinds.size > 0 && agentName !== '') {
      if (rest === agentName || rest.startsWith(`${agentName} `))
        rest = rest.slice(agentName.length).trimStart();
      else if (rest.endsWith(` ${agentName}`)) rest = rest.slice(0, -agentName.length).trimEnd();
    }
    if (rest === before) return { rest, kinds };
  }
}
