import * as v from 'valibot';

/** A hand-off provider of the configuration file. */
export type HandoffProviderConfig = ClientConfig | DeskConfig | HttpDeskConfig | ScriptedDeskConfig;

/** The visitor's page connects to human agents itself. */
export type ClientConfig = { readonly kind: 'client' };

/** The platform's own desk; see the folder `desk`. */
export type DeskConfig = {
  readonly kind: 'desk';
  /** How long a person may take to accept an offer, before the next one gets it. */
  readonly offerMs: number;
  /** How long a conversation waits for a person whose desk is not connected, before it goes back to the queue. */
  readonly returnMs: number;
};

/** Another system reaches people; see `http-desk.ts`. */
export type HttpDeskConfig = {
  readonly kind: 'http';
  /** Where events are posted. */
  readonly url: string;
  /** Signs them. */
  readonly secret: string;
  /** How long an answer may take. */
  readonly timeoutMs: number;
};

/** A script that plays the queue and the person; see `scripted-desk.ts`. */
export type ScriptedDeskConfig = {
  readonly kind: 'scripted';
  /** Whether a person answers, or in which of four ways the hand-off fails. */
  readonly outcome: 'answers' | 'refuses' | 'unavailable' | 'fails' | 'nobody_joins';
  readonly queueName: string;
  /** Visitors ahead in the queue at first. */
  readonly positions: number;
  /** Until the queue moves on by one. */
  readonly stepMs: number;
  readonly agentName: string;
  readonly agentAvatarUrl: string | null;
  /** How long the person types. */
  readonly typingMs: number;
  /** The person's words when joining. */
  readonly greeting: string;
  /** The scripted agent's answers, in order, starting again at the end. */
  readonly answers: readonly string[];
  /** The person's last words. */
  readonly goodbye: string;
  /** The person leaves after as many messages, or when the visitor says goodbye. */
  readonly leavesAfter: number;
  /** Whether messages to the human agent are lost, to test the text that the visitor sees. */
  readonly losesMessages: boolean;
};

const text = v.pipe(v.string('must be a text, in quotes'), v.trim(), v.nonEmpty('must not be empty'));
const count = (least: number, most: number): v.GenericSchema<unknown, number> =>
  v.pipe(
    v.number('must be a number'),
    v.integer('must be a whole number'),
    v.minValue(least, `must be at least ${least}`),
    v.maxValue(most, `must be at most ${most}`),
  );

const OUTCOMES = ['answers', 'refuses', 'unavailable', 'fails', 'nobody_joins'] as const;

const client = v.strictObject({ kind: v.literal('client') });

const desk = v.strictObject({
  kind: v.literal('desk'),
  offerMs: v.optional(count(5_000, 600_000), 30_000),
  returnMs: v.optional(count(15_000, 3_600_000), 120_000),
});

const http = v.strictObject({
  kind: v.literal('http'),
  url: v.pipe(text, v.regex(/^https?:\/\//, 'must begin with https:// (or http://, in development)')),
  secret: v.pipe(text, v.minLength(32, 'must have at least 32 characters')),
  timeoutMs: v.optional(count(100, 30_000), 5_000),
});

const scripted = v.strictObject({
  kind: v.literal('scripted'),
  outcome: v.optional(v.picklist(OUTCOMES, `must be one of ${OUTCOMES.join(', ')}`), 'answers'),
  queueName: v.optional(text, 'Service desk'),
  positions: v.optional(count(0, 100), 3),
  stepMs: v.optional(count(0, 600_000), 3_000),
  agentName: v.optional(text, 'Grace'),
  agentAvatarUrl: v.optional(v.nullable(text), null),
  typingMs: v.optional(count(0, 60_000), 1_500),
  greeting: v.optional(
    text,
    'Hello, I am Grace, a demonstration: my answers are prepared, and no person reads yours. How can I help?',
  ),
  answers: v.optional(
    v.pipe(v.array(text, 'must be a list, in square brackets'), v.minLength(1, 'must hold at least one')),
    [
      'Thank you. Let me look that up for you.',
      'I have found it, and everything is in order. Is there anything else?',
      'Of course. I have made a note of that.',
    ],
  ),
  goodbye: v.optional(text, 'You are welcome. Goodbye!'),
  leavesAfter: v.optional(count(1, 1_000), 4),
  losesMessages: v.optional(v.boolean('must be true or false'), false),
});

/** The schema of one entry under `handoffProviders`. */
export const handoffProviderSchema: v.GenericSchema<unknown, HandoffProviderConfig> = v.variant(
  'kind',
  [client, desk, http, scripted],
  'must have a "kind" of "client", "desk", "http" or "scripted"',
);

/** The providers that are there without any configuration. */
export const DEFAULT_HANDOFF_PROVIDERS: Readonly<Record<'client' | 'scripted', HandoffProviderConfig>> = {
  client: { kind: 'client' },
  scripted: v.parse(scripted, { kind: 'scripted' }),
};
