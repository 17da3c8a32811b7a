import { startFamilies } from '../../src/app/families.ts';
import { Desk } from '../../src/desk/desk.ts';
import { addPerson, type Role } from '../../src/staff/people.ts';
import type { PersonCalls } from '../../src/staff/person-calls.ts';
import { addSignIn } from '../../src/staff/sign-ins.ts';
import {
  type RestFixture,
  type RestFixtureOptions,
  type RestTestAnswer,
  startRestFixture,
} from '../api/rest/rest-fixture.ts';

/** A person at the console. */
export interface TestPerson {
  readonly id: string;
  /** `call('GET /conversations?limit=5')`; `fetch` for streams and files. */
  call(methodAndPath: string, body?: object): Promise<RestTestAnswer>;
  fetch(methodAndPath: string, body?: object): Promise<Response>;
  /** Calls the desk's API in the same way. */
  fetchDesk(methodAndPath: string, body?: object): Promise<Response>;
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
      const desk = new Desk({ ...services, listConnected: async (sessionIds) => new Set(sessionIds) });
      const console = {
        ...{ desk, hasDesk: true, consoleUrl: 'https://console.example.com/' },
        tokenProxyUrl: 'https://chat.example.com',
      };
      return await startFamilies({ ...services, ...(personCalls && { personCalls }), desk, console });
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
        fetchDesk: (methodAndPath, body) =>
          rest.fetch(methodAndPath.replace(' ', ' /desk/api'), {
            headers,
            ...(body === undefined ? {} : { body }),
          }),
      };
    },
  };
}
