import {
  AccountError,
  type CommandOutput,
  type ManageCommands,
  type ManageOptions,
  readCommandArguments,
  requireAccount,
  writeList,
} from '../accounts/index.ts';
import { readDatabaseTime, type Sql } from '../db/index.ts';
import { findHoursFault } from '../kit/find-hours-fault.ts';
import { isTimeZone } from '../kit/time-zone.ts';
import {
  COMMAND_LINE,
  DEFAULT_CAPACITY,
  EMAIL,
  findPeopleByEmail,
  invitePerson,
  listPeople,
  MAX_CAPACITY,
  type Person,
  ROLES,
  removePerson,
  resetPassword,
  setDisabled,
  writeAudit,
} from '../staff/index.ts';
import { listQueues, type Queue, removeQueue, setQueue } from './queues.ts';
import { listOpenRequests } from './requests.ts';

/** The commands about the people and queues of the desk. */
export const DESK_COMMANDS: ManageCommands = {
  'person add': {
    usage:
      'ACCOUNT EMAIL --name NAME [--role ROLE] [--queue QUEUE...] [--skill SKILL...] [--language LANGUAGE...] [--capacity NUMBER]',
    run: personAdd,
  },
  'person list': { usage: 'ACCOUNT', run: personList },
  'person reset': { usage: '[ACCOUNT] EMAIL', run: personReset },
  'person disable': { usage: '[ACCOUNT] EMAIL', run: (sql, words) => personDisable(sql, words, true) },
  'person enable': { usage: '[ACCOUNT] EMAIL', run: (sql, words) => personDisable(sql, words, false) },
  'person remove': { usage: '[ACCOUNT] EMAIL', run: personRemove },
  'queue set': {
    usage:
      'ACCOUNT NAME [--skill SKILL...] [--language LANGUAGE...] [--hours HOURS --timezone ZONE] [--closed-text TEXT]',
    run: queueSet,
  },
  'queue list': { usage: 'ACCOUNT', run: queueList },
  'queue remove': { usage: 'ACCOUNT NAME', run: queueRemove },
};

async function personAdd(sql: Sql, words: readonly string[], options: ManageOptions): Promise<CommandOutput> {
  const [reference, email] = readCommandArguments(words, DESK_COMMANDS, 'person add', 2);
  const account = await requireAccount(sql, reference);
  if (!EMAIL.test(email)) throw invalid(`"${email}" is not an email address.`);
  if (options.name === undefined) throw invalid('A person needs --name: visitors see it.');
  const role = ROLES.find((each) => each === (options.role ?? 'agent'));
  if (role === undefined) throw invalid(`--role must be one of: ${ROLES.join(', ')}.`);
  const queues = await listQueues(sql, account.id);
  const wanted = options.queues ?? queues.map(({ name }) => name);
  const invited = await invitePerson(
    sql,
    {
      ...{ accountId: account.id, email, name: options.name, role },
      capacity: readCapacity(options.capacity),
      skills: options.skills ?? [],
      languages: options.languages ?? [],
      queueIds: wanted.map((name) => requireQueue(queues, name, reference).id),
    },
    COMMAND_LINE,
    await readDatabaseTime(sql),
  );
  if (invited === null) throw invalid(`A person with the address ${email} already exists.`);
  const { id, password } = invited;
  return {
    lines: [
      `Added ${role} ${options.name} (${email})${wanted.length > 0 ? `, queues: ${wanted.join(', ')}` : ', in no queue'}.`,
      `Password: ${password}`,
      'This is the only time it is shown. It can be changed at the desk.',
    ],
    json: { id, email, name: options.name, role, queues: wanted, password },
  };
}

async function personList(sql: Sql, words: readonly string[]): Promise<CommandOutput> {
  const [reference] = readCommandArguments(words, DESK_COMMANDS, 'person list', 1);
  const account = await requireAccount(sql, reference);
  const names = new Map((await listQueues(sql, account.id)).map(({ id, name }) => [id, name]));
  const queuesOf = ({ queueIds }: Person): readonly string[] => queueIds.map((id) => names.get(id) ?? id);
  return writeList(await listPeople(sql, account.id), {
    empty: 'No people yet. Add one: natter-platform person add ACCOUNT EMAIL --name NAME',
    toCells: (person) => [
      person.email,
      person.name,
      person.role,
      queuesOf(person).join(', '),
      person.disabledAtMs === null ? person.presence : 'disabled',
    ],
    toJson: (person) => ({
      ...{ id: person.id, email: person.email, name: person.name, role: person.role },
      queues: queuesOf(person),
      skills: person.skills,
      languages: person.languages,
      capacity: person.capacity,
      presence: person.presence,
      disabled: person.disabledAtMs !== null,
    }),
  });
}

async function personReset(sql: Sql, words: readonly string[]): Promise<CommandOutput> {
  const person = await requirePerson(sql, words, 'person reset');
  const { password } = await resetPassword(sql, person, COMMAND_LINE, await readDatabaseTime(sql));
  return {
    lines: [
      `New password of ${person.email}: ${password}`,
      'Everything that was signed in with the old one is signed out.',
    ],
    json: { id: person.id, email: person.email, password },
  };
}

