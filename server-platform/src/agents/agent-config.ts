import * as v from 'valibot';
import { KNOWLEDGE_AGENT_DEFAULTS, type KnowledgeAgentConfig } from './knowledge/knowledge-agent-config.ts';
import {
  LLM_AGENT_DEFAULTS,
  type LlmAgentConfig,
  type LlmRetries,
  type LlmTimeouts,
} from './llm/llm-agent-config.ts';

/** A knowledge agent's settings; everything with a default may be left out. */
export type KnowledgeAgentSettings = Pick<KnowledgeAgentConfig, 'name'> &
  Partial<KnowledgeAgentConfig> & {
    readonly kind: 'knowledge';
    /** Folder of the articles. */
    readonly knowledgeFolder: string;
  };

/** An LLM agent's settings; everything with a default may be left out. */
export type LlmAgentSettings = Pick<LlmAgentConfig, 'name' | 'greeting' | 'url' | 'model' | 'systemPrompt'> &
  Partial<Omit<LlmAgentConfig, 'timeouts' | 'retries'>> & {
    readonly kind: 'llm';
    /** Folder of the articles the model may search; null or absent: none. */
    readonly knowledgeFolder?: string | null;
    readonly timeouts?: Partial<LlmTimeouts>;
    readonly retries?: Partial<LlmRetries>;
  };

/** The configuration of one of the built-in agents. */
export type AgentConfig = KnowledgeAgentSettings | LlmAgentSettings;

/** A checked configuration with all defaults filled in. */
export type CompleteAgentConfig =
  | (KnowledgeAgentConfig & { readonly kind: 'knowledge'; readonly knowledgeFolder: string })
  | (LlmAgentConfig & { readonly kind: 'llm'; readonly knowledgeFolder: string | null });

// Messages name the field and the rule, never the value, because one of the values is a key.
const text = (what: string) =>
  v.pipe(v.string(`${what} must be a text`), v.trim(), v.nonEmpty(`${what} must not be empty`));
const texts = (what: string) => v.array(text(`every entry of ${what}`), `${what} must be a list of texts`);
const httpUrl = (what: string) =>
  v.pipe(
    text(what),
    v.check((value) => {
      const url = URL.parse(value);
      return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
    }, `${what} must be an http or https address without a user name`),
  );
const wholeNumber = (what: string, least: number, most: number) =>
  v.pipe(
    v.number(`${what} must be a number`),
    v.integer(`${what} must be a whole number`),
    v.minValue(least, `${what} must be at least ${least}`),
    v.maxValue(most, `${what} must be at most ${most}`),
  );
/** The message about an object: a missing field, an unknown field, or a value that is no object. */
const objectMessage =
  (what: string) =>
  ({
    expected,
    path,
  }: {
    expected: string | null;
    path?: readonly { readonly key: unknown }[] | undefined;
  }): string => {
    const key = String(path?.at(-1)?.key ?? '');
    if (expected === 'never') return `${what} has no setting "${key}"`;
    return expected === 'Object' ? `${what} must be an object` : `${what} needs "${key}"`;
  };
const orNull = <S extends v.GenericSchema>(schema: S) => v.optional(v.nullable(schema), null);

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

const timeZone = v.pipe(
  text('timeZone'),
  v.check((name) => {
    try {
      new Intl.DateTimeFormat('en', { timeZone: name });
      return true;
    } catch {
      return false;
    }
  }, 'timeZone must be a name such as "Europe/London"'),
);

const handoffSchema = v.strictObject(
  {
    destination: text('handoff.destination'),
    managed: v.optional(
      v.picklist(['server', 'client'], 'handoff.managed must be "server" or "client"'),
      'server',
    ),
    queueName: v.exactOptional(text('handoff.queueName')),
  },
  objectMessage('handoff'),
);

const phone = (what: string) =>
  v.pipe(text(what), v.regex(/^\+?[\d ()-]{3,24}$/, `${what} must be a phone number`));
const email = (what: string) =>
  v.pipe(text(what), v.regex(/^[^\s@]+@[^\s@]+$/, `${what} must be an address`));

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

