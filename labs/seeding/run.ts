import { parseArgs } from 'node:util';
import {
  findAccount,
  findProject,
  listConnectors,
  type Project,
} from '../../server-platform/src/accounts/index.ts';
import { seedDevelopment } from '../../server-platform/src/app/config/index.ts';
import { type Database, isDatabaseError, migrate, openDatabase } from '../../server-platform/src/db/index.ts';
import { createHashedEmbedder } from '../../server-platform/src/records/search/hashed-embedder.ts';
import { indexVectors } from '../../server-platform/src/records/search/index-vectors.ts';
import { openVectorStore } from '../../server-platform/src/records/search/vector-store.ts';
import { seedHostile } from './hostile-conversations.ts';
import { seedConversations } from './seed-conversations.ts';

const USAGE = `npm run seed -- [options]

  --days N             days that are filled, up to now; default 7
  --conversations N    how many; default 100000
  --hostile            long texts, very many turns, deep values instead: what is hardest to read back
  --seed N             another number, other conversations; default 1
  --until TIME         the last moment, ISO 8601; default the last full hour
  --account SLUG       default kittiwake, the development account, which an empty embedded database is given
  --project SLUG       default kittiwake
  --data DIR           folder of the embedded database; default .natter/platform
  --database-url URL   PostgreSQL server instead; default DATABASE_URL

The same numbers and the same --until write the same conversations. A running platform on the embedded database has to be
stopped first.`;

const OPTIONS = {
  days: { type: 'string', default: '7' },
  conversations: { type: 'string', default: '100000' },
  seed: { type: 'string', default: '1' },
  until: { type: 'string' },
  account: { type: 'string', default: 'kittiwake' },
  project: { type: 'string', default: 'kittiwake' },
  data: { type: 'string', default: '.natter/platform' },
  'database-url': { type: 'string' },
  hostile: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

const HOUR_MS = 3_600_000;

const { values } = readArguments();
if (values.help) {
  console.log(USAGE);
  process.exit(0);
}
const plan = {
  days: readCount('days', 1, 366),
  conversations: readCount('conversations', 1, 10_000_000),
  seed: readCount('seed', 0, 2_147_483_647),
  untilMs: readUntil(),
};
try {
  await run();
} catch (error) {
  console.error(isDatabaseError(error) ? error.message : error);
  process.exitCode = 1;
}

async function run(): Promise<void> {
  const databaseUrl = values['database-url'] ?? process.env['DATABASE_URL'];
  const database = await openDatabase({ databaseUrl, dataDir: values.data, onProgress: console.error });
  try {
    await migrate(database);
    const project = await findOrMakeProject(database);
    const [connector] = await listConnectors(database, project);
    if (values.hostile) {
      const startedAt = performance.now();
      const { untilMs } = plan;
      const owner = { projectId: project.id, connectorId: connector?.id ?? null };
      print(
        'conversations',
        await seedHostile(database, { ...owner, untilMs }),
        performance.now() - startedAt,
      );
      return;
    }
    const { conversations, turns, durationMs } = await seedConversations(
      database,
      { ...plan, projectId: project.id, connectorId: connector?.id ?? null },
      (written) => {
        if (written % 20_000 === 0 && written > 0) console.error(`${written} conversations …`);
      },
    );
    print('conversations', conversations, durationMs);
    print('turns', turns, durationMs);
    await database.query('ANALYZE conversations, conversation_turns');
    const startedAt = performance.now();
    const vectors = await makeVectors(database);
    print('vectors', vectors, performance.now() - startedAt);
    await database.query('VACUUM (ANALYZE) conversations, conversation_turns, conversation_vectors');
  } finally {
    await database.close();
  }
}

async function findOrMakeProject(database: Database): Promise<Project> {
  // Never on a server: other people and programs may use that database.
  const made = database.engine === 'pglite' ? await seedDevelopment(database) : null;
  for (const { name, key } of made?.keys ?? []) console.log(`API key ${name}, shown only this once: ${key}`);
  const account = await findAccount(database, values.account);
  const project = account === null ? null : await findProject(database, account, values.project);
  if (project !== null) return project;
  throw new Error(
    `There is no project ${values.account}/${values.project}. Name one with --account and --project.`,
  );
}

/** The platform computes missing vectors in the background; computed here, the first search finds everything. */
async function makeVectors(database: Database): Promise<number> {
  const embedder = createHashedEmbedder();
  const store = await openVectorStore(database, embedder.name);
  const { signal } = new AbortController();
  return await indexVectors({
    database,
    store,
    embedder,
    node: 'seed',
    limit: Number.POSITIVE_INFINITY,
    signal,
    onRefused(error) {
      throw error;
    },
  });
}

function print(what: string, count: number, durationMs: number): void {
  const rate = Math.round(count / (durationMs / 1000)).toLocaleString('en');
  const total = count.toLocaleString('en');
  console.log(
    `${total.padStart(12)} ${what.padEnd(14)} ${(durationMs / 1000).toFixed(1).padStart(7)} s ${rate.padStart(9)} per second`,
  );
}

function readArguments(): ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>> {
  try {
    return parseArgs({ options: OPTIONS });
  } catch (error) {
    refuse(error instanceof Error ? error.message : String(error));
  }
}

function readCount(name: 'days' | 'conversations' | 'seed', min: number, max: number): number {
  const text = values[name];
  const count = Number(text);
  if (!/^\d+$/.test(text) || count < min || count > max) {
    refuse(`--${name} has to be a whole number from ${min} to ${max}, not "${text}".`);
  }
  return count;
}

function readUntil(): number {
  if (values.until === undefined) return Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
  const untilMs = Date.parse(values.until);
  if (Number.isNaN(untilMs))
    refuse(`--until has to be a time such as 2026-03-02T12:00:00Z, not "${values.until}".`);
  return untilMs;
}

function refuse(problem: string): never {
  console.error(`${problem}\n\n${USAGE}`);
  process.exit(2);
}
