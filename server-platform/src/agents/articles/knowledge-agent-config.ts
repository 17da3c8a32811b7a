import type { Contact } from './contact.ts';
import type { EventFlow } from './event-flow.ts';
import type { ReplyTexts } from './intents/replies.ts';
import type { Pacing } from './stream-text.ts';

/** The destination of the agent's hand-offs. */
export interface HandoffTarget {
  readonly destination: string;
  /** `server`: the platform's hand-off provider; `client`: the page. */
  readonly managed: 'server' | 'client';
  readonly queueName?: string;
}

/**
 * All settings of a knowledge agent. All texts are Markdown; the greeting and the texts of event flows, like the
 * articles, may hold placeholders (`fillTemplate`).
 */
export interface KnowledgeAgentConfig {
  readonly name: string;
  readonly avatarUrl: string | null;
  /** The company that the agent speaks for, as written within a sentence; null leaves it out. */
  readonly company: string | null;
  /** The first message; null for one made of name and company. It must say that the agent is automated. */
  readonly greeting: string | null;
  /** Questions offered with the greeting and whenever there is nothing nearer to offer; three are best. */
  readonly starters: readonly string[];
  /** Address of the help site, under which every article has its slug; null: answers carry no source card. */
  readonly helpBaseUrl: string | null;
  /** Null if the agent cannot hand over to a person, which it then says. */
  readonly handoff: HandoffTarget | null;
  readonly phone: { readonly number: string; readonly title: string } | null;
  /** Desks of the company; the first is the general one, and its hours are those in which people answer. */
  readonly contacts: readonly Contact[];
  /** The page on which visitors see and change their bookings, which the agent cannot see. */
  readonly bookingsUrl: string | null;
  readonly complaintsEmail: string | null;
  /** The company's country, such as `GB`, which decides the emergency numbers. Null: 112. */
  readonly country: string | null;
  /** Emergency contacts of the company. Where a field is null, the contact of its country is used. */
  readonly emergency: {
    readonly numbers: readonly string[] | null;
    readonly helpline: { readonly name: string; readonly number: string } | null;
  };
  /** Sentences that replace the platform's (`knowledge/replies`), by language and name. */
  readonly replies: Readonly<Record<string, ReplyTexts>>;
  /** BCP-47 tags the conversation may be switched to; the articles' own language is the first. */
  readonly languages: readonly string[];
  /** Tasks that visitors start here and another system finishes, such as a payment. */
  readonly eventFlows: readonly EventFlow[];
  /** Names of places, as visitors write them; a route between two of them is recorded with the turn. */
  readonly places: readonly string[];
  /** Groups of words that the company's visitors swap, beside the everyday ones: `['dentist', 'doctor']`. */
  readonly synonyms: readonly (readonly string[])[];
  /** Groups of names that stand for each other in a follow-up, such as the company's places: "and in Leeds?" */
  readonly alternatives: readonly (readonly string[])[];
  /** Time zone of the company, as `Europe/London`. */
  readonly timeZone: string;
  readonly pacing: Pacing;
  /** Length up to which an answer includes the text after its best passage. */
  readonly maxAnswerCharacters: number;
}

/** Defaults of a configuration that only names the agent. */
export const KNOWLEDGE_AGENT_DEFAULTS: Omit<KnowledgeAgentConfig, 'name'> = {
  avatarUrl: null,
  company: null,
  greeting: null,
  starters: [],
  helpBaseUrl: null,
  handoff: null,
  phone: null,
  contacts: [],
  bookingsUrl: null,
  complaintsEmail: null,
  country: null,
  emergency: { numbers: null, helpline: null },
  replies: {},
  languages: ['en'],
  eventFlows: [],
  places: [],
  synonyms: [],
  alternatives: [],
  timeZone: 'UTC',
  // Reads like a person who types fast. The whole answer appears within a second or two.
  pacing: { minMs: 15, maxMs: 30 },
  // Fits the panel without scrolling; a lead and a passage may be half as much again.
  maxAnswerCharacters: 600,
};
