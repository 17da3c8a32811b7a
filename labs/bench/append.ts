import { createSessionIdOfDay, dayOf } from '../../server-platform/src/db/ids/index.ts';
import { addEventPartitions, createEventLog } from '../../server-platform/src/realtime/event-log/index.ts';
import { addConnector, appendFor, printFigures } from './databases/append-load.ts';
import { type Opened, openEmbedded, openServer } from './databases/open-engines.ts';

// Compared: one commit per event, and commits shared by all sessions; and these with a partition for each of so many days.
const SECONDS = Number(process.argv[2] ?? 4);
const DAYS = 100;

for (const open of [openEmbedded, openServer]) await measure(open);

async function measure(open: () => Promise<Opened | null>): Promise<void> {
  const opened = await open();
  if (opened === null) {
    console.log('postgres            not reachable, skipped (set DATABASE_URL_TEST)');
    return;
  }
  const { name, database } = opened;
  try {
    const connector = await addConnector(database);
    // A log per session that writes one row at a time: every event is a separate commit, and on a server the
    // connections of the pool run them side by side.
    const single = await appendFor(SECONDS, database, connector, () =>
      createEventLog(database, { maxGroupRows: 1 }),
    );
    const shared = createEventLog(database);
    const grouped = await appendFor(SECONDS, database, connector, () => shared);
    const today = dayOf(Date.now());
    await addEventPartitions(
      database,
      Array.from({ length: DAYS }, (_, ago) => today - ago),
    );
    const createId = (): string => createSessionIdOfDay(today);
    const divided = await appendFor(SECONDS, database, connector, () => shared, createId);
    printFigures(name, 'one commit per event', single);
    printFigures(name, 'group commit', grouped);
    printFigures(name, `${DAYS} partitions`, divided);
    console.log(
      `${name.padEnd(20)}group commit / one per event  ${(grouped.perSecond / single.perSecond).toFixed(1)} x`,
    );
  } finally {
    await opened.close();
  }
}
