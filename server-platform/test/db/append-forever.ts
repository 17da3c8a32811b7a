// A process to kill: `node append-forever.ts FOLDER` appends to one session without end and prints, after each
// acknowledgement, the session's id and the acknowledged sequence.

import { migrate, openDatabase } from '../../src/db/index.ts';
import { createEventLog } from '../../src/realtime/event-log/index.ts';
import { addOwnedSession, addTestConnector, testEvent } from './fixtures.ts';

const folder = process.argv[2];
if (folder === undefined) throw new Error('append-forever.ts needs a folder');
const database = await openDatabase({ dataDir: folder });
await migrate(database);
const log = createEventLog(database);
const owner = await addOwnedSession(database, await addTestConnector(database));
for (;;) {
  const result = await log.append({ ...owner, events: [testEvent()] });
  if (result.status !== 'appended') throw new Error(result.status);
  process.stdout.write(`${owner.sessionId} ${result.events[0]?.sequence}\n`);
}
