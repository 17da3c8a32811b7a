import * as v from 'valibot';
import { DEFAULT_CAPACITY, EMAIL, MAX_CAPACITY, MIN_PASSWORD_CHARACTERS, ROLES } from '../../staff/index.ts';

const text = (most: number) =>
  v.pipe(
    v.string('must be a text'),
    v.check((value) => value.trim() !== '', 'must not be empty'),
    v.maxLength(most, `must have at most ${most} characters`),
    // PostgreSQL keeps no text with it.
    v.check((value) => !value.includes('\0'), 'must not contain the character U+0000'),
  );
const id = text(200);
const time = v.nullable(v.string());
const strings = v.array(v.string());
const attributes = v.record(v.string(), v.unknown());

/** Bodies of the calls. */
export const signInSchema = v.object({
  email: text(320),
  password: text(1_000),
  /** Slug or id; needed by those who are in several accounts with the same password. */
  account: v.optional(v.nullable(text(100)), null),
});
export const passwordSchema = v.object({
  current: text(1_000),
  next: v.pipe(
    v.string('must be a text'),
    v.minLength(MIN_PASSWORD_CHARACTERS, `must have at least ${MIN_PASSWORD_CHARACTERS} characters`),
    v.maxLength(1_000, 'must have at most 1000 characters'),
  ),
});
const role = v.picklist(ROLES, `must be one of: ${ROLES.join(', ')}`);
const words = v.pipe(
  v.array(text(100), 'must be a list of texts'),
  v.maxLength(50, 'must have at most 50 entries'),
);
const capacity = v.pipe(
  v.number('must be a number'),
  v.integer('must be a whole number'),
  v.minValue(1, 'must be at least 1'),
  v.maxValue(MAX_CAPACITY, `must be at most ${MAX_CAPACITY}`),
);
export const inviteSchema = v.object({
  email: v.pipe(text(320), v.regex(EMAIL, 'must be an email address')),
  name: text(100),
  role: v.optional(role, 'agent'),
  capacity: v.optional(capacity, DEFAULT_CAPACITY),
  skills: v.optional(words, []),
  languages: v.optional(words, []),
  queue_ids: v.optional(v.array(id, 'must be a list of texts'), []),
});
export const personChangeSchema = v.object({
  name: v.exactOptional(text(100)),
  role: v.exactOptional(role),
  capacity: v.exactOptional(capacity),
  skills: v.exactOptional(words),
  languages: v.exactOptional(words),
  queue_ids: v.exactOptional(v.array(id, 'must be a list of texts')),
});
export const presenceSchema = v.object({
  presence: v.picklist(['available', 'away'], 'must be one of: available, away'),
});
export const messageSchema = v.object({
  /** Chosen by the sender: sent again with the same one, the message is stored once. */
  id: text(100),
  text: v.pipe(
    v.string('must be a text'),
    v.check((value) => value.trim() !== '', 'must not be empty'),
    v.maxBytes(32_768, 'must be at most 32768 bytes of UTF-8'),
  ),
});
export const typingSchema = v.object({
  state: v.picklist(['started', 'stopped'], 'must be one of: started, stopped'),
});
export const transferSchema = v.pipe(
  v.object({
    queue_id: v.optional(id),
    person_id: v.optional(id),
    /** Kept as a private note. */
    note: v.optional(text(10_000)),
  }),
  v.check(
    ({ queue_id, person_id }) => queue_id !== undefined || person_id !== undefined,
    'must have a queue_id or a person_id',
  ),
);
export const returnSchema = v.object({
  /** For the automated agent; visitors are not shown it. */
  summary: v.optional(text(4_000)),
});
export const noteSchema = v.object({ text: text(10_000) });
export const tagsSchema = v.object({
  tags: v.pipe(v.array(text(50), 'must be a list of texts'), v.maxLength(20, 'must have at most 20 entries')),
});
export const replySchema = v.object({
  name: text(100),
  text: text(10_000),
  /** Null: for conversations in every language. */
  language: v.optional(
    v.nullable(
      v.pipe(
        v.string('must be a text or null'),
        v.regex(/^[A-Za-z]{2,3}(?:-[A-Za-z\d]{2,8}){0,3}$/, 'must be a language tag such as de or pt-BR'),
      ),
    ),
    null,
  ),
});
export const doneSchema = v.object({ done: v.boolean('must be true or false') });

