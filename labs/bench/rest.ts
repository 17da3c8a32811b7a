import { monitorEventLoopDelay } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { conversationsQuerySchema, parseQuery } from '@natter/sdk';
import {
  type Account,
  addAccount,
  addProject,
  type Project,
} from '../../server-platform/src/accounts/index.ts';
import type { Database } from '../../server-platform/src/db/index.ts';
import { Scheduler } from '../../server-platform/src/jobs/index.ts';
import { systemClock } from '../../server-platform/src/kit/clock.ts';
import {
  type ConcurrencyRange,
  findConcurrency,
} from '../../server-platform/src/records/concurrency/find-concurrency.ts';
import {
  type ListSources,
  listConversations,
} from '../../server-platform/src/records/conversations/list-conversations.ts';
import { createHashedEmbedder } from '../../server-platform/src/records/search/hashed-embedder.ts';
import {
  openSemanticSearch,
  type SemanticSearch,
} from '../../server-platform/src/records/search/semantic-search.ts';
import { seedConversations } from '../seeding/seed-conversations.ts';
import { type Opened, openEmbedded, openServer } from './databases/open-engines.ts';

// How long lists, searches and the count of concurrent conversations take, from the query to the last character of the
// answer, as multiples of the smallest statement there is.
const USAGE = `npm run labs -- bench rest [options]

  --only PART      lists, semantic or concurrency; may be given more than once; default all
  --engine NAME    pglite or postgres (DATABASE_URL_TEST); default both
  --listed N       conversations to list and to search; default 100000
  --counted N      conversations to count; default 1000000
  --runs N         the median of so many; default 5`;

const PARTS = { lists: measureLists, semantic: measureSemantic, concurrency: measureConcurrency };
const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: Object.keys(PARTS) },
    engine: { type: 'string' },
    listed: { type: 'string', default: '100000' },
    counted: { type: 'string', default: '1000000' },
    runs: { type: 'string', default: '5' },
    help: { type: 'boolean', default: false },
  },
});
const LISTED = Number(values.listed);
const COUNTED = Number(values.counted);
const RUNS = Number(values.runs);
const UNTIL_MS = Date.UTC(2026, 2, 9);
const DAY_MS = 86_400_000;
const WEEK = 'start_time=2026-03-02&end_time=2026-03-09';
const WIDTH = 40;

type Place = {
  readonly database: Database;
  readonly account: Account;
  readonly project: Project;
  readonly semantic: SemanticSearch;
};

const ENGINES = { pglite: openEmbedded, postgres: openServer };
if (
  values.help ||
  [...values.only, values.engine ?? 'pglite'].some((name) => !(name in { ...PARTS, ...ENGINES }))
) {
  console.log(USAGE);
  process.exit(values.help ? 0 : 2);
}
for (const [engine, open] of Object.entries(ENGINES)) {
  if (values.engine !== undefined && values.engine !== engine) continue;
  const opened = await open();
  if (opened === null) console.log('postgres: not reachable, skipped (set DATABASE_URL_TEST)');
  else await measure(opened).finally(() => opened.close());
}

async function measure({ name, database }: Opened): Promise<void> {
  console.log(`\n${name}`);
  const account = await addAccount(database, { slug: 'bench' });
  const project = await addProject(database, account, { slug: 'listed' });
  const semantic = await openSearch(database);
  const place = { database, account, project, semantic };
  const isListed = values.only.some((part) => part !== 'concurrency');
  if (isListed) await seed(database, project);
  const trivialMs = await median(200, () => database.query('SELECT 1'));
  console.log(`${'SELECT 1'.padEnd(WIDTH)}${format(trivialMs)} ms`);
  for (const [part, measurePart] of Object.entries(PARTS)) {
    if (values.only.includes(part)) await measurePart(place, trivialMs);
  }
  await semantic.close();
}

