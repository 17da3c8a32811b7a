import { Desk } from '../../desk/desk.ts';
import { startDeskFamily } from '../../desk/desk-family.ts';
import { addPerson, type Role } from '../../desk/people.ts';
import type { PersonCalls } from '../../desk/person-calls.ts';
import { addSignIn } from '../../desk/sign-ins.ts';
import { startFamilies } from '../../families.ts';
import {
  type RestFixture,
  type RestFixtureOptions,
  type RestTestAnswer,
  startRestFixture,
} from '../../rest/testing/rest-fixture.ts';
import { createConsoleApp } from '../console-app.ts';
import { createInProcessClients } from '../in-process-clients.ts';
import { NodeReports } from '../node-reports.ts';

/** A person at the console. */
export interface TestPerson {
  readonly id: string;
  /** `call('GET /conversations?limit=5')`; `fetch` for streams and files. */
  call(methodAndPath: string, body?: object): Promise<RestTestAnswer>;
  fetch(methodAndPath: string, body?: object): Promise<Response>;
  /** The same at the desk's calls. */
  fetchDesk(methodAndPath: string): Promise<Response>;
}

/** The console's calls over every family of the platform, without a port: account `acme`, project `shop`. */
export interface ConsoleFixture {
  readonly rest: RestFixture;
  /** Adds a person with a role, signed in. */
  signIn(role: Role, accountId?: string): Promise<TestPerson>;
  stop(): Promise<void>;
}

/**
 * Starts the console's calls over a fresh embedded database.
 *
 * @example
 * const fixture = await startConsoleFixture();
 * const sue = await fixture.signIn('supervisor');
 * const { body } = await sue.call('GET /me');
 * await fixture.stop();
 */
export async function startConsoleFixture(
  options: RestFixtureOptions = {},
  personCalls?: PersonCalls,
): Promise<ConsoleFixture> {
  const rest = await startRestFixture({
    ...options,
    isChecked: false,
    families: async (services) => {
      const families = await startFamilies(services);
      const routes = families.flatMap((family) => family.routes);
      const nodeReports = new NodeReports(services);
      const desk = new Desk(services);
      const server = {
        ...{ ...services, hasDesk: true, testBenchUrl: null, streams: services.personStreams, desk },
        nodeReports,
        ...(personCalls && { personCalls }),
        findClient: createInProcessClients(services, routes),
      };
      const pages = { '/console/api': createConsoleApp(server) };
      return [
        ...families,
        startDeskFamily({ ...services, ...(personCalls && { personCalls }), desk }),
        { routes: [], pages, close: () => nodeReports.close() },
      ];
    },
  });
  let people = 0;
  return {
    rest,
    stop: () => rest.stop(),
    async signIn(role, accountId = rest.account.id) {
      people += 1;
      const name = `${role}-${people}`;
      const email = `${name}@example.com`;
      const fields = { accountId, email, name, role, passwordHash: '', capacity: 1, queueIds: [] };
      const id = await addPerson(rest.database, { ...fields, skills: [], languages: [] }, rest.clock.now());
      const token = await addSignIn(rest.database, id ?? '', rest.clock.now());
      const headers = { 'X-Natter-Desk': '1', Cookie: `__Host-natter-desk=${token}` };
      const locate = (methodAndPath: string): string => methodAndPath.replace(' ', ' /console/api');
      return {
        id: id ?? '',
        call: (methodAndPath, body) =>
          rest.call(locate(methodAndPath), { headers, ...(body === undefined ? {} : { body }) }),
        fetch: (methodAndPath, body) =>
          rest.fetch(locate(methodAndPath), { headers, ...(body === undefined ? {} : { body }) }),
        fetchDesk: (methodAndPath) => rest.fetch(methodAndPath.replace(' ', ' /desk/api'), { headers }),
      };
    },
  };
}
