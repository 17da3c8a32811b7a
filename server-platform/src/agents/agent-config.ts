import * as v from 'valibot';
import { isTimeZone } from '../kit/time-zone.ts';
import { KNOWLEDGE_AGENT_DEFAULTS, type KnowledgeAgentConfig } from './articles/knowledge-agent-config.ts';
import { ENDPOINT_DEFAULTS, type EndpointRetries } from './endpoint/endpoint-limits.ts';
import { LLM_AGENT_DEFAULTS, type LlmAgentConfig, type ModelTimeouts } from './llm/llm-agent-config.ts';
import type { TokenLimits } from './llm/model-guard.ts';
import type { WebhookAgentConfig } from './webhook/webhook-agent-config.ts';

/** A knowledge agent's settings; everything with a default may be left out. */
export type KnowledgeAgentSettings = Pick<KnowledgeAgentConfig, 'name'> &
  Partial<KnowledgeAgentConfig> & {
    readonly kind: 'knowledge';
    /** Folder of the articles. */
    readonly knowledgeFolder: string;
    /** Path of an ES module that exports `tools`; null or absent: none. */
    readonly tools?: string | null;
  };

/** An LLM agent's settings; everything with a default may be left out. */
export type LlmAgentSettings = Pick<LlmAgentConfig, 'name' | 'greeting' | 'url' | 'model' | 'systemPrompt'> &
  Partial<Omit<LlmAgentConfig, 'timeouts' | 'retries' | 'tokenLimits'>> & {
    readonly kind: 'llm';
    /** Folder of the articles the model may search; null or absent: none. */
    readonly knowledgeFolder?: string | null;
    /** As for a knowledge agent. */
    readonly tools?: string | null;
    readonly synonyms?: readonly (readonly string[])[];
    readonly alternatives?: readonly (readonly string[])[];
    readonly timeouts?: Partial<ModelTimeouts>;
    readonly retries?: Partial<EndpointRetries>;
    readonly tokenLimits?: Partial<TokenLimits>;
  };

/** The settings of a built-in agent: one that answers from articles, or one that asks a language model. */
export type AgentConfig = KnowledgeAgentSettings | LlmAgentSettings;

/** Checked settings of an agent that answers from articles, with all defaults filled in. */
export type ArticleAgentConfig =
  | (KnowledgeAgentConfig & {
      readonly kind: 'knowledge';
      readonly knowledgeFolder: string;
      readonly tools: string | null;
    })
  | (LlmAgentConfig & {
      readonly kind: 'llm';
      readonly knowledgeFolder: string | null;
      readonly tools: string | null;
      readonly synonyms: readonly (readonly string[])[];
      readonly alternatives: readonly (readonly string[])[];
    });

/** The checked configuration of one of the built-in agents, with all defaults filled in. */
export type CompleteAgentConfig = ArticleAgentConfig | (WebhookAgentConfig & { readonly kind: 'webhook' });

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
  v.check(isTimeZone, 'timeZone must be a name such as "Europe/London"'),
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

const identity = {
  name: text('name'),
  avatarUrl: orNull(httpUrl('avatarUrl')),
  handoff: orNull(handoffSchema),
};

const shared = {
  ...identity,
  replies: v.optional(
    v.record(
      v.string(),
      v.record(v.string(), text('every text of replies'), 'replies must hold texts by name'),
      'replies must hold texts by language',
    ),
    {},
  ),
  emergency: v.optional(
    v.strictObject(
      {
        numbers: v.optional(
          v.nullable(
            v.pipe(
              v.array(phone('every entry of emergency.numbers'), 'emergency.numbers must be a list'),
              v.minLength(1, 'emergency.numbers must not be empty'),
            ),
          ),
          null,
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
  country: orNull(v.pipe(text('country'), v.regex(/^[A-Z]{2}$/, 'country must be two letters such as "GB"'))),
  timeZone: v.optional(timeZone, KNOWLEDGE_AGENT_DEFAULTS.timeZone),
  starters: v.optional(texts('starters'), []),
  helpBaseUrl: orNull(httpUrl('helpBaseUrl')),
  /** Folder of the articles. */
  knowledgeFolder: text('knowledgeFolder'),
  /** ES module that exports the agent's tools as `tools`. */
  tools: orNull(text('tools')),
  synonyms: v.optional(v.array(texts('synonyms'), 'synonyms must be a list of groups of words'), [
    ...KNOWLEDGE_AGENT_DEFAULTS.synonyms,
  ]),
  alternatives: v.optional(
    v.array(texts('alternatives'), 'alternatives must be a list of groups of names'),
    [],
  ),
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

const { timeouts, retries } = ENDPOINT_DEFAULTS;
const MAX_WAIT_MS = 600_000;
const MAX_TOKENS = 1_000_000_000;

const endpointTimeouts = {
  firstByteMs: v.optional(wholeNumber('timeouts.firstByteMs', 1, MAX_WAIT_MS), timeouts.firstByteMs),
  idleMs: v.optional(wholeNumber('timeouts.idleMs', 1, MAX_WAIT_MS), timeouts.idleMs),
  totalMs: v.optional(wholeNumber('timeouts.totalMs', 1, MAX_WAIT_MS), timeouts.totalMs),
};

const endpointLimits = {
  timeouts: v.optional(v.strictObject(endpointTimeouts, objectMessage('timeouts')), timeouts),
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
};

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
    ...endpointLimits,
    timeouts: v.optional(
      v.strictObject(
        {
          ...endpointTimeouts,
          firstWordMs: v.optional(
            wholeNumber('timeouts.firstWordMs', 1, MAX_WAIT_MS),
            LLM_AGENT_DEFAULTS.timeouts.firstWordMs,
          ),
        },
        objectMessage('timeouts'),
      ),
      LLM_AGENT_DEFAULTS.timeouts,
    ),
    tokenLimits: v.optional(
      v.strictObject(
        {
          conversation: orNull(wholeNumber('tokenLimits.conversation', 1_000, MAX_TOKENS)),
          projectPerDay: orNull(wholeNumber('tokenLimits.projectPerDay', 1_000, MAX_TOKENS)),
        },
        objectMessage('tokenLimits'),
      ),
      LLM_AGENT_DEFAULTS.tokenLimits,
    ),
    maxHistory: v.optional(wholeNumber('maxHistory', 0, 1_000), LLM_AGENT_DEFAULTS.maxHistory),
    maxSteps: v.optional(wholeNumber('maxSteps', 1, 20), LLM_AGENT_DEFAULTS.maxSteps),
  },
  objectMessage('the agent'),
);

// As long as the signature's hash, 32 bytes.
const MIN_SECRET_CHARACTERS = 32;

const webhookSchema = v.strictObject(
  {
    ...identity,
    kind: v.literal('webhook'),
    url: httpUrl('url'),
    secret: v.pipe(
      text('secret'),
      v.minLength(MIN_SECRET_CHARACTERS, `secret must have at least ${MIN_SECRET_CHARACTERS} characters`),
    ),
    ...endpointLimits,
  },
  objectMessage('the agent'),
);

/** The schema of one entry under `agents`. */
export const agentConfigSchema: v.GenericSchema<unknown, CompleteAgentConfig> = v.variant(
  'kind',
  [knowledgeSchema, llmSchema, webhookSchema],
  'the agent needs a "kind" of "knowledge", "llm" or "webhook"',
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
