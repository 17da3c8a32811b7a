import { randomUUID } from 'node:crypto';
import { and, asc, eq, inArray, type SQL } from 'drizzle-orm';
import { deskMembers, deskPeople, deskSignIns, queryBuilder, type Sql, storableText } from '../db/index.ts';
import type { LiveAgent } from '../handoff/session/index.ts';

/** Roles: agents answer, supervisors see and take everything in the account, admins also read the audit log. */
export const ROLES = ['agent', 'supervisor', 'admin'] as const;

/** One of {@link ROLES}. */
export type Role = (typeof ROLES)[number];

/** Minimal form of an email address. */
export const EMAIL = /^[^\s@]+@[^\s@]+$/;

export const DEFAULT_CAPACITY = 3;
export const MAX_CAPACITY = 50;

/** Status that the person has chosen. */
export type Presence = 'available' | 'away';

/** A person of the desk. */
export interface Person {
  readonly id: string;
  readonly accountId: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly passwordHash: string;
  readonly capacity: number;
  readonly skills: readonly string[];
  readonly languages: readonly string[];
  readonly presence: Presence;
  readonly seenAtMs: number;
  readonly offeredAtMs: number;
  /** Null: the person may sign in. */
  readonly disabledAtMs: number | null;
  readonly queueIds: readonly string[];
}

/** A person to be added. */
export interface NewPerson
  extends Pick<
    Person,
    | 'accountId'
    | 'email'
    | 'name'
    | 'role'
    | 'passwordHash'
    | 'capacity'
    | 'skills'
    | 'languages'
    | 'queueIds'
  > {}

/** A person counts as present this long after the last heartbeat, which comes every ten seconds. */
const GONE_MS = 25_000;

/** Whether a desk of the person is connected. */
export function isConnected({ seenAtMs }: Pick<Person, 'seenAtMs'>, nowMs: number): boolean {
  return nowMs - seenAtMs < GONE_MS;
}

/** The person as visitors see them. */
export function toLiveAgent({ id, name }: Pick<Person, 'id' | 'name'>): LiveAgent {
  return { id, name, avatarUrl: null };
}

type Profile = Pick<Person, 'skills' | 'languages'>;

/** Replaces halves of surrogate pairs in skills and languages, which `jsonb` refuses. */
export function storableProfile({ skills, languages }: Partial<Profile>): Partial<Profile> {
  return {
    ...(skills && { skills: skills.map(storableText) }),
    ...(languages && { languages: languages.map(storableText) }),
  };
}

/** Adds a person; null when the account already has the email address. */
export async function addPerson(sql: Sql, person: NewPerson, nowMs: number): Promise<string | null> {
  const { queueIds, ...fields } = person;
  const id = randomUUID();
  return await sql.tx(async (tx) => {
    const added = await queryBuilder(tx)
      .insert(deskPeople)
      .values({
        ...fields,
        ...storableProfile(fields),
        id,
        email: fields.email.toLowerCase(),
        createdAt: nowMs,
      })
      .onConflictDoNothing()
      .returning({ id: deskPeople.id });
    if (added.length === 0) return null;
    if (queueIds.length > 0)
      await queryBuilder(tx)
        .insert(deskMembers)
        .values(queueIds.map((queueId) => ({ queueId, personId: id })));
    return id;
  });
}

/** The people of an account, by name. */
export async function listPeople(sql: Sql, accountId: string): Promise<readonly Person[]> {
  return await readPeople(sql, eq(deskPeople.accountId, accountId));
}

/** The people with an email address: one of an account, or one of each account that has one. */
export async function findPeopleByEmail(
  sql: Sql,
  email: string,
  accountId?: string,
): Promise<readonly Person[]> {
  if (email.includes('\0')) return [];
  return await readPeople(
    sql,
    and(
      eq(deskPeople.email, email.toLowerCase()),
      accountId === undefined ? undefined : eq(deskPeople.accountId, accountId),
    ),
  );
}

export async function findPersonById(sql: Sql, id: string): Promise<Person | null> {
  return (await readPeople(sql, eq(deskPeople.id, id)))[0] ?? null;
}

async function readPeople(sql: Sql, where: SQL | undefined): Promise<readonly Person[]> {
  const build = queryBuilder(sql);
  const rows = await build
    .select()
    .from(deskPeople)
    .where(where)
    .orderBy(asc(deskPeople.name), asc(deskPeople.id));
  if (rows.length === 0) return [];
  const members = await build
    .select()
    .from(deskMembers)
    .where(
      inArray(
        deskMembers.personId,
        rows.map(({ id }) => id),
      ),
    );
  return rows.map(({ seenAt, offeredAt, disabledAt, createdAt: _, ...row }) => ({
    ...row,
    // Only values of these types are written.
    role: row.role as Role,
    presence: row.presence as Presence,
    seenAtMs: seenAt,
    offeredAtMs: offeredAt,
    disabledAtMs: disabledAt,
    queueIds: members.filter(({ personId }) => personId === row.id).map(({ queueId }) => queueId),
  }));
}

export async function removePerson(sql: Sql, id: string): Promise<void> {
  await queryBuilder(sql).delete(deskPeople).where(eq(deskPeople.id, id));
}

/** Sets a password and ends all of the person's sign-ins except the given one. */
export async function setPassword(
  sql: Sql,
  id: string,
  passwordHash: string,
  keepTokenHash: string | null,
): Promise<void> {
  await sql.tx(async (tx) => {
    const build = queryBuilder(tx);
    await build.update(deskPeople).set({ passwordHash }).where(eq(deskPeople.id, id));
    const signIns = await build
      .select({ tokenHash: deskSignIns.tokenHash })
      .from(deskSignIns)
      .where(eq(deskSignIns.personId, id));
    const ended = signIns.flatMap(({ tokenHash }) => (tokenHash === keepTokenHash ? [] : [tokenHash]));
    if (ended.length > 0)
      await build
        .delete(deskSignIns)
        .where(and(eq(deskSignIns.personId, id), inArray(deskSignIns.tokenHash, ended)));
  });
}

export async function setPresence(sql: Sql, id: string, presence: Presence): Promise<void> {
  await queryBuilder(sql).update(deskPeople).set({ presence }).where(eq(deskPeople.id, id));
}

/** Records that a desk of the person is connected. */
export async function noteSeen(sql: Sql, id: string, nowMs: number): Promise<void> {
  await queryBuilder(sql).update(deskPeople).set({ seenAt: nowMs }).where(eq(deskPeople.id, id));
}

/** Records that the person was just offered a request. */
export async function noteOffered(sql: Sql, id: string, nowMs: number): Promise<void> {
  await queryBuilder(sql).update(deskPeople).set({ offeredAt: nowMs }).where(eq(deskPeople.id, id));
}
