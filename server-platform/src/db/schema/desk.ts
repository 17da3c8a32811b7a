/**
 * Tables of the desk: the people who answer, the queues they sit at, and their requests.
 *
 * Points in time are `bigint` milliseconds.
 */
import { sql } from 'drizzle-orm';
import {
  bigint,
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
    /** Lower case; they sign in with it. One person of an account has it. */
    email: text('email').notNull(),
    /** What visitors see. */
    name: text('name').notNull(),
    /** agent, supervisor, admin. */
    role: text('role').notNull(),
    /** scrypt, with its parameters and salt. */
    passwordHash: text('password_hash').notNull(),
    /** Conversations at the same time. */
    capacity: integer('capacity').notNull(),
    skills: words('skills'),
    /** Empty: every language. */
    languages: words('languages'),
    /** available, away: the person's choice. */
    presence: text('presence').notNull().default('away'),
    /** When a desk of theirs was last connected. */
    seenAt: ms('seen_at').notNull().default(0),
    /** Since when the person is kept out; null: they are not. */
    disabledAt: ms('disabled_at'),
    /** The last offer, so that offers go round. */
    offeredAt: ms('offered_at').notNull().default(0),
    createdAt: ms('created_at').notNull(),
  },
  (table) => [
    // The same person may be in several accounts.
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
    /** What people need for its conversations. */
    skills: words('skills'),
    /** The languages that it serves; empty: all. */
    languages: words('languages'),
    /** As it was written, such as `Mo-Fr 09:00-17:00`; null: always open. */
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

/** One hand-off to the desk; a session may have several, one after the other. */
export const deskRequests = pgTable(
  'desk_requests',
  {
    /** `ho_…` */
    id: text('id').primaryKey(),
    accountId: accountId(),
    projectId: text('project_id').notNull(),
    // No foreign key: `removeSessions` removes the requests, and counts them.
    sessionId: uuid('session_id').notNull(),
    conversationId: text('conversation_id').notNull(),
    /** Name of the hand-off provider. */
    provider: text('provider').notNull(),
    queueId: uuid('queue_id')
      .notNull()
      .references(() => deskQueues.id),
    /** waiting, offered, accepted, returned, ended, abandoned. */
    status: text('status').notNull(),
    /** Who is offered it or has accepted it; kept when it ended. */
    personId: uuid('person_id').references(() => deskPeople.id, { onDelete: 'set null' }),
    /** Who gets the next offer, after a transfer to a person. */
    wantedPersonId: uuid('wanted_person_id'),
    /** When people declined it or let the offer pass, by id. */
    declined: jsonb('declined').$type<Readonly<Record<string, number>>>().notNull().default({}),
    skills: words('skills'),
    language: text('language'),
    reason: text('reason').notNull(),
    requestedAt: ms('requested_at').notNull(),
    offerExpiresAt: ms('offer_expires_at'),
    acceptedAt: ms('accepted_at'),
    /** When a person first wrote to the visitor; null: none has. */
    firstMessageAt: ms('first_message_at'),
    endedAt: ms('ended_at'),
    endReason: text('end_reason'),
    /** Since when the visitor has no socket; null: they are there. */
    leftAt: ms('left_at'),
    offerMs: integer('offer_ms').notNull(),
    returnMs: integer('return_ms').notNull(),
    position: integer('position'),
    estimatedWaitSeconds: integer('estimated_wait_seconds'),
    /** What the visitor has written since the person last wrote. */
    unread: integer('unread').notNull().default(0),
    /** The message that the visitor has seen last, as their client says. */
    seenMessageId: text('seen_message_id'),
    tags: words('tags'),
    /** Rises with every change. */
    version: integer('version').notNull().default(0),
    /** Events still to be sent to the session, in order. */
    pending: jsonb('pending').$type<readonly unknown[]>().notNull().default([]),
  },
  (table) => [
    index('desk_requests_open_idx').on(table.accountId).where(sql`${table.endedAt} IS NULL`),
    index('desk_requests_pending_idx').on(table.accountId).where(sql`${table.pending} <> '[]'::jsonb`),
    // How long conversations of a queue took.
    index('desk_requests_handled_idx')
      .on(table.queueId, table.endedAt)
      .where(sql`${table.acceptedAt} IS NOT NULL AND ${table.endedAt} IS NOT NULL`),
    index('desk_requests_account_idx').on(table.accountId, table.requestedAt),
    index('desk_requests_person_idx').on(table.personId, table.endedAt),
    index('desk_requests_session_idx').on(table.sessionId),
  ],
);

/** Private notes about a conversation: visitors never see them. */
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

/** Canned replies of an account. */
export const deskReplies = pgTable(
  'desk_replies',
  {
    id: uuid('id').primaryKey(),
    accountId: accountId(),
    name: text('name').notNull(),
    /** With placeholders such as `{{person}}`. */
    text: text('text').notNull(),
    createdAt: ms('created_at').notNull(),
  },
  (table) => [index('desk_replies_account_idx').on(table.accountId)],
);

/** Who did what at the desk. Holds no text of a visitor. */
export const deskAudit = pgTable(
  'desk_audit',
  {
    id: ms('id').primaryKey().generatedByDefaultAsIdentity(),
    accountId: accountId(),
    /** E-mail address, or `command line`. */
    actor: text('actor').notNull(),
    action: text('action').notNull(),
    /** The request, person, queue or reply that it was done to. */
    subject: text('subject').notNull(),
    at: ms('at').notNull(),
  },
  (table) => [index('desk_audit_account_idx').on(table.accountId, table.id)],
);
