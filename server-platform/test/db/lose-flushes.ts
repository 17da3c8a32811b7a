// Writes while the disk refuses flushes: `NATTER_REFUSE_FLUSHES=FILE node --import refuse-flushes.ts lose-flushes.ts FOLDER`.
// Prints what became of it as JSON.
import { rmSync, writeFileSync } from 'node:fs';
import { isDatabaseError, openDatabase } from '../../src/db/index.ts';

/** The output of `lose-flushes.ts`. */
export type LostFlushes = {
  /** Rows that were acknowledged before the disk refused a flush. */
  readonly acknowledged: readonly number[];
  /** Codes and messages of the write whose flush was refused, and of one after the disk had recovered. */
  readonly refused: readonly string[];
  /** Rows found by the next process, or the next opening. */
  readonly stored: readonly number[];
  /** Why a database could not be opened while the disk refused flushes. */
  readonly notOpened: string;
  /** Why a new database could not be created meanwhile. */
  readonly notCreated: string;
};

const folder = process.argv[2];
const flag = process.env['NATTER_REFUSE_FLUSHES'];
if (folder === undefined || flag === undefined) throw new Error('lose-flushes.ts needs a folder and a flag');

async function refusalOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'not refused';
  } catch (error) {
    if (!isDatabaseError(error)) throw error;
    return `${error.code}: ${error.message}`;
  }
}

const acknowledged = [1, 2, 3];
const first = await openDatabase({ dataDir: folder });
await first.query('CREATE TABLE notes (id int)');
for (const id of acknowledged) await first.query('INSERT INTO notes VALUES ($1)', [id]);
writeFileSync(flag, '');
const whileRefused = await refusalOf(first.query('INSERT INTO notes VALUES (4)'));
rmSync(flag);
const afterwards = await refusalOf(first.query('INSERT INTO notes VALUES (5)'));
await first.close();
writeFileSync(flag, '');
const notOpened = await refusalOf(openDatabase({ dataDir: folder }));
const notCreated = await refusalOf(openDatabase({ dataDir: `${folder}-new` }));
rmSync(flag);
const second = await openDatabase({ dataDir: folder });
const rows = await second.query<{ id: number }>('SELECT id FROM notes ORDER BY id');
await second.close();
const lost: LostFlushes = {
  acknowledged,
  refused: [whileRefused, afterwards],
  stored: rows.map(({ id }) => id),
  notOpened,
  notCreated,
};
process.stdout.write(JSON.stringify(lost));
