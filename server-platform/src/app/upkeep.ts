import type { Credentials } from '../accounts/index.ts';
import type { ProjectAgents } from '../agents/projects/index.ts';
import { removeOldAnswers } from '../api/rest/index.ts';
import { type Database, DatabaseClock, FOLLOW_EVERY_MS, removeOldLimits } from '../db/index.ts';
import type { ScheduledTask, Scheduler } from '../jobs/index.ts';
import type { Clock } from '../kit/clock.ts';
import type { Peers } from '../realtime/bus/index.ts';
import type { MessagingMetrics, SessionIds } from '../realtime/index.ts';

const MINUTE_MS = 60_000;
// An article published on another node takes effect here this soon.
const ARTICLES_EVERY_MS = 2_000;

/** Background work of a node besides that of its route groups. */
export interface UpkeepOptions {
  readonly scheduler: Scheduler;
  readonly database: Database;
  readonly clock: Clock;
  readonly sessionIds: SessionIds;
  readonly credentials: Credentials;
  readonly agents: ProjectAgents;
  readonly peers: Peers;
  readonly metrics: Pick<MessagingMetrics, 'watchClock'>;
}

/** Starts the upkeep. The returned function stops it after a final write of key uses. */
export function startUpkeep(options: UpkeepOptions): () => Promise<void> {
  const { scheduler, credentials } = options;
  const tasks = listTasks(options).map((task) => scheduler.every(task));
  const keyUses = scheduler.every({
    what: 'store the last use of keys',
    everyMs: MINUTE_MS,
    run: credentials.writeUses,
  });
  return async () => {
    await keyUses.run();
    await Promise.all([...tasks, keyUses].map((task) => task.stop()));
  };
}

function listTasks(options: UpkeepOptions): readonly ScheduledTask[] {
  const { database, clock, sessionIds, agents, peers, metrics } = options;
  const tasks: ScheduledTask[] = [
    {
      what: 'read the partitions of events',
      everyMs: MINUTE_MS,
      firstMs: 0,
      run: () => sessionIds.refresh(database),
    },
    {
      what: 'remove old responses',
      everyMs: MINUTE_MS,
      onOneNode: true,
      run: () => removeOldAnswers(database),
    },
  ];
  if (peers.isShared)
    tasks.push({ what: 'load edited articles', everyMs: ARTICLES_EVERY_MS, run: () => agents.refresh() });
  // Limits shared by all nodes are stored in PostgreSQL only.
  if (database.engine === 'postgres')
    tasks.push({
      what: 'remove old limits',
      everyMs: MINUTE_MS,
      onOneNode: true,
      run: () => removeOldLimits(database),
    });
  if (clock instanceof DatabaseClock) {
    metrics.watchClock(() => clock.machineAheadMs);
    tasks.push({
      what: "follow the database's clock",
      everyMs: FOLLOW_EVERY_MS,
      run: () => clock.follow(),
    });
  }
  return tasks;
}
