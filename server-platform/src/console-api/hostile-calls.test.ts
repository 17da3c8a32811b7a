import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ConsoleFixture, startConsoleFixture } from '../../test/console-api/console-fixture.ts';
import { EMBEDDED_ENGINE } from '../../test/db/engines.ts';
import { type DeskFixture, startDeskFixture } from '../../test/desk/desk-fixture.ts';
import { type HostileCall, hostileCallsOf, UNLIMITED } from '../../test/desk/hostile-calls.ts';
import { loadAgent } from '../agents/index.ts';
import { DESK_ROUTES } from '../desk/api/desk-app.ts';
import { CONSOLE_ROUTES } from './console-app.ts';

let desk: DeskFixture;
let atConsole: ConsoleFixture;
let folder = '';
beforeAll(async () => {
  desk = await startDeskFixture(EMBEDDED_ENGINE, {}, { personCalls: UNLIMITED });
  folder = await mkdtemp(join(tmpdir(), 'natter-articles-'));
  await writeFile(join(folder, 'none.md'), '---\ntitle: Parking\n---\nParking costs £6 a day.\n');
  const ada = await loadAgent({ kind: 'knowledge', name: 'Ada', knowledgeFolder: folder });
  atConsole = await startConsoleFixture({ agentSources: new Map([['ada', ada]]) }, UNLIMITED);
});
afterAll(async () => {
  await desk.stop();
  await atConsole.stop();
  await rm(folder, { recursive: true });
});

type Fetch = (methodAndPath: string, body?: object) => Promise<Response>;

/** The calls that the platform failed at, with their status. */
async function findFailures(calls: readonly HostileCall[], fetch: Fetch): Promise<readonly string[]> {
  const failures: string[] = [];
  for (const { name, methodAndPath, body } of calls) {
    const answer = await fetch(methodAndPath, body);
    if (answer.status >= 500) failures.push(`${answer.status} ${name}`);
    await answer.body?.cancel();
  }
  return failures;
}

it('no call of the desk fails the platform, whatever texts it has', async () => {
  const admin = await desk.sitDown('Root', { role: 'admin' });
  // These end the sign-in, or lead to the provider.
  const routes = DESK_ROUTES.filter(({ id }) => !['deskSignOut', 'deskPassword'].includes(id));
  expect(await findFailures(routes.flatMap(hostileCallsOf), admin.fetch)).toEqual([]);
  expect(desk.platform.failures).toEqual([]);
});

it('no call of the console fails the platform, whatever texts it has', async () => {
  const admin = await atConsole.signIn('admin');
  expect(await findFailures(CONSOLE_ROUTES.flatMap(hostileCallsOf), admin.fetch)).toEqual([]);
  expect(atConsole.rest.failures).toEqual([]);
});
