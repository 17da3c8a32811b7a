import {
  changePerson,
  DeskError,
  invitePerson,
  isConnected,
  listPeople,
  type Person,
  resetPassword,
  setDisabled,
  signOutEverywhere,
} from '../../staff/index.ts';
import { listQueues } from '../queues.ts';
import { type DeskCall, type DeskRoute, deskRoute } from './desk-call.ts';
import { inviteSchema, passwordView, peopleView, personChangeSchema } from './desk-schemas.ts';

/** Finds the person of the path in the admin's own account. */
async function requirePerson({ server, person, params }: DeskCall<unknown>): Promise<Person> {
  const people = await listPeople(server.database, person.accountId);
  const found = people.find(({ id }) => id === params['id']);
  if (found === undefined)
    throw new DeskError(404, 'NOT_FOUND', 'There is no such person: see GET /desk/api/people.');
  return found;
}

/** Finds the person of the path. Rejects with 409 for the calling admin, so that an account always keeps one. */
async function requireOtherPerson(call: DeskCall<unknown>): Promise<Person> {
  const other = await requirePerson(call);
  if (other.id === call.person.id)
    throw new DeskError(
      409,
      'NOT_YOURSELF',
      'Another admin has to do that for you, so that the account keeps one.',
    );
  return other;
}

async function checkQueues(
  { server, person }: DeskCall<unknown>,
  queueIds: readonly string[],
): Promise<void> {
  const queues = await listQueues(server.database, person.accountId);
  if (queueIds.every((id) => queues.some((queue) => queue.id === id))) return;
  throw new DeskError(404, 'NOT_FOUND', 'There is no such queue: see queues of GET /desk/api/people.');
}

/** Applies a change of people at the desk: ends streams, and returns conversations to the queue. */
async function settle({ server, person }: DeskCall<unknown>, signedOutId: string | null): Promise<void> {
  for (const stream of [...server.streams]) if (stream.personId === signedOutId) stream.close('signed_out');
  await server.desk.settle(person.accountId);
}

const ofPerson = (name: string) => ({ method: 'POST', path: `/people/{id}/${name}`, role: 'admin' }) as const;

/** The calls of admins about the account's people. */
export const PEOPLE_ROUTES: readonly DeskRoute[] = [
  deskRoute(
    {
      ...{ id: 'deskPeople', method: 'GET', path: '/people', role: 'admin' },
      summary: 'The people of the account, and the queues that they can sit at.',
      answer: peopleView,
    },
    async ({ server, person }) => {
      const [people, queues] = await Promise.all([
        listPeople(server.database, person.accountId),
        listQueues(server.database, person.accountId),
      ]);
      return {
        people: people.map((each) => viewPerson(each, server.clock.now())),
        queues: queues.map(({ id, name }) => ({ id, name })),
      };
    },
  ),
  deskRoute(
    {
      ...{ id: 'deskPersonInvite', method: 'POST', path: '/people', role: 'admin' },
      summary: 'Add a person. The answer has their password, once.',
      body: inviteSchema,
      answer: passwordView,
    },
    async (call) => {
      const { server, person, body } = call;
      const { queue_ids: queueIds, ...fields } = body;
      await checkQueues(call, queueIds);
      const invited = await invitePerson(
        server.database,
        { ...fields, accountId: person.accountId, queueIds },
        person.email,
        server.clock.now(),
      );
      if (invited === null)
        throw new DeskError(409, 'TAKEN', `A person with the address ${body.email} already exists.`);
      await settle(call, null);
      return invited;
    },
  ),
  deskRoute(
    {
      ...{ id: 'deskPersonChange', method: 'PUT', path: '/people/{id}', role: 'admin' },
      summary:
        'Change name, role, queues, skills, languages or capacity of a person; omitted fields stay unchanged.',
      body: personChangeSchema,
    },
    async (call) => {
      const { server, person, body } = call;
      const { queue_ids: queueIds, ...fields } = body;
      const isOther = fields.role !== undefined && fields.role !== person.role;
      const changed = isOther ? await requireOtherPerson(call) : await requirePerson(call);
      if (queueIds !== undefined) await checkQueues(call, queueIds);
      const change = { ...fields, ...(queueIds !== undefined && { queueIds }) };
      await changePerson(server.database, changed, change, person.email, server.clock.now());
      await settle(call, null);
      return {};
    },
  ),
  deskRoute(
    {
      ...{ id: 'deskPersonReset', ...ofPerson('reset') },
      summary: 'Give a person a new password, in the answer once, and sign them out everywhere.',
      answer: passwordView,
    },
    async (call) => {
      const { server, person } = call;
      const other = await requireOtherPerson(call);
      const reset = await resetPassword(server.database, other, person.email, server.clock.now());
      await settle(call, other.id);
      return { id: other.id, ...reset };
    },
  ),
  ...(['disable', 'enable'] as const).map((name) =>
    deskRoute(
      {
        id: name === 'disable' ? 'deskPersonDisable' : 'deskPersonEnable',
        ...ofPerson(name),
        summary:
          name === 'disable'
            ? 'Keep a person out: signed out everywhere, and their conversations go back to the queue.'
            : 'Let a person in again.',
      },
      async (call) => {
        const other = await requireOtherPerson(call);
        const { server, person } = call;
        await setDisabled(server.database, other, name === 'disable', person.email, server.clock.now());
        await settle(call, name === 'disable' ? other.id : null);
        return {};
      },
    ),
  ),
  deskRoute(
    { id: 'deskPersonSignOut', ...ofPerson('sign-out'), summary: 'Sign a person out everywhere.' },
    async (call) => {
      const { server, person } = call;
      const signedOut = await requirePerson(call);
      await signOutEverywhere(server.database, signedOut, person.email, server.clock.now());
      await settle(call, signedOut.id);
      return {};
    },
  ),
];

function viewPerson(person: Person, nowMs: number) {
  const { id, email, name, role, capacity, skills, languages, seenAtMs, disabledAtMs } = person;
  return {
    ...{ id, email, name, role, capacity, skills, languages },
    queue_ids: person.queueIds,
    presence: isConnected(person, nowMs) ? person.presence : 'offline',
    seen_at: seenAtMs === 0 ? null : new Date(seenAtMs).toISOString(),
    disabled_at: disabledAtMs === null ? null : new Date(disabledAtMs).toISOString(),
  };
}