const named = <const Entries extends v.ObjectEntries>(name: string, entries: Entries) =>
  v.pipe(v.object(entries), v.metadata({ name }));

/** A request as desks see it. */
export const requestView = named('DeskRequest', {
  id: v.string(),
  status: v.picklist(['waiting', 'offered', 'accepted', 'returned', 'ended', 'abandoned']),
  conversation_id: v.string(),
  queue_id: v.string(),
  queue_name: v.string(),
  person_id: v.nullable(v.string()),
  person_name: v.nullable(v.string()),
  reason: v.string(),
  language: v.nullable(v.string()),
  requested_at: v.string(),
  /** Since when the visitor has closed the page; null: they are there. */
  left_at: time,
  /** `idle`: the page is open and sends no frames. Null: the request is over. */
  visitor: v.nullable(v.picklist(['here', 'idle', 'gone'])),
  /** Since when they are idle or gone. */
  visitor_since: time,
  accepted_at: time,
  offer_expires_at: time,
  ended_at: time,
  position: v.nullable(v.number()),
  estimated_wait_seconds: v.nullable(v.number()),
  unread: v.number(),
  /** The message that the visitor has seen last; null: none, or their client sends no receipts. */
  seen_message_id: v.nullable(v.string()),
  tags: strings,
});

/** A contact request: a visitor's message to be answered by email. */
export const contactView = named('DeskContactRequest', {
  id: v.string(),
  project: v.string(),
  conversation_id: v.nullable(v.string()),
  /** Empty if the visitor gave none. */
  name: v.string(),
  email: v.string(),
  text: v.string(),
  created_at: v.string(),
  done_at: time,
  done_by: v.nullable(v.string()),
});
export const contactListView = v.object({ contact_requests: v.array(contactView) });

/** The person who is signed in. */
export const meView = named('DeskMe', {
  id: v.string(),
  email: v.string(),
  name: v.string(),
  role: v.picklist(ROLES),
  presence: v.picklist(['available', 'away']),
  capacity: v.number(),
});

/** Existing and waiting items. */
export const inboxView = named('DeskInbox', {
  me: meView,
  /** Their own, and the first 100 of the others, of which those come first whose visitors are there. */
  requests: v.array(requestView),
  recent: v.array(requestView),
  /** Beginnings of the visitors' first questions, by conversation id. */
  questions: v.record(v.string(), v.string()),
  /** The oldest 20 of those that are not done. */
  contact_requests: v.array(contactView),
  queues: v.array(
    named('DeskQueue', { id: v.string(), name: v.string(), is_open: v.boolean(), waiting: v.number() }),
  ),
  people: v.array(
    named('DeskPerson', {
      id: v.string(),
      name: v.string(),
      role: v.string(),
      presence: v.picklist(['available', 'away', 'offline']),
      load: v.number(),
      capacity: v.number(),
    }),
  ),
});

/** Results of a search, newest first. */
export const foundView = named('DeskFound', {
  requests: v.array(requestView),
  /** The visitors' first questions by conversation id, for conversations that the person may read. */
  questions: v.record(v.string(), v.string()),
  /** Their names, as their pages gave them, by the id of the request. */
  visitors: v.record(v.string(), v.string()),
});

const noteView = named('DeskNote', {
  id: v.string(),
  person_name: v.string(),
  text: v.string(),
  created_at: v.string(),
});

/** The visitor of a conversation, and their earlier requests. */
export const visitorView = named('DeskVisitor', {
  language: v.nullable(v.string()),
  /** `web`, `ios-web`, `android-web`, … */
  platform: v.nullable(v.string()),
  /** `mobile`, `tablet` or `desktop`. */
  device_type: v.nullable(v.string()),
  /** Values of the attribute `page` that the site sent, newest first; addresses without query and fragment. */
  pages: v.array(v.object({ page: v.string(), at: v.string() })),
  /** The user that the page names; verified: the user that the page's backend signed. */
  user: v.nullable(v.object({ id: v.string(), is_verified: v.boolean() })),
  /** The newest 10 of the same user among the last 500 requests of the account. */
  earlier: v.array(
    named('DeskEarlierRequest', {
      id: v.string(),
      /** Whether the person may open it. */
      may_open: v.boolean(),
      queue_name: v.string(),
      person_name: v.nullable(v.string()),
      requested_at: v.string(),
      /**
       * What the visitor asked first; empty in projects that show no transcripts. This, tags and notes are empty too where
       * the person may not open it and the user is not verified.
       */
      question: v.string(),
      tags: strings,
      notes: v.array(noteView),
    }),
  ),
});

