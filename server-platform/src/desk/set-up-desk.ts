import { randomUUID } from 'node:crypto';
import { and, eq, isNull } from 'drizzle-orm';
import * as v from 'valibot';
import { deskReplies, queryBuilder, type Sql } from '../db/index.ts';
import { findHoursFault } from '../kit/find-hours-fault.ts';
import { isTimeZone } from '../kit/time-zone.ts';
import {
  addPerson,
  EMAIL,
  findPeopleByEmail,
  hashPassword,
  MIN_PASSWORD_CHARACTERS,
  ROLES,
  type Role,
} from '../staff/index.ts';
import { listQueues, setQueue } from './queues.ts';

/** An account's desk in a configuration file. */
export type DeskEntry = {
  readonly queues: readonly {
    readonly name: string;
    readonly skills: readonly string[];
    readonly languages: readonly string[];
    readonly hours: string | null;
    readonly timezone: string;
    readonly closedText: string | null;
  }[];
  readonly people: readonly {
    readonly email: string;
    readonly name: string;
    readonly password: string;
    readonly role: Role;
    readonly queues?: readonly string[];
    readonly skills: readonly string[];
    readonly languages: readonly string[];
    readonly capacity: number;
  }[];
  /** Canned replies. */
  readonly replies: readonly { readonly name: string; readonly text: string }[];
};

const text = v.pipe(v.string('must be a text, in quotes'), v.trim(), v.nonEmpty('must not be empty'));
const list = 'must be a list, in square brackets';
const texts = v.optional(v.array(text, list), []);

const queue = v.strictObject({
  name: text,
  skills: texts,
  languages: texts,
  hours: v.optional(
    v.nullable(
      v.pipe(
        text,
        v.check(
          (hours) => findHoursFault(hours) === null,
          ({ input }) => findHoursFault(input) ?? '',
        ),
      ),
    ),
    null,
  ),
  timezone: v.optional(v.pipe(text, v.check(isTimeZone, 'must be a name such as "Europe/London"')), 'UTC'),
  closedText: v.optional(v.nullable(text), null),
});

const person = v.strictObject({
  email: v.pipe(text, v.regex(EMAIL, 'must be an email address')),
  name: text,
  password: v.pipe(
    text,
    v.minLength(MIN_PASSWORD_CHARACTERS, `must have at least ${MIN_PASSWORD_CHARACTERS} characters`),
  ),
  role: v.optional(v.picklist(ROLES, `must be one of ${ROLES.join(', ')}`), 'agent'),
  queues: v.exactOptional(v.array(text, list)),
  skills: texts,
  languages: texts,
  capacity: v.optional(
    v.pipe(
      v.number('must be a number'),
      v.integer('must be a whole number'),
      v.minValue(1, 'must be at least 1'),
    ),
    3,
  ),
});

/** The schema of `accounts[].desk`. */
export const deskEntrySchema: v.GenericSchema<unknown, DeskEntry> = v.strictObject({
  queues: v.optional(v.array(queue, list), []),
  people: v.optional(v.array(person, list), []),
  replies: v.optional(v.array(v.strictObject({ name: text, text }), list), []),
});

/** Updates queues and canned replies to match the entry, and adds missing people; others stay unchanged. */
export async function setUpDesk(
  sql: Sql,
  accountId: string,
  entry: DeskEntry,
  nowMs: number = Date.now(),
): Promise<void> {
  // The first queue must be the oldest, because it gets the requests that name no queue.
  for (const [index, each] of entry.queues.entries())
    await setQueue(sql, { accountId, ...each }, nowMs + index);
  const queues = await listQueues(sql, accountId);
  for (const { password, queues: names, ...fields } of entry.people) {
    if ((await findPeopleByEmail(sql, fields.email, accountId)).length > 0) continue;
    const wanted = names?.map((name) => name.toLowerCase());
    const queueIds = queues
      .filter(({ name }) => wanted?.includes(name.toLowerCase()) ?? true)
      .map(({ id }) => id);
    await addPerson(
      sql,
      { ...fields, accountId, queueIds, passwordHash: await hashPassword(password) },
      nowMs,
    );
  }
  for (const reply of entry.replies) await setReply(sql, accountId, reply, nowMs);
}

async function setReply(
  sql: Sql,
  accountId: string,
  { name, text }: DeskEntry['replies'][number],
  nowMs: number,
): Promise<void> {
  const build = queryBuilder(sql);
  const changed = await build
    .update(deskReplies)
    .set({ text })
    .where(
      and(eq(deskReplies.accountId, accountId), eq(deskReplies.name, name), isNull(deskReplies.language)),
    )
    .returning({ id: deskReplies.id });
  if (changed.length === 0)
    await build.insert(deskReplies).values({ id: randomUUID(), accountId, name, text, createdAt: nowMs });
}
