import { type Database, readDatabaseTime, type Sql } from '../db/index.ts';
import { AccountError } from './account-error.ts';
import {
  type ApiKey,
  addApiKey,
  findApiKeyById,
  findApiKeyByName,
  listApiKeys,
  revokeApiKey,
  rotateApiKey,
} from './api-keys.ts';
import { KEY_PERMISSIONS } from './key-permissions.ts';
import {
  type CommandOutput,
  isUuid,
  type ManageCommands,
  type ManageOptions,
  readCommandArguments,
  requireAccount,
  requireProject,
  writeLastUse,
  writeList,
  writeTime,
} from './manage-command.ts';
import { readScopeNames } from './scope-names.ts';

/** Stands for every account in place of an account's slug; no slug can have this form. */
const EVERY_ACCOUNT = '*';

const SHOWN_ONCE = 'This is the only time the key is shown. Keep it on your server.';

/** Units of `--overlap`, in milliseconds. */
const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };
const LONGEST_OVERLAP_MS = 365 * 86_400_000;

/** The commands about API keys. Source: 1.5. */
export const KEY_COMMANDS: ManageCommands = {
  'key add': {
    usage:
      "(ACCOUNT | '*') NAME [--project PROJECT] --permission PERMISSION... [--legacy] [--region REGION] [--expires DATE]",
    run: keyAdd,
  },
  'key list': { usage: '[ACCOUNT]', run: keyList },
  'key rotate': { usage: "(ID | (ACCOUNT | '*') NAME) [--overlap TIME]", run: keyRotate },
  'key revoke': { usage: "ID | (ACCOUNT | '*') NAME", run: keyRevoke },
};

async function keyAdd(sql: Sql, args: readonly string[], options: ManageOptions): Promise<CommandOutput> {
  const [reference, name] = readCommandArguments(args, KEY_COMMANDS, 'key add', 2);
  const account = reference === EVERY_ACCOUNT ? null : await requireAccount(sql, reference);
  if (options.permissions.length === 0)
    throw new AccountError('invalid', `A key needs --permission: ${KEY_PERMISSIONS.join(', ')}.`);
  const { apiKey, key } = await addApiKey(sql, {
    name,
    account,
    project:
      options.project === undefined ? undefined : await requireProject(sql, reference, options.project),
    permissions: options.permissions,
    isLegacy: options.isLegacy,
    region: options.region,
    expiresAtMs: options.expires === undefined ? null : readDate(options.expires),
  });
  return {
    lines: [
      `Added key ${apiKey.name} (${apiKey.id}) of the ${apiKey.service} service.`,
      `Key: ${key}`,
      SHOWN_ONCE,
    ],
    json: { id: apiKey.id, name: apiKey.name, service: apiKey.service, key },
  };
}

async function keyList(sql: Sql, args: readonly string[]): Promise<CommandOutput> {
  const [reference] = args.length === 0 ? [] : readCommandArguments(args, KEY_COMMANDS, 'key list', 1);
  const account = reference === undefined ? undefined : await requireAccount(sql, reference);
  const names = await readScopeNames(sql);
  return writeList(await listApiKeys(sql, account), {
    empty: 'There is no key yet. Add one: natter-platform key add ACCOUNT NAME --permission PERMISSION',
    toCells: (key) => [
      key.name,
      key.id,
      `${names.accountOf(key.accountId) ?? EVERY_ACCOUNT}/${names.projectOf(key.projectId)?.project ?? EVERY_ACCOUNT}`,
      key.service,
      key.permissions.join(','),
      key.isLegacy ? 'legacy' : '',
      key.region ?? '',
      `…${key.keyHint}`,
      writeLastUse(key.lastUsedAtMs),
      writeEnd(key),
    ],
    toJson: (key) => ({
      id: key.id,
      name: key.name,
      account: names.accountOf(key.accountId),
      project: names.projectOf(key.projectId)?.project ?? null,
      service: key.service,
      permissions: key.permissions,
      legacy: key.isLegacy,
      region: key.region,
      key_hint: key.keyHint,
      created_at: writeTime(key.createdAtMs),
      last_used_at: writeTime(key.lastUsedAtMs),
      replaced_at: writeTime(key.replacedAtMs),
      expires_at: writeTime(key.expiresAtMs),
      revoked_at: writeTime(key.revokedAtMs),
    }),
  });
}

