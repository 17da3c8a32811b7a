import * as v from 'valibot';
import {
  articleFields,
  email,
  httpUrl,
  objectMessage,
  orNull,
  phone,
  text,
  texts,
  wholeNumber,
} from '../config-fields.ts';
import { KNOWLEDGE_AGENT_DEFAULTS, type KnowledgeAgentConfig } from './knowledge-agent-config.ts';

/** A knowledge agent's settings; everything with a default may be left out. */
export type KnowledgeAgentSettings = Pick<KnowledgeAgentConfig, 'name'> &
  Partial<KnowledgeAgentConfig> & {
    readonly kind: 'knowledge';
    /** Folder of the articles. */
    readonly knowledgeFolder: string;
    /** Path of an ES module that exports `tools`; null or absent: none. */
    readonly tools?: string | null;
  };

/** Checked settings of an agent on articles, with all defaults filled in. */
export type CheckedKnowledgeAgent = KnowledgeAgentConfig & {
  readonly kind: 'knowledge';
  readonly knowledgeFolder: string;
  readonly tools: string | null;
};

const languageTag = v.pipe(
  text('every entry of languages'),
  v.check((tag) => {
    try {
      return Intl.getCanonicalLocales(tag).length === 1;
    } catch {
      return false;
    }
  }, 'every entry of languages must be a language tag such as "en" or "de-AT"'),
);

const contactSchema = v.strictObject(
  {
    title: text('contacts.title'),
    phone: orNull(phone('contacts.phone')),
    email: orNull(email('contacts.email')),
    url: orNull(httpUrl('contacts.url')),
    hours: orNull(text('contacts.hours')),
    words: v.optional(texts('contacts.words'), []),
  },
  objectMessage('every entry of contacts'),
);

const MAX_PAUSE_MS = 1_000;

/** The schema of these settings. */
export const knowledgeSchema = v.strictObject(
  {
    ...articleFields,
    kind: v.literal('knowledge'),
    company: orNull(text('company')),
    greeting: orNull(text('greeting')),
    phone: orNull(
      v.strictObject(
        {
          number: v.pipe(
            text('phone.number'),
            v.regex(/^\+?[\d ()-]{5,24}$/, 'phone.number must be a phone number'),
          ),
          title: text('phone.title'),
        },
        objectMessage('phone'),
      ),
    ),
    contacts: v.optional(v.array(contactSchema, 'contacts must be a list'), []),
    bookingsUrl: orNull(httpUrl('bookingsUrl')),
    complaintsEmail: orNull(email('complaintsEmail')),
    languages: v.optional(
      v.pipe(v.array(languageTag, 'languages must be a list'), v.minLength(1, 'languages must not be empty')),
      [...KNOWLEDGE_AGENT_DEFAULTS.languages],
    ),
    eventFlows: v.optional(
      v.array(
        v.strictObject(
          {
            name: text('eventFlows.name'),
            phrases: v.pipe(
              texts('eventFlows.phrases'),
              v.minLength(1, 'eventFlows.phrases must not be empty'),
            ),
            text: text('eventFlows.text'),
            receivedText: text('eventFlows.receivedText'),
            timedOutText: text('eventFlows.timedOutText'),
            // An external event id is valid for one hour (rest.md, EE-3).
            timeoutMs: wholeNumber('eventFlows.timeoutMs', 1_000, 3_600_000),
          },
          objectMessage('every entry of eventFlows'),
        ),
        'eventFlows must be a list',
      ),
      [],
    ),
    places: v.optional(texts('places'), []),
    pacing: v.optional(
      v.pipe(
        v.strictObject(
          {
            minMs: wholeNumber('pacing.minMs', 0, MAX_PAUSE_MS),
            maxMs: wholeNumber('pacing.maxMs', 0, MAX_PAUSE_MS),
          },
          objectMessage('pacing'),
        ),
        v.check(({ minMs, maxMs }) => minMs <= maxMs, 'pacing.minMs must not be above pacing.maxMs'),
      ),
      KNOWLEDGE_AGENT_DEFAULTS.pacing,
    ),
    maxAnswerCharacters: v.optional(
      wholeNumber('maxAnswerCharacters', 100, 10_000),
      KNOWLEDGE_AGENT_DEFAULTS.maxAnswerCharacters,
    ),
  },
  objectMessage('the agent'),
);
