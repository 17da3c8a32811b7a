// Fills a disk and makes room again: `NATTER_FULL_DISK=FILE node --import full-disk.ts fill-disk.ts FOLDER`. Prints what
// became of it as JSON.
import { rmSync, writeFileSync } from 'node:fs';
import { isDatabaseError, migrate, openDatabase } from '../../src/db/index.ts';
import { createEventLog } from '../../src/realtime/event-log/index.ts';
import { addOwnedSession, addTestConnector, testEvent } from './fixtures.ts';

/** The output of `fill-disk.ts`. */
export type FilledDisk = {
  /** Codes of appends that a full table refused. */
  readonly tableFull: readonly string[];
  /** Codes of rejected writes when the write-ahead log could not grow, and of appends after that. */
  readonly logFull: readonly string[];
  /** Event ids: acknowledged, refused as `overloaded`, and in the log in the end. */
  readonly acknowledged: readonly string[];
  readonly refused: readonly string[];
  readonly stored: readonly string[];
};

const folder = process.argv[2];
const flag = process.env['NATTER_FULL_DISK'];
if (folder === undefined || flag === undefined) throw new Error('fill-disk.ts needs a folder and a flag');
const MAX_TRIES = 300;
const database = await openDatabase({ dataDir: folder });
await migrate(database);
const log = createEventLog(database);
const owner = await addOwnedSession(database, await addTestConnector(database));
const acknowledged: string[] = [];
const refused: string[] = [];

/** Null: stored. */
async function append(): Promise<string | null> {
  const event = testEvent({ payload: { text: 'x'.repeat(1_500) } });
  try {
    const { status } = await log.append({ ...owner, events: [event] });
    if (status !== 'appended') throw new Error(status);
    acknowledged.push(event.id);
    return null;
  } catch (error) {
    if (!isDatabaseError(error)) throw error;
    if (error.code === 'overloaded') refused.push(event.id);
    return error.code;
  }
}

async function appendUntilRefused(count: number): Promise<readonly string[]> {
  const codes: string[] = [];
  for (let tries = 0; codes.length < count && tries < MAX_TRIES; tries += 1) {
    const code = await append();
    if (code !== null) codes.push(code);
  }
  return codes;
}

/** Writes to the write-ahead log alone, which needs a new file every 16 MB. */
async function fillLog(): Promise<string> {
  for (let megabyte = 0; megabyte < 40; megabyte += 1) {
    try {
      await database.query("SELECT pg_logical_emit_message(true, 'natter', repeat('x', 1000000))");
    } catch (error) {
      if (!isDatabaseError(error)) throw error;
      return error.code;
    }
  }
  return 'never refused';
}

await appendUntilRefused(1);
writeFileSync(flag, '');
const tableFull = await appendUntilRefused(3);
const logFull = [await fillLog(), ...(await appendUntilRefused(2))];
rmSync(flag);
while ((await append()) !== null) {
  // It is opened again no more often than every few seconds.
  await new Promise((resolve) => setTimeout(resolve, 100));
}
const events = await log.readAfter(owner.sessionId, 1, 100_000);
const stored = events.map(({ id }) => id);
const filled: FilledDisk = { tableFull, logFull, acknowledged, refused, stored };
process.stdout.write(JSON.stringify(filled));
await database.close();
