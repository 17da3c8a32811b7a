import type { AgentTurn, HandoffCause } from '../agent.ts';
import { callContact, describeContact, findContact } from './contact.ts';
import { emergencyContactsOf } from './emergency-contacts.ts';
import type { Say } from './intents/replies.ts';
import type { KnowledgeAgentConfig } from './knowledge-agent-config.ts';
import type { Memory } from './memory.ts';
import type { Reply } from './reply.ts';
import { describeHours } from './time/describe-hours.ts';

/** The first message: it says that the agent is automated, and offers a way to begin. */
export function greet(config: KnowledgeAgentConfig, say: Say): Reply {
  const { name, company } = config;
  const text =
    config.greeting ?? (company === null ? say('welcome', { name }) : say('welcome_to', { name, company }));
  // Starters and the company's own greeting are in the articles' language.
  const isForeign = config.greeting === null && say.language !== articleLanguage(config);
  return { intent: 'greeting', text, suggestions: isForeign ? [] : config.starters.slice(0, 3) };
}

// After these the visitor asks a question.
const INVITES: ReadonlySet<string> = new Set(['greeting', 'capabilities']);

/** Answers messages that are not questions to the articles. */
export function replyToSmallTalk(
  intent: string,
  say: Say,
  language: string,
  config: KnowledgeAgentConfig,
  memory: Memory,
): Reply {
  const settled: Memory = { ...memory, hasOfferedPerson: false, misses: 0, cause: undefined };
  const isForeign = language !== articleLanguage(config);
  const hint = isForeign && INVITES.has(intent) ? ` ${sayArticleLanguage('only_in', say, config)}` : '';
  const reply: Reply = { intent, text: `${say(intent, { name: config.name })}${hint}`, memory: settled };
  // Starters are questions in the articles' language.
  const starters = isForeign ? [] : config.starters.slice(0, 3);
  switch (intent) {
    case 'goodbye':
      return { ...reply, ending: { type: 'end' } };
    case 'thanks':
    case 'praise':
    case 'decline':
      return reply;
    case 'identity':
      return { ...reply, suggestions: offerPerson(config, say, starters.slice(0, 2)) };
    default:
      return { ...reply, suggestions: starters };
  }
}

/** The primary subtag of the language that the articles are written in. */
export const articleLanguage = ({ languages }: KnowledgeAgentConfig): string =>
  (languages[0] ?? 'en').slice(0, 2).toLowerCase();

/** A sentence about the main language of the articles, which it names in the visitor's. */
export function sayArticleLanguage(name: string, say: Say, config: KnowledgeAgentConfig): string {
  const names = new Intl.DisplayNames([say.language], { type: 'language' });
  const language = names.of(articleLanguage(config)) ?? articleLanguage(config);
  // In Polish, "in English" is "po angielsku", and the language itself "angielski".
  return say(name, { language: say.language === 'pl' ? language.replace(/i$/, 'u') : language });
}

/** The suggestions with the way to a person at the end, if there is one. */
export function offerPerson(
  config: KnowledgeAgentConfig,
  say: Say,
  suggestions: readonly string[],
): readonly string[] {
  return config.handoff === null ? suggestions : [...suggestions, say('person_suggestion')];
}

/** A sentence that offers a person, with the desk's opening hours; empty without a desk. */
export function personOffer(config: KnowledgeAgentConfig, say: Say, name = 'person_offer'): string {
  if (config.handoff === null) return '';
  const hours = config.contacts[0]?.hours ?? null;
  return hours === null ? say(name) : `${say(name)} ${say('hours', { hours: describeHours(hours, say) })}`;
}

/** The phone number as a call action, if there is one. */
export function callAction(config: KnowledgeAgentConfig): Pick<Reply, 'callActions'> {
  const general = config.contacts[0];
  if (config.phone !== null)
    return { callActions: [{ title: config.phone.title, contact_number: config.phone.number }] };
  return general === undefined ? {} : { callActions: callContact(general) };
}

const paragraphs = (...texts: readonly string[]): string => texts.filter((text) => text !== '').join('\n\n');

const numbersIn = (language: string, config: KnowledgeAgentConfig): string =>
  new Intl.ListFormat(language, { type: 'disjunction' }).format(emergencyContactsOf(config).numbers);

/** The reply to a danger to life: says first whom to call. No article and no suggestion; only the numbers can be tapped. */
export function replyToEmergency(
  intent: string,
  say: Say,
  language: string,
  config: KnowledgeAgentConfig,
  memory: Memory,
): Reply {
  const contacts = emergencyContactsOf(config);
  const numbers = numbersIn(language, config);
  const { helpline } = contacts;
  const isDespair = intent === 'despair' && helpline !== null;
  const called = isDespair ? [helpline.number, ...contacts.numbers] : contacts.numbers;
  return {
    intent: `emergency_${intent}`,
    isUrgent: true,
    text: say(intent, {
      numbers,
      helpline: helpline === null ? numbers : `${helpline.name} ${helpline.number}`,
    }),
    callActions: called.map((number) => ({
      title: isDespair && number === helpline.number ? helpline.name : number,
      contact_number: number,
    })),
    metrics: { emergency: true },
    memory: { ...memory, cause: 'emergency' },
  };
}

/** Regrets, and shows the way to a person or to the address for complaints. */
export function replyToComplaint(say: Say, config: KnowledgeAgentConfig, memory: Memory): Reply {
  const email = config.complaintsEmail;
  return {
    intent: 'complaint',
    text: paragraphs(
      say('complaint'),
      personOffer(config, say, 'complaint_person'),
      email === null ? '' : say('complaint_address', { email: `[${email}](mailto:${email})` }),
    ),
    suggestions: offerPerson(config, say, []),
    ...callAction(config),
    memory: { ...memory, hasOfferedPerson: config.handoff !== null, cause: 'complaint' },
  };
}