async function openSearch(database: Database): Promise<SemanticSearch> {
  const onFailure = (what: string, error: unknown): void => console.error(what, error);
  return await openSemanticSearch({
    database,
    embedder: createHashedEmbedder(),
    clock: systemClock,
    scheduler: new Scheduler({ onFailure }),
    node: 'bench',
    onFailure,
  });
}

async function seed(database: Database, project: Project): Promise<void> {
  const { conversations, turns, durationMs } = await seedConversations(database, {
    seed: 1,
    conversations: LISTED,
    days: 7,
    untilMs: UNTIL_MS,
    projectId: project.id,
    connectorId: null,
  });
  console.log(`seeded ${conversations} conversations, ${turns} turns: ${rate(conversations, durationMs)}`);
  await database.query('VACUUM (ANALYZE) conversations, conversation_turns');
}

function rate(count: number, ms: number): string {
  return `${Math.round(count / (ms / 1000)).toLocaleString('en')}/s`;
}

async function measureLists(place: Place, trivialMs: number): Promise<void> {
  const deep = Math.floor(LISTED * 0.9);
  const page: unknown = JSON.parse(await list(place, `${WEEK}&limit=1&offset=${deep - 1}`));
  const cursor = typeof page === 'object' && page !== null ? Reflect.get(page, 'cursor') : null;
  const queries: readonly (readonly [what: string, query: string])[] = [
    ['list, first 50', 'limit=50'],
    ['list, first 5,000', 'limit=5000'],
    [`list, 50 at offset ${deep.toLocaleString('en')}`, `limit=50&offset=${deep}`],
    ['list, the same 50 by cursor', `limit=50&cursor=${cursor}`],
    ['list, 50 of one channel and variant', 'limit=50&channel=sms&variant_id=night-watch'],
    ['transcript, a common word', `${WEEK}&limit=50&query_type=transcript&query=ferry`],
    ['transcript, three words', `${WEEK}&limit=50&query_type=transcript&query=blue%20rucksack%20skarvik`],
    ['transcript, a word of one turn', `${WEEK}&limit=50&query_type=transcript&query=KW123456`],
    ['random 50 of the week', `${WEEK}&limit=50&sample=random`],
  ];
  for (const [what, query] of queries) print(what, await median(RUNS, () => list(place, query)), trivialMs);
}

async function measureSemantic(place: Place, trivialMs: number): Promise<void> {
  const { database, semantic } = place;
  const startedAt = performance.now();
  const vectors = await semantic.index(Number.POSITIVE_INFINITY);
  console.log(`made ${vectors} vectors (${semantic.kind}): ${rate(vectors, performance.now() - startedAt)}`);
  await database.query('VACUUM (ANALYZE) conversations, conversation_vectors');
  const search = 'limit=50&query_type=semantic&query=lost%20my%20bag%20on%20board';
  const week = `${WEEK}&${search}`;
  const first = await measureFirstSearch(place, week);
  print('semantic, the week, the first search', first.ms, trivialMs);
  print('standstill of the thread meanwhile', first.standstillMs, trivialMs);
  const queries: readonly (readonly [what: string, query: string])[] = [
    ['semantic, the week', week],
    ['semantic, one day', `start_time=2026-03-04&end_time=2026-03-05&${search}`],
    ['semantic, one channel and variant', `${week}&channel=sms&variant_id=night-watch`],
  ];
  for (const [what, query] of queries) print(what, await median(RUNS, () => list(place, query)), trivialMs);
}

/** A search right after a start, and how long the main thread was blocked meanwhile: medians. */
async function measureFirstSearch(
  place: Place,
  query: string,
): Promise<{ readonly ms: number; readonly standstillMs: number }> {
  const times: number[] = [];
  const standstills: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const semantic = await openSearch(place.database);
    const loop = monitorEventLoopDelay({ resolution: 1 });
    loop.enable();
    const startedAt = performance.now();
    await list({ ...place, semantic }, query);
    times.push(performance.now() - startedAt);
    loop.disable();
    standstills.push(loop.max / 1e6);
    await semantic.close();
  }
  return { ms: middle(times), standstillMs: middle(standstills) };
}