function writeEnd({ expiresAtMs, revokedAtMs, replacedAtMs }: ApiKey): string {
  if (revokedAtMs !== null) return `revoked ${writeTime(revokedAtMs)}`;
  if (expiresAtMs === null) return '';
  return `${replacedAtMs === null ? '' : 'replaced, '}expires ${writeTime(expiresAtMs)}`;
}

async function keyRotate(
  sql: Database,
  args: readonly string[],
  { overlap }: ManageOptions,
): Promise<CommandOutput> {
  const overlapMs = overlap === undefined ? 0 : readOverlap(overlap);
  const { apiKey, key, previous } = await rotateApiKey(
    sql,
    await requireKey(sql, args, 'key rotate'),
    overlapMs,
    await readDatabaseTime(sql),
  );
  const end = previous.revokedAtMs === null ? writeTime(previous.expiresAtMs) : null;
  return {
    lines: [
      `The key ${apiKey.name} has a successor (${apiKey.id}) that covers the same.`,
      `Key: ${key}`,
      SHOWN_ONCE,
      end === null
        ? 'The old key no longer works.'
        : `The old key (${previous.id}) works until ${end}; key list shows when it was last used.`,
    ],
    json: { id: apiKey.id, name: apiKey.name, key, previous: { id: previous.id, expires_at: end } },
  };
}

async function keyRevoke(sql: Sql, args: readonly string[]): Promise<CommandOutput> {
  const { id, name } = await requireKey(sql, args, 'key revoke');
  const wasInUse = await revokeApiKey(sql, id, await readDatabaseTime(sql));
  return {
    lines: [
      wasInUse ? `Revoked key ${name} (${id}). It no longer works.` : `The key ${name} was revoked already.`,
    ],
    json: { id, name, revoked: wasInUse },
  };
}

/** Finds a key by id, or by account and name. Fails with an `AccountError`. */
async function requireKey(sql: Sql, args: readonly string[], command: string): Promise<ApiKey> {
  const key = args.length === 2 ? await byName(sql, args, command) : await byId(sql, args, command);
  if (key !== null) return key;
  throw new AccountError('not_found', 'There is no such key. See: natter-platform key list');
}

async function byName(sql: Sql, args: readonly string[], command: string): Promise<ApiKey | null> {
  const [reference, name] = readCommandArguments(args, KEY_COMMANDS, command, 2);
  const account = reference === EVERY_ACCOUNT ? null : await requireAccount(sql, reference);
  return await findApiKeyByName(sql, account, name);
}

async function byId(sql: Sql, args: readonly string[], command: string): Promise<ApiKey | null> {
  const [id] = readCommandArguments(args, KEY_COMMANDS, command, 1);
  return isUuid(id) ? await findApiKeyById(sql, id) : null;
}

/** Parses a duration such as `90m`, `24h` or `7d` to milliseconds. */
function readOverlap(text: string): number {
  const [, count = '', unit = ''] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  const overlapMs = Number(count) * (UNITS[unit] ?? Number.NaN);
  if (overlapMs >= 0 && overlapMs <= LONGEST_OVERLAP_MS) return overlapMs;
  throw new AccountError(
    'invalid',
    `--overlap must be a time such as 30m, 24h or 7d, at most 365d, not "${text}".`,
  );
}

/** Parses a day (midnight UTC) or a time. */
function readDate(text: string): number {
  const date = /^\d{4}-\d{2}-\d{2}(T.*)?$/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(date)) return date;
  throw new AccountError('invalid', `--expires must be a day such as 2027-01-31, not "${text}".`);
}