/** Says that bookings cannot be seen or made from the chat, and where they can be. */
export function replyToBooking(
  intent: string,
  say: Say,
  config: KnowledgeAgentConfig,
  memory: Memory,
): Reply {
  const link = config.bookingsUrl;
  return {
    intent: 'booking',
    text: paragraphs(
      `${say(intent)}${link === null ? '' : ` ${say('booking_link', { link })}`}`,
      personOffer(config, say),
    ),
    suggestions: offerPerson(config, say, []),
    ...callAction(config),
    memory: { ...memory, hasOfferedPerson: config.handoff !== null },
  };
}

/** Names who can help where neither an article nor the agent can: staff on the spot, the police, a colleague. */
export function replyWithHelp(
  intent: string,
  say: Say,
  language: string,
  config: KnowledgeAgentConfig,
  memory: Memory,
): Reply {
  return {
    intent,
    text: paragraphs(say(intent, { numbers: numbersIn(language, config) }), personOffer(config, say)),
    suggestions: offerPerson(config, say, []),
    ...callAction(config),
    memory: { ...memory, hasOfferedPerson: config.handoff !== null },
  };
}

/** Whether a file is a picture, by its name. */
export const isPicture = (name: string): boolean =>
  /\.(?:jpe?g|png|gif|webp|heic|avif|bmp|tiff?)$/i.test(name);

/** The reply to files without a text: thanks for them, says that the agent cannot see pictures, and offers a person. */
export function replyToFiles(
  names: readonly string[],
  say: Say,
  language: string,
  config: KnowledgeAgentConfig,
  memory: Memory,
): Reply {
  const name = new Intl.ListFormat(language).format(names);
  const received = names.every(isPicture) ? say('picture') : say('file', { name });
  return {
    intent: 'file',
    text: paragraphs(received, personOffer(config, say)),
    suggestions: offerPerson(config, say, []),
    ...callAction(config),
    memory: { ...memory, hasOfferedPerson: config.handoff !== null },
  };
}

/** Names the desk that is asked for, with its number, address and hours. */
export function replyToContact(
  text: string,
  say: Say,
  config: KnowledgeAgentConfig,
  memory: Memory,
): Reply | null {
  const wanted = findContact(text, config.contacts);
  if (wanted === null) return null;
  const others = config.contacts.filter(({ phone }) => phone !== null && phone !== wanted.phone);
  const lines = [wanted, ...(wanted === config.contacts[0] ? others : [])];
  return {
    intent: 'contact',
    text: paragraphs(say('contact'), lines.map((each) => `- ${describeContact(each, say)}`).join('\n')),
    callActions: callContact(wanted),
    suggestions: offerPerson(config, say, []),
    memory: { ...memory, hasOfferedPerson: false, misses: 0 },
  };
}

/** Says in the visitor's language that the articles are in another one. */
export function replyToForeignLanguage(say: Say, config: KnowledgeAgentConfig, memory: Memory): Reply {
  return {
    intent: 'foreign_language',
    text: paragraphs(sayArticleLanguage('foreign', say, config), personOffer(config, say)),
    suggestions: offerPerson(config, say, []),
    ...callAction(config),
    metrics: { out_of_domain: true },
    memory: { ...memory, hasOfferedPerson: config.handoff !== null },
  };
}

/** The reply to a request that has nothing to do with the company: what the agent can help with. */
export function replyToOffTopic(
  say: Say,
  language: string,
  config: KnowledgeAgentConfig,
  memory: Memory,
): Reply {
  const starters = language === articleLanguage(config) ? config.starters.slice(0, 2) : [];
  return {
    intent: 'out_of_domain',
    text: paragraphs(say('off_topic', { company: config.company ?? config.name }), personOffer(config, say)),
    suggestions: offerPerson(config, say, starters),
    ...callAction(config),
    metrics: { out_of_domain: true },
    memory: { ...memory, hasOfferedPerson: config.handoff !== null, misses: memory.misses + 1 },
  };
}

/** Hands over, or says honestly that no person is available. */
export function handOver(
  config: KnowledgeAgentConfig,
  say: Say,
  memory: Memory,
  reason: 'AGENT_DECISION' | 'COMPLEX_QUERY',
  why: HandoffCause,
): Reply {
  const settled: Memory = { ...memory, hasOfferedPerson: false, misses: 0 };
  if (config.handoff === null) {
    const lines = config.contacts.slice(0, 1).map((each) => describeContact(each, say));
    const text = paragraphs(say('handoff_unavailable'), ...lines);
    return { intent: 'handoff_unavailable', text, memory: settled, ...callAction(config) };
  }
  const { destination, managed, queueName } = config.handoff;
  const deskHours = config.contacts[0]?.hours ?? null;
  return {
    intent: 'handoff',
    text: say('handoff'),
    memory: settled,
    ending: {
      type: 'handoff',
      destination,
      managed,
      reason,
      why,
      ...(queueName === undefined ? {} : { queueName }),
      ...(deskHours === null ? {} : { deskHours: describeHours(deskHours, say) }),
      data: { last_topic: memory.topic, unanswered_questions: memory.misses },
    },
  };
}

/** The number of the turn, which chooses between wordings. */
export const turnNumberOf = ({ history }: AgentTurn): number => history.length;