async function list({ database, account, project, semantic }: Place, text: string): Promise<string> {
  const parsed = parseQuery(conversationsQuerySchema('v3'), new URLSearchParams(text));
  if (!parsed.isOk) throw new Error(JSON.stringify(parsed.errors));
  const request = { version: 'v3', account, project, query: parsed.value, hasVendorNames: false } as const;
  let body = '';
  const sources: ListSources = {
    ...{ database, semantic },
    searchInShare: (_account, work) => work(),
    answerInShare: (_account, _signal, answer) => answer(),
  };
  for await (const piece of await listConversations(sources, { ...request, nowMs: UNTIL_MS })) body += piece;
  return body;
}

async function measureConcurrency({ database, account }: Place, trivialMs: number): Promise<void> {
  const project = await addProject(database, account, { slug: 'counted' });
  const sinceMs = UNTIL_MS - 7 * DAY_MS;
  const perStatement = 50_000;
  for (let from = 0; from < COUNTED; from += perStatement) {
    // In order of time, as they are written. Durations are exponential, five minutes in the middle.
    await database.query(
      `INSERT INTO conversations (id, project_id, variant_id, variant_name, environment, channel, language, from_number,
                                  to_number, started_at, ended_at, num_turns, num_silences, num_ood, needs_vector)
       SELECT 'CONV-' || lpad(n::text, 26, '0'), $1, 'v' || n % 4, 'Variant ' || n % 4, 'live', 'VOICE-SIP', 'en', '', '',
              at, at + (-430000 * ln(1 - random()))::bigint, 0, 0, 0, false
         FROM (SELECT n, $2::bigint + (n * $3::float8)::bigint AS at FROM generate_series($4::bigint, $5::bigint) n) t`,
      [project.id, sinceMs, (7 * DAY_MS) / COUNTED, from, Math.min(from + perStatement, COUNTED) - 1],
    );
  }
  await database.query('VACUUM (ANALYZE) conversations');
  const range = {
    projectId: project.id,
    environment: 'live',
    fromMs: sinceMs,
    toMs: UNTIL_MS,
    nowMs: UNTIL_MS,
    isByVariant: false,
  };
  const count = COUNTED.toLocaleString('en');
  const whole = await median(RUNS, () => findConcurrency(database, range));
  print(`concurrency, a week, ${count}`, whole, trivialMs);
  const sliced = await median(RUNS, () => findConcurrency(database, { ...range, isByVariant: true }));
  print('the same by variant', sliced, trivialMs);
  const day = { ...range, fromMs: sinceMs + 3 * DAY_MS, toMs: sinceMs + 4 * DAY_MS };
  print('concurrency, one day of it', await median(RUNS, () => findConcurrency(database, day)), trivialMs);
  print('another statement during a week', await longestWait(database, range), trivialMs);
}

/** Duration of the slowest statement sent while a week of conversations was counted, in milliseconds. */
async function longestWait(database: Database, range: ConcurrencyRange): Promise<number> {
  let isCounting = true;
  const counting = findConcurrency(database, range).finally(() => {
    isCounting = false;
  });
  let longestMs = 0;
  while (isCounting) {
    const startedAt = performance.now();
    await database.query('SELECT 1');
    longestMs = Math.max(longestMs, performance.now() - startedAt);
  }
  await counting;
  return longestMs;
}

async function median(runs: number, work: () => Promise<unknown>): Promise<number> {
  await work();
  const times: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const startedAt = performance.now();
    await work();
    times.push(performance.now() - startedAt);
  }
  return middle(times);
}

function middle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function print(what: string, ms: number, trivialMs: number): void {
  const ratio = Math.round(ms / trivialMs).toLocaleString('en');
  console.log(`${what.padEnd(WIDTH)}${format(ms)} ms  ${ratio.padStart(8)} x`);
}

function format(ms: number): string {
  return ms.toFixed(2).padStart(10);
}
