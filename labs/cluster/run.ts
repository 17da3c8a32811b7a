import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { HAS_NATS_SERVER } from '../../server-platform/test/realtime/bus/nats-server.ts';
import { makeNextRelease } from '../../test/deployment/next-release.ts';
import { Cluster } from './cluster.ts';
import { takeLastRelease } from './last-release.ts';
import { HAS_POSTGRES } from './postgres-server.ts';
import { SCENARIOS, type Scenario } from './scenarios.ts';
import { Visitors } from './visitors.ts';

const USAGE = `npm run labs -- cluster [options]
  --only NAME    only this scenario; may be given several times
  --chats N      chats in each (default 500, in the short form 30)
  --quick        the short form: the scenarios marked with *, and shorter faults
  --list         print the scenarios and stop
Exit code 0: nothing was lost; 1: something was; 2: the options are not understood.
`;

const PLENTY = 500;
const FEW = 30;
const WORD_MS = { whole: 60, quick: 20 } as const;

const print = (line: string): void => void process.stdout.write(`${line}\n`);

const list = (): string =>
  Object.entries(SCENARIOS)
    .map(([name, { what, isQuick }]) => `  ${name.padEnd(9)} ${isQuick ? '*' : ' '} ${what}`)
    .join('\n');

interface Run {
  readonly chats: number;
  readonly isQuick: boolean;
  /** Folders of the releases between which the upgrade goes. */
  readonly lastRelease: string | null;
  readonly nextRelease: string | null;
}

/** Writes what each visitor's client has sent, received and noted. Resolves with the folder. */
async function writeFrames({ tabs }: Visitors): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'natter-cluster-frames-'));
  for (const [index, tab] of tabs.entries()) {
    const { frames } = await tab.trace();
    await writeFile(join(folder, `tab-${index}.txt`), `${frames.join('\n')}\n`);
  }
  return folder;
}

/** Runs scenarios on one cluster. Resolves with the names of those that failed. */
async function runGroup(
  group: readonly (readonly [string, Scenario])[],
  { chats, isQuick, lastRelease, nextRelease }: Run,
): Promise<readonly string[]> {
  const nodes = group[0]?.[1].nodes?.(lastRelease);
  const cluster = await Cluster.start({
    ...(nodes !== undefined && { nodes }),
    wordPauseMs: isQuick ? WORD_MS.quick : WORD_MS.whole,
  });
  const failed: string[] = [];
  try {
    for (const [name, scenario] of group) {
      const startedAt = performance.now();
      const visitors = await Visitors.open(cluster.farEnds.endpoint, chats);
      let report: string;
      try {
        report = await scenario.run({
          ...{ cluster, visitors, isQuick },
          nextRelease: nextRelease === null ? {} : { release: nextRelease },
        });
      } catch (error) {
        failed.push(name);
        const why = error instanceof Error ? error.message : String(error);
        report = `FAILED: ${why}\nThe frames of all visitors are in ${await writeFrames(visitors)}.`;
      }
      await visitors.close();
      const { all, ofDays } = await cluster.countSessions();
      print(
        `${name.padEnd(9)} ${scenario.what} (${Math.round((performance.now() - startedAt) / 1_000)} s; ${ofDays} of ${all} sessions in partitions): ${report}`,
      );
      // Later scenarios would run on an incomplete cluster.
      if (failed.length > 0) {
        print(cluster.nodes.map(({ name, output }) => `${name}:\n${output.slice(-12).join('')}`).join('\n'));
        break;
      }
    }
  } finally {
    await cluster.close();
  }
  return failed;
}

/** Scenarios without special needs share a cluster. */
function groupScenarios(names: readonly string[]): readonly (readonly (readonly [string, Scenario])[])[] {
  const chosen = Object.entries(SCENARIOS).filter(([name]) => names.includes(name));
  const shared = chosen.filter(([, { nodes }]) => nodes === undefined);
  const alone = chosen.filter(([, { nodes }]) => nodes !== undefined).map((each) => [each]);
  return shared.length === 0 ? alone : [shared, ...alone];
}

const readOptions = () =>
  parseArgs({
    options: {
      only: { type: 'string', multiple: true, default: [] },
      chats: { type: 'string' },
      quick: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  }).values;

async function main(): Promise<number> {
  let values: ReturnType<typeof readOptions>;
  try {
    values = readOptions();
  } catch (error) {
    print(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
    return 2;
  }
  const { quick: isQuick } = values;
  const chats = Number(values.chats ?? (isQuick ? FEW : PLENTY));
  const unknown = values.only.filter((name) => SCENARIOS[name] === undefined);
  const isAsked = values.list || values.help;
  if (isAsked || unknown.length > 0 || !Number.isInteger(chats) || chats < 1) {
    print(`${USAGE}\n${list()}`);
    return isAsked ? 0 : 2;
  }
  const missing = [HAS_POSTGRES ? [] : 'initdb and pg_ctl', HAS_NATS_SERVER ? [] : 'nats-server'].flat();
  if (missing.length > 0) {
    print(`The cluster tests are skipped: this machine has no ${missing.join(', and no ')} in its PATH.`);
    return 0;
  }
  const wanted = values.only.length > 0 ? values.only : Object.keys(SCENARIOS);
  const names = wanted.filter(
    (name) => values.only.length > 0 || !isQuick || SCENARIOS[name]?.isQuick === true,
  );
  const needsReleases = names.some((name) => SCENARIOS[name]?.needsReleases === true);
  const last = needsReleases ? await takeLastRelease() : null;
  const next = needsReleases ? await makeNextRelease() : null;
  if (needsReleases)
    print(`The upgrade goes from ${last?.name ?? 'this checkout'} to this checkout with a migration more.`);
  const releases = { lastRelease: last?.folder ?? null, nextRelease: next?.folder ?? null };
  const failed: string[] = [];
  try {
    for (const group of groupScenarios(names))
      failed.push(...(await runGroup(group, { chats, isQuick, ...releases })));
  } finally {
    await last?.remove();
    await next?.remove();
  }
  print(
    failed.length === 0
      ? 'Nothing was lost, nothing came twice, all in order.'
      : `Failed: ${failed.join(', ')}`,
  );
  return failed.length === 0 ? 0 : 1;
}

// Pending calls of a client that has given up do not delay the end.
process.exit(await main());
