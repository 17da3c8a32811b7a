import { eq } from 'drizzle-orm';
import { deskMembers, deskPeople, deskSignIns, queryBuilder, type Sql } from '../db/index.ts';
import { writeAudit } from './audit.ts';
import { createPassword, hashPassword } from './password.ts';
import { addPerson, type NewPerson, type Person, setPassword, storableProfile } from './people.ts';

/** Adds a person with a new password to hand over; null when the email address is taken. */
export async function invitePerson(
  sql: Sql,
  person: Omit<NewPerson, 'passwordHash'>,
  actor: string,
  nowMs: number,
): Promise<{ readonly id: string; readonly password: string } | null> {
  const password = createPassword();
  const passwordHash = await hashPassword(password);
  return await sql.tx(async (tx) => {
    const id = await addPerson(tx, { ...person, passwordHash }, nowMs);
    if (id === null) return null;
    await note(tx, person, 'add_person', actor, nowMs);
    return { id, password };
  });
}

/** Gives a person a new password, and ends every sign-in of theirs. */
export async function resetPassword(
  sql: Sql,
  person: Person,
  actor: string,
  nowMs: number,
): Promise<{ readonly password: string }> {
  const password = createPassword();
  const passwordHash = await hashPassword(password);
  await sql.tx(async (tx) => {
    await setPassword(tx, person.id, passwordHash, null);
    await note(tx, person, 'reset_password', actor, nowMs);
  });
  return { password };
}

/** Fields of a person that admins can change. */
export type PersonChange = Partial<
  Pick<Person, 'name' | 'role' | 'capacity' | 'skills' | 'languages' | 'queueIds'>
>;

/** Changes a person. */
export async function changePerson(
  sql: Sql,
  person: Person,
  { queueIds, ...fields }: PersonChange,
  actor: string,
  nowMs: number,
): Promise<void> {
  await sql.tx(async (tx) => {
    const build = queryBuilder(tx);
    if (Object.keys(fields).length > 0)
      await build
        .update(deskPeople)
        .set({ ...fields, ...storableProfile(fields) })
        .where(eq(deskPeople.id, person.id));
    if (queueIds !== undefined) {
      await build.delete(deskMembers).where(eq(deskMembers.personId, person.id));
      if (queueIds.length > 0)
        await build.insert(deskMembers).values(queueIds.map((queueId) => ({ queueId, personId: person.id })));
    }
    const isNewRole = fields.role !== undefined && fields.role !== person.role;
    await note(tx, person, isNewRole ? `set_role_${fields.role}` : 'change_person', actor, nowMs);
  });
}

/** Disables a person, which ends sign-ins and offers, or enables them again. */
export async function setDisabled(
  sql: Sql,
  person: Person,
  isDisabled: boolean,
  actor: string,
  nowMs: number,
): Promise<void> {
  await sql.tx(async (tx) => {
    await queryBuilder(tx)
      .update(deskPeople)
      .set(isDisabled ? { disabledAt: nowMs, presence: 'away' } : { disabledAt: null })
      .where(eq(deskPeople.id, person.id));
    if (isDisabled) await endSignIns(tx, person.id);
    await note(tx, person, isDisabled ? 'disable_person' : 'enable_person', actor, nowMs);
  });
}

/** Ends every sign-in of a person. */
export async function signOutEverywhere(
  sql: Sql,
  person: Person,
  actor: string,
  nowMs: number,
): Promise<void> {
  await sql.tx(async (tx) => {
    await endSignIns(tx, person.id);
    await note(tx, person, 'sign_out_everywhere', actor, nowMs);
  });
}

async function endSignIns(sql: Sql, personId: string): Promise<void> {
  await queryBuilder(sql).delete(deskSignIns).where(eq(deskSignIns.personId, personId));
}

async function note(
  sql: Sql,
  { accountId, email }: Pick<Person, 'accountId' | 'email'>,
  action: string,
  actor: string,
  nowMs: number,
): Promise<void> {
  await writeAudit(sql, { accountId, actor, action, subject: email.toLowerCase() }, nowMs);
}