async function personDisable(
  sql: Sql,
  words: readonly string[],
  isDisabled: boolean,
): Promise<CommandOutput> {
  const person = await requirePerson(sql, words, isDisabled ? 'person disable' : 'person enable');
  await setDisabled(sql, person, isDisabled, COMMAND_LINE, await readDatabaseTime(sql));
  return {
    lines: [
      isDisabled
        ? `${person.name} (${person.email}) is signed out and may not sign in any more.`
        : `${person.name} (${person.email}) may sign in again.`,
    ],
    json: { id: person.id, email: person.email, disabled: isDisabled },
  };
}

async function personRemove(sql: Sql, words: readonly string[]): Promise<CommandOutput> {
  const person = await requirePerson(sql, words, 'person remove');
  const open = await listOpenRequests(sql, person.accountId);
  if (open.some(({ personId }) => personId === person.id))
    throw new AccountError(
      'exists',
      `${person.name} has open conversations. End or transfer them at the desk, then run this again.`,
    );
  await removePerson(sql, person.id);
  await note(sql, person.accountId, 'remove_person', person.email);
  return {
    lines: [`Removed ${person.name} (${person.email}) and signed them out.`],
    json: { removed: person.id, email: person.email },
  };
}

async function queueSet(sql: Sql, words: readonly string[], options: ManageOptions): Promise<CommandOutput> {
  const [reference, name] = readCommandArguments(words, DESK_COMMANDS, 'queue set', 2);
  const account = await requireAccount(sql, reference);
  const { hours = null, timezone = 'UTC', closedText = null } = options;
  const fault = hours === null ? null : findHoursFault(hours);
  if (fault !== null) throw invalid(`--hours: ${fault}`);
  if (hours !== null && options.timezone === undefined)
    throw invalid('--hours need a --timezone, such as Europe/London.');
  if (!isTimeZone(timezone))
    throw invalid(`--timezone "${timezone}" is unknown. Use a name such as Europe/London.`);
  const queue = {
    ...{ accountId: account.id, name, hours, timezone, closedText },
    skills: options.skills ?? [],
    languages: options.languages ?? [],
  };
  const isNew = await setQueue(sql, queue, await readDatabaseTime(sql));
  await note(sql, account.id, 'set_queue', name);
  return {
    lines: [
      `${isNew ? 'Added' : 'Changed'} queue ${name}, open ${hours === null ? 'always' : `${hours} (${timezone})`}.`,
    ],
    json: { name, is_new: isNew, hours, timezone },
  };
}

async function queueList(sql: Sql, words: readonly string[]): Promise<CommandOutput> {
  const [reference] = readCommandArguments(words, DESK_COMMANDS, 'queue list', 1);
  const account = await requireAccount(sql, reference);
  return writeList(await listQueues(sql, account.id), {
    empty: 'There is no queue yet. Add one: natter-platform queue set ACCOUNT NAME',
    toCells: ({ name, hours, timezone, skills, languages }) => [
      name,
      hours === null ? 'always open' : `${hours} (${timezone})`,
      skills.join(', '),
      languages.join(', '),
    ],
    toJson: ({ accountId: _, closedText, ...queue }) => ({ ...queue, closed_text: closedText }),
  });
}

async function queueRemove(sql: Sql, words: readonly string[]): Promise<CommandOutput> {
  const [reference, name] = readCommandArguments(words, DESK_COMMANDS, 'queue remove', 2);
  const account = await requireAccount(sql, reference);
  const queue = requireQueue(await listQueues(sql, account.id), name, reference);
  if (!(await removeQueue(sql, queue.id)))
    throw new AccountError(
      'exists',
      `Conversations are in the queue ${queue.name}. Try again when they are over.`,
    );
  await note(sql, account.id, 'remove_queue', queue.name);
  return {
    lines: [`Removed queue ${queue.name} and the record of its hand-offs.`],
    json: { removed: queue.id, name: queue.name },
  };
}

function readCapacity(text: string | undefined): number {
  if (text === undefined) return DEFAULT_CAPACITY;
  const capacity = Number(text);
  if (Number.isInteger(capacity) && capacity >= 1 && capacity <= MAX_CAPACITY) return capacity;
  throw invalid(`--capacity must be a number from 1 to ${MAX_CAPACITY}.`);
}

function requireQueue(queues: readonly Queue[], name: string, account: string): Queue {
  const queue = queues.find((each) => each.name.toLowerCase() === name.toLowerCase());
  if (queue !== undefined) return queue;
  throw new AccountError(
    'not_found',
    `The account "${account}" has no queue "${name}". See: natter-platform queue list ${account}`,
  );
}

async function requirePerson(sql: Sql, words: readonly string[], command: string): Promise<Person> {
  const [reference, email] =
    words.length === 2
      ? readCommandArguments(words, DESK_COMMANDS, command, 2)
      : [null, ...readCommandArguments(words, DESK_COMMANDS, command, 1)];
  const account = reference === null ? null : await requireAccount(sql, reference);
  const [person, other] = await findPeopleByEmail(sql, email, account?.id);
  if (other !== undefined)
    throw invalid(`Several accounts have ${email}. Name one: natter-platform ${command} ACCOUNT ${email}`);
  if (person !== undefined) return person;
  throw new AccountError(
    'not_found',
    `No person with the address ${email}. See: natter-platform person list ACCOUNT`,
  );
}

async function note(sql: Sql, accountId: string, action: string, subject: string): Promise<void> {
  await writeAudit(sql, { accountId, actor: COMMAND_LINE, action, subject }, await readDatabaseTime(sql));
}

function invalid(message: string): AccountError {
  return new AccountError('invalid', message);
}