/** A conversation beside its transcript. */
export const detailsView = named('DeskDetails', {
  request: requestView,
  notes: v.array(noteView),
  /** Null: the person may not read the conversation. */
  visitor: v.nullable(visitorView),
  /** The variables of the automated agent. */
  state: attributes,
  /** Attributes that the visitor's page has sent last. */
  page: attributes,
  handoff: attributes,
  survey: v.nullable(named('DeskSurvey', { score: v.string(), comment: v.nullable(v.string()) })),
});

/** The people of an account, as admins see them. */
export const peopleView = v.object({
  people: v.array(
    named('DeskAccountPerson', {
      id: v.string(),
      email: v.string(),
      name: v.string(),
      role: v.picklist(ROLES),
      capacity: v.number(),
      skills: strings,
      languages: strings,
      queue_ids: strings,
      presence: v.picklist(['available', 'away', 'offline']),
      seen_at: time,
      /** Since when the person is kept out. */
      disabled_at: time,
    }),
  ),
  queues: v.array(v.object({ id: v.string(), name: v.string() })),
});
const seconds = v.nullable(v.number());
const level = {
  requests: v.number(),
  answered: v.number(),
  /** Within `within_seconds`. */
  answered_in_time: v.number(),
  abandoned: v.number(),
  /** Medians, and the time in which nine of ten were answered; null: there was none. */
  waiting_seconds: seconds,
  waiting_p90_seconds: seconds,
  /** From the request to the person's first message: median, and the time in which 19 of 20 had it. */
  first_answer_seconds: seconds,
  first_answer_p95_seconds: seconds,
  handling_seconds: seconds,
  /** Answers to the survey, and their mean from 1 to 5; null: there was none. */
  scored: v.number(),
  score: v.nullable(v.number()),
};
export const levelView = named('DeskServiceLevel', level);
export const serviceLevelsView = v.object({
  from: v.string(),
  to: v.string(),
  within_seconds: v.number(),
  step: v.picklist(['hour', 'day']),
  total: levelView,
  queues: v.array(v.object({ id: v.string(), name: v.string(), ...level })),
  /** The hours or days in which something came. */
  spans: v.array(v.object({ start: v.string(), ...level })),
  /** How the live conversations that began in the span ended; null if only one queue was requested. */
  outcomes: v.nullable(
    named('DeskOutcomes', {
      ended: v.number(),
      /** The automated agent did not request a person. */
      agent_alone: v.number(),
      with_person: v.number(),
      /** The automated agent requested a person, but none joined. */
      without_person: v.number(),
      /** Handed off to another system. */
      transferred: v.number(),
    }),
  ),
  /** The newest 50 comments of visitors in the survey; none of projects with `show_transcripts` off. */
  comments: v.array(
    named('DeskComment', {
      conversation_id: v.string(),
      /** Slug of the conversation's project. */
      project: v.string(),
      score: v.number(),
      text: v.string(),
      at: v.string(),
    }),
  ),
});
export const signInOptionsView = v.object({ oidc: v.nullable(v.string()) });
export const passwordView = v.object({ id: v.string(), password: v.string() });

export const repliesView = v.object({
  replies: v.array(
    named('DeskReply', {
      id: v.string(),
      name: v.string(),
      text: v.string(),
      language: v.nullable(v.string()),
    }),
  ),
});
export const auditView = v.object({
  entries: v.array(
    named('DeskAuditEntry', {
      id: v.number(),
      actor: v.string(),
      action: v.string(),
      subject: v.string(),
      at: v.string(),
    }),
  ),
});
export const sentView = v.object({ message_id: v.string() });
