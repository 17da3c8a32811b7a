import * as v from 'valibot';
import { isTimeZone } from '../kit/time-zone.ts';
import { KNOWLEDGE_AGENT_DEFAULTS } from './articles/knowledge-agent-config.ts';
import { ENDPOINT_DEFAULTS } from './endpoint/endpoint-limits.ts';

// Messages name the field and the rule, never the value, because one of the values is a key.
export const text = (what: string) =>
  v.pipe(v.string(`${what} must be a text`), v.trim(), v.nonEmpty(`${what} must not be empty`));
export const texts = (what: string) =>
  v.array(text(`every entry of ${what}`), `${what} must be a list of texts`);
export const httpUrl = (what: string) =>
  v.pipe(
    text(what),
    v.check((value) => {
      const url = URL.parse(value);
      return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
    }, `${what} must be an http or https address without a user name`),
  );
export const wholeNumber = (what: string, least: number, most: number) =>
  v.pipe(
    v.number(`${what} must be a number`),
    v.integer(`${what} must be a whole number`),
    v.minValue(least, `${what} must be at least ${least}`),
    v.maxValue(most, `${what} must be at most ${most}`),
  );
/** The message about an object: a missing field, an unknown field, or a value that is not an object. */
export const objectMessage =
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
export const orNull = <S extends v.GenericSchema>(schema: S) => v.optional(v.nullable(schema), null);

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

export const phone = (what: string) =>
  v.pipe(text(what), v.regex(/^\+?[\d ()-]{3,24}$/, `${what} must be a phone number`));
export const email = (what: string) =>
  v.pipe(text(what), v.regex(/^[^\s@]+@[^\s@]+$/, `${what} must be an address`));

/** Settings that every kind of agent has. */
export const identity = {
  name: text('name'),
  avatarUrl: orNull(httpUrl('avatarUrl')),
  handoff: orNull(handoffSchema),
};

/** Additional settings of an agent that answers from articles. */
export const articleFields = {
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

const { timeouts, retries } = ENDPOINT_DEFAULTS;
/** Maximum of a time setting. */
export const MAX_WAIT_MS = 600_000;

/** Time limits of an endpoint. */
export const endpointTimeouts = {
  firstByteMs: v.optional(wholeNumber('timeouts.firstByteMs', 1, MAX_WAIT_MS), timeouts.firstByteMs),
  idleMs: v.optional(wholeNumber('timeouts.idleMs', 1, MAX_WAIT_MS), timeouts.idleMs),
  totalMs: v.optional(wholeNumber('timeouts.totalMs', 1, MAX_WAIT_MS), timeouts.totalMs),
};

/** Time limits and retries of an agent's endpoint. */
export const endpointLimits = {
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
