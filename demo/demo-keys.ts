import { type DemoUrls, readRun } from './demo-run.ts';
import { type DemoKey, listRestKeys, PEOPLE, readSecrets } from './demo-secrets.ts';

/** Person who signs in at the demo's console. */
export interface DemoPerson {
  readonly email: string;
  readonly role: string;
  readonly password: string;
}

/** Everything that opens the parts of a demo. */
export interface DemoKeys {
  readonly urls: DemoUrls;
  readonly account: string;
  readonly project: string;
  /** Empty with a configuration of your own, whose people and keys are in `configFile`. */
  readonly people: readonly DemoPerson[];
  readonly keys: readonly DemoKey[];
  readonly configFile: string | null;
}

/** Reads the keys of the last start with this data folder; null when there was none. */
export function readKeys(dataDir: string): DemoKeys | null {
  const run = readRun(dataDir);
  const secrets = readSecrets(dataDir);
  if (run === null || secrets === null) return null;
  const isCompany = run.configFile === null;
  return {
    ...run,
    account: 'kittiwake',
    project: 'kittiwake',
    people: isCompany
      ? PEOPLE.map(({ email, role }) => ({ email, role, password: secrets.deskPassword }))
      : [],
    keys: isCompany ? listRestKeys(secrets) : [],
  };
}

/** The keys as `npm run keys` prints them, 80 columns wide. */
export function writeKeys({ urls, account, project, people, keys, configFile }: DemoKeys): string {
  if (configFile !== null)
    return `The last start used your own configuration, which has its people and keys:\n${configFile}`;
  const emailWidth = Math.max(...people.map(({ email }) => email.length));
  const roleWidth = Math.max(...people.map(({ role }) => role.length));
  const nameWidth = Math.max(...keys.map(({ name }) => name.length));
  return [
    `Console ${urls.console}: email address, role, password`,
    ...people.map(
      ({ email, role, password }) => `  ${email.padEnd(emailWidth)}  ${role.padEnd(roleWidth)}  ${password}`,
    ),
    '',
    `REST families at ${urls.platform}: header X-Api-Key,`,
    `account ${account}, project ${project}`,
    ...keys.flatMap(({ name, permissions, key }) => [
      `  ${name.padEnd(nameWidth)}  ${key}`,
      `  ${' '.repeat(nameWidth)}  ${permissions.join(', ')}`,
    ]),
  ].join('\n');
}
