/**
 * Tables of the desk: its staff, their queues, and requests.
 *
 * Points in time are `bigint` milliseconds.
 */
import { sql } from 'drizzle-orm';
import {
  bigint,
  customType,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { accounts } from './accounts.ts';

const ms = (name: string) => bigint(name, { mode: 'number' });
const bytes = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' });
const words = (name: string) => jsonb(name).$type<readonly string[]>().notNull().default([]);
const accountId = () =>
  text('account_id')
    .notNull()
    .references(() => accounts.id, { onDelete: 'cascade' });

export const deskPeople = pgTable(
  'desk_people',
  {
    id: uuid('id').primaryKey(),
    accountId: accountId(),
    /** Lower case; used to sign in, and unique within the account. */
    email: text('email').notNull(),
    /** Name shown to visitors. */
    name: text('name').notNull(),
    /** agent, supervisor, admin. */
    role: text('role').notNull(),
    /** scrypt, with its parameters and salt. */
    passwordHash: text('password_hash').notNull(),
    /** Maximum number of concurrent conversations. */
    capacity: integer('capacity').notNull(),
    skills: words('skills'),
    /** Empty: every language. */
    languages: words('languages'),
    /** available or away, as chosen by the person. */
    presence: text('presence').notNull().default('away'),
    /** When one of their desks was last connected. */
    seenAt: ms('seen_at').notNull().default(0),
    /** When the person was disabled; null: not disabled. */
    disabledAt: ms('disabled_at'),
    /** Time of the last offer, to distribute offers evenly. */
    offeredAt: ms('offered_at').notNull().default(0),
    createdAt: ms('created_at').notNull(),
  },
  (table) => [
    // The same address may be used in several accounts.
    unique('desk_people_email_key').on(table.accountId, table.email),
    index('desk_people_email_idx').on(table.email),
  ],
);

export const deskQueues = pgTable(
  'desk_queues',
  {
    id: uuid('id').primaryKey(),
    accountId: accountId(),
    name: text('name').notNull(),
    /** Skills that people need for its conversations. */
    skills: words('skills'),
    /** Languages of the queue; empty: all. */
    languages: words('languages'),
    /** As entered, such as `Mo-Fr 09:00-17:00`; null: always open. */
    hours: text('hours'),
    timezone: text('timezone').notNull(),
    /** Text for visitors outside the hours; null: the hours. */
    closedText: text('closed_text'),
    createdAt: ms('created_at').notNull(),
  },
  (table) => [uniqueIndex('desk_queues_name_key').on(table.accountId, sql`lower(${table.name})`)],
);

export const deskMembers = pgTable(
  'desk_members',
  {
    queueId: uuid('queue_id')
      .notNull()
      .references(() => deskQueues.id, { onDelete: 'cascade' }),
    personId: uuid('person_id')
      .notNull()
      .references(() => deskPeople.id, { onDelete: 'cascade' }),
  },
  (table) => [primaryKey({ name: 'desk_members_pkey', columns: [table.queueId, table.personId] })],
);

export const deskSignIns = pgTable(
  'desk_sign_ins',
  {
    /** SHA-256 of the cookie's value. */
    tokenHash: text('token_hash').primaryKey(),
    personId: uuid('person_id')
      .notNull()
      .references(() => deskPeople.id, { onDelete: 'cascade' }),
    createdAt: ms('created_at').notNull(),
    expiresAt: ms('expires_at').notNull(),
  },
  (table) => [index('desk_sign_ins_person_idx').on(table.personId)],
);

/** A handoff to the desk; a session may have several, one after the other. */
export const deskRequests = pgTable(
  'desk_requests',
  {
    /** `ho_…` */
    id: text('id').primaryKey(),
    accountId: accountId(),
    projectId: text('project_id').notNull(),
    // No foreign key, because `removeSessions` removes and counts the requests.
    sessionId: uuid('session_id').notNull(),
    conversationId: text('conversation_id').notNull(),
    /** Name of the hand-off provider. */
    provider: text('provider').notNull(),
    queueId: uuid('queue_id')
      .notNull()
      .references(() => deskQueues.id),
    /** waiting, offered, accepted, returned, ended, abandoned. */
    status: text('status').notNull(),
    /** The person with the current offer or who accepted it; kept after the end. */
    personId: uuid('person_id').references(() => deskPeople.id, { onDelete: 'set null' }),
    /** The person who gets the next offer, after a transfer. */
    wantedPersonId: uuid('wanted_person_id'),
    /** When people declined it or ignored an offer, by person id. */
    declined: jsonb('declined').$type<Readonly<Record<string, number>>>().notNull().default({}),
    skills: words('skills'),
    language: text('language'),
    reason: text('reason').notNull(),
    requestedAt: ms('requested_at').notNull(),
    offerExpiresAt: ms('offer_expires_at'),
    acceptedAt: ms('accepted_at'),
    /** When a person first wrote to the visitor; null: never. */
    firstMessageAt: ms('first_message_at'),
    endedAt: ms('ended_at'),
    endReason: text('end_reason'),
    /** Since when the visitor has no socket; null: connected. */
    leftAt: ms('left_at'),
    offerMs: integer('offer_ms').notNull(),
    returnMs: integer('return_ms').notNull(),
    position: integer('position'),
    estimatedWaitSeconds: integer('estimated_wait_seconds'),
    /** Number of visitor messages since the person last wrote. */
    unread: integer('unread').notNull().default(0),
    /** The last message that the visitor has seen, as reported by their client. */
    seenMessageId: text('seen_message_id'),
    tags: words('tags'),
    /** Incremented by every change. */
    version: integer('version').notNull().default(0),
    /** Events still to be sent to the session, in order. */
    pending: jsonb('pending').$type<readonly unknown[]>().notNull().default([]),
  },
  (table) => [
    index('desk_requests_open_idx').on(table.accountId).where(sql`${table.endedAt} IS NULL`),
    index('desk_requests_pending_idx').on(table.accountId).where(sql`${table.pending} <> '[]'::jsonb`),
    // For the duration of a queue's conversations.
    index('desk_requests_handled_idx')
      .on(table.queueId, table.endedAt)
      .where(sql`${table.acceptedAt} IS NOT NULL AND ${table.endedAt} IS NOT NULL`),
    index('desk_requests_account_idx').on(table.accountId, table.requestedAt),
    index('desk_requests_person_idx').on(table.personId, table.endedAt),
    index('desk_requests_session_idx').on(table.sessionId),
  ],
);

/** Private notes about a conversation, never shown to visitors. */
export const deskNotes = pgTable(
  'desk_notes',
  {
    id: uuid('id').primaryKey(),
    sessionId: uuid('session_id').notNull(),
    personName: text('person_name').notNull(),
    text: text('text').notNull(),
    createdAt: ms('created_at').notNull(),
  },
  (table) => [index('desk_notes_session_idx').on(table.sessionId, table.createdAt)],
);

/** Files that people have sent to visitors. */
export const deskFiles = pgTable(
  'desk_files',
  {
    /** Part of the file's address, which is the permission to read it; cannot be guessed. */
    id: text('id').primaryKey(),
    // No foreign key, because `removeSessions` removes and counts the files.
    sessionId: uuid('session_id').notNull(),
    /** The message with the file, so that a file sent again is stored once. */
    messageKey: text('message_key').notNull(),
    /** With an extension of `type`. */
    name: text('name').notNull(),
    /** Media type, determined by the content. */
    type: text('type').notNull(),
    content: bytes('content').notNull(),
    createdAt: ms('created_at').notNull(),
  },
  (table) => [
    index('desk_files_session_idx').on(table.sessionId),
    unique('desk_files_message_key').on(table.messageKey),
  ],
);

/** Canned replies of an account. */
export const deskReplies = pgTable(
  'desk_replies',
  {
    id: uuid('id').primaryKey(),
    accountId: accountId(),
    name: text('name').notNull(),
    /** With placeholders such as `{name}`. */
    text: text('text').notNull(),
    /** For conversations in this language; null: for all. */
    language: text('language'),
    createdAt: ms('created_at').notNull(),
  },
  (table) => [index('desk_replies_account_idx').on(table.accountId)],
);

/** Audit log of the desk. Contains no visitor text. */
export const deskAudit = pgTable(
  'desk_audit',
  {
    id: ms('id').primaryKey().generatedByDefaultAsIdentity(),
    accountId: accountId(),
    /** Email address, or `command line`. */
    actor: text('actor').notNull(),
    action: text('action').notNull(),
    /** The affected request, person, queue or reply. */
    subject: text('subject').notNull(),
    at: ms('at').notNull(),
  },
  (table) => [index('desk_audit_account_idx').on(table.accountId, table.id)],
);