const shared = {
  emergency: v.optional(
    v.strictObject(
      {
        numbers: v.optional(
          v.array(phone('every entry of emergency.numbers'), 'emergency.numbers must be a list'),
          [...KNOWLEDGE_AGENT_DEFAULTS.emergency.numbers],
        ),
        helpline: v.optional(
          v.nullable(
            v.strictObject(
              { name: text('emergency.helpline.name'), number: phone('emergency.helpline.number') },
              objectMessage('emergency.helpline'),
            ),
          ),
          KNOWLEDGE_AGENT_DEFAULTS.emergency.helpline,
        ),
      },
      objectMessage('emergency'),
    ),
    KNOWLEDGE_AGENT_DEFAULTS.emergency,
  ),
  timeZone: v.optional(timeZone, KNOWLEDGE_AGENT_DEFAULTS.timeZone),
  name: text('name'),
  avatarUrl: orNull(httpUrl('avatarUrl')),
  starters: v.optional(texts('starters'), []),
  helpBaseUrl: orNull(httpUrl('helpBaseUrl')),
  handoff: orNull(handoffSchema),
  /** Folder of the articles. */
  knowledgeFolder: text('knowledgeFolder'),
};

const MAX_PAUSE_MS = 1_000;

const knowledgeSchema = v.strictObject(
  {
    ...shared,
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
    replies: v.optional(
      v.record(
        v.string(),
        v.record(v.string(), text('every text of replies'), 'replies must hold texts by name'),
        'replies must hold texts by language',
      ),
      {},
    ),
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

const { timeouts, retries } = LLM_AGENT_DEFAULTS;
const MAX_WAIT_MS = 600_000;

const llmSchema = v.strictObject(
  {
    ...shared,
    kind: v.literal('llm'),
    greeting: text('greeting'),
    /** Without a folder the model has nothing to look things up in. */
    knowledgeFolder: orNull(shared.knowledgeFolder),
    url: httpUrl('url'),
    apiKey: orNull(
      v.pipe(text('apiKey'), v.regex(/^[\x21-\x7e]+$/, 'apiKey must hold no spaces or special characters')),
    ),
    model: text('model'),
    systemPrompt: text('systemPrompt'),
    extraBody: v.optional(v.record(v.string(), v.unknown(), 'extraBody must hold fields'), {}),
    timeouts: v.optional(
      v.strictObject(
        {
          firstByteMs: v.optional(wholeNumber('timeouts.firstByteMs', 1, MAX_WAIT_MS), timeouts.firstByteMs),
          idleMs: v.optional(wholeNumber('timeouts.idleMs', 1, MAX_WAIT_MS), timeouts.idleMs),
          totalMs: v.optional(wholeNumber('timeouts.totalMs', 1, MAX_WAIT_MS), timeouts.totalMs),
        },
        objectMessage('timeouts'),
      ),
      timeouts,
    ),
    retries: v.optional(
      v.strictObject(
        {
          maxAttempts: v.optional(wholeNumber('retries.maxAttempts', 1, 10), retries.maxAttempts),
          baseDelayMs: v.optional(wholeNumber('retries.baseDelayMs', 0, MAX_WAIT_MS), retries.baseDelayMs),
          maxDelayMs: v.optional(wholeNumber('retries.maxDelayMs', 0, MAX_WAIT_MS), retries.maxDelayMs),
        },
        objectMessage('retries'),
      ),
      retries,
    ),
    maxHistory: v.optional(wholeNumber('maxHistory', 0, 1_000), LLM_AGENT_DEFAULTS.maxHistory),
    maxSteps: v.optional(wholeNumber('maxSteps', 1, 20), LLM_AGENT_DEFAULTS.maxSteps),
  },
  objectMessage('the agent'),
);

/** The schema of one entry under `agents`. */
export const agentConfigSchema: v.GenericSchema<unknown, CompleteAgentConfig> = v.variant(
  'kind',
  [knowledgeSchema, llmSchema],
  'the agent needs a "kind", either "knowledge" or "llm"',
);

/**
 * Checks a configuration that came from a file or the environment, and fills in the defaults.
 *
 * Throws an error that names every wrong setting and its rule, but never a value, because a value may be a key.
 */
export function parseAgentConfig(config: unknown): CompleteAgentConfig {
  const result = v.safeParse(agentConfigSchema, config);
  if (result.success) return result.output;
  const problems = new Set(result.issues.map((issue) => issue.message));
  throw new Error(`Correct the agent's configuration: ${[...problems].join('; ')}.`);
}
