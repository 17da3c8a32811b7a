import {
  AccountError,
  type CommandOutput,
  isUuid,
  type ManageCommands,
  readCommandArguments,
  writeList,
  writeTime,
} from '../../accounts/index.ts';
import { readDatabaseTime, type Sql } from '../../db/index.ts';
import { type ListedDelivery, listDeliveries, retryDeadDelivery } from './deliveries.ts';

const STATES: readonly ListedDelivery['state'][] = ['pending', 'delivered', 'dead', 'dropped'];
const MAX_LISTED = 100;

/** The commands about webhook deliveries. */
export const WEBHOOK_COMMANDS: ManageCommands = {
  'webhook list': { usage: `[${STATES.join(' | ')}]`, run: webhookList },
  'webhook retry': { usage: 'DELIVERY', run: webhookRetry },
};

async function webhookList(sql: Sql, args: readonly string[]): Promise<CommandOutput> {
  const [word] = args.length === 0 ? [] : readCommandArguments(args, WEBHOOK_COMMANDS, 'webhook list', 1);
  const state = STATES.find((each) => each === word) ?? null;
  if (word !== undefined && state === null) {
    throw new AccountError('invalid', `There is no state "${word}"; there are ${STATES.join(', ')}.`);
  }
  const deliveries = await listDeliveries(sql, state, MAX_LISTED);
  return writeList(deliveries, {
    empty: `There is no ${state === null ? '' : `${state} `}delivery.`,
    toCells: (each) => [
      each.id,
      each.account,
      each.state,
      each.eventType,
      `${each.endpointName} (${each.endpointId})`,
      `${each.attempts} of 6`,
      each.lastOutcome ?? '',
      tellTime(each),
    ],
    toJson: (each) => ({
      id: each.id,
      account: each.account,
      state: each.state,
      event_type: each.eventType,
      endpoint_id: each.endpointId,
      endpoint_name: each.endpointName,
      attempts: each.attempts,
      last_outcome: each.lastOutcome,
      created_at: writeTime(each.createdAtMs),
      due_at: each.state === 'pending' ? writeTime(each.dueAtMs) : null,
      finished_at: writeTime(each.finishedAtMs),
    }),
  });
}

function tellTime({ state, dueAtMs, createdAtMs, finishedAtMs }: ListedDelivery): string {
  const iso = (atMs: number): string => new Date(atMs).toISOString();
  return state === 'pending' ? `due ${iso(dueAtMs)}` : `${state} ${iso(finishedAtMs ?? createdAtMs)}`;
}

async function webhookRetry(sql: Sql, args: readonly string[]): Promise<CommandOutput> {
  const [id] = readCommandArguments(args, WEBHOOK_COMMANDS, 'webhook retry', 1);
  if (!isUuid(id) || !(await retryDeadDelivery(sql, id, await readDatabaseTime(sql)))) {
    throw new AccountError('not_found', 'There is no such dead delivery. See: webhook list dead');
  }
  return { lines: [`Restarted the delivery ${id} from its first attempt.`], json: { retried: id } };
}
