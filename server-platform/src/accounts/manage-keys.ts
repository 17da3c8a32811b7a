import type { Sql } from '../db/index.ts';
import { AccountError } from './account-error.ts';
import {
  type ApiKey,
  addApiKey,
  findApiKeyById,
  findApiKeyByName,
  listApiKeys,
  revokeApiKey,
} from './api-keys.ts';
import { KEY_PERMISSIONS } from './key-permissions.ts';
import {
  isUuid,
  type ManageCommands,
  type ManageOptions,
  needAccount,
  needProject,
  takeWords,
  writeList,
  writeTime,
} from './manage-command.ts';
import { readScopeNames } from './scope-names.ts';

/** Stands for every account where an account is asked for; no slug can be this. */
const EVERY_ACCOUNT = '*';

/** The commands about API keys. Source: 1.5. */
export const KEY_COMMANDS: ManageCommands = {
  'key add': {
    usage:
      "(ACCOUNT | '*') NAME [--project PROJECT] --permission PERMISSION... [--legacy] [--region REGION] [--expires DATE]",
    run: keyAdd,
  },
  'key list': { usage: '[ACCOUNT] [--json]', run: keyList },
  'key revoke': { usage: "ID | (ACCOUNT | '*') NAME", run: keyRevoke },
};

async function keyAdd(
  sql: Sql,
  words: readonly string[],
  options: ManageOptions,
): Promise<readonly string[]> {
  const [reference, name] = takeWords(words, KEY_COMMANDS, 'key add', 2);
  const account = reference === EVERY_ACCOUNT ? null : await needAccount(sql, reference);
  if (options.permissions.length === 0)
    throw new AccountError('invalid', `A key needs --permission: ${KEY_PERMISSIONS.join(', ')}.`);
  const { apiKey, key } = await addApiKey(sql, {
    name,
    account,
    project: options.project === undefined ? undefined : await needProject(sql, reference, options.project),
    permissions: options.permissions,
    isLegacy: options.isLegacy,
    region: options.region,
    expiresAtMs: options.expires === undefined ? null : readDate(options.expires),
  });
  return [
    `Added key ${apiKey.name} (${apiKey.id}) of the ${apiKey.service} service.`,
    `Key: ${key}`,
    'This is the only time the key is shown. Keep it on your server.',
  ];
}

async function keyList(
  sql: Sql,
  words: readonly string[],
  options: ManageOptions,
): Promise<readonly string[]> {
  const [reference] = words.length === 0 ? [] : takeWords(words, KEY_COMMANDS, 'key list', 1);
  const account = reference === undefined ? undefined : await needAccount(sql, reference);
  const names = await readScopeNames(sql);
  return writeList(await listApiKeys(sql, account), options, {
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
      expires_at: writeTime(key.expiresAtMs),
      revoked_at: writeTime(key.revokedAtMs),
    }),
  });
}

function writeEnd({ expiresAtMs, revokedAtMs }: ApiKey): string {
  if (revokedAtMs !== null) return `revoked ${new Date(revokedAtMs).toISOString()}`;
  return expiresAtMs === null ? '' : `expires ${new Date(expiresAtMs).toISOString()}`;
}

async function keyRevoke(sql: Sql, words: readonly string[]): Promise<readonly string[]> {
  const key = words.length === 2 ? await byName(sql, words) : await byId(sql, words);
  if (key === null)
    throw new AccountError('not_found', 'There is no such key. See: natter-platform key list');
  if (!(await revokeApiKey(sql, key.id))) return [`The key ${key.name} was revoked already.`];
  return [`Revoked key ${key.name} (${key.id}). It no longer works.`];
}

async function byName(sql: Sql, words: readonly string[]): Promise<ApiKey | null> {
  const [reference, name] = takeWords(words, KEY_COMMANDS, 'key revoke', 2);
  const account = reference === EVERY_ACCOUNT ? null : await needAccount(sql, reference);
  return await findApiKeyByName(sql, account, name);
}

async function byId(sql: Sql, words: readonly string[]): Promise<ApiKey | null> {
  const [id] = takeWords(words, KEY_COMMANDS, 'key revoke', 1);
  return isUuid(id) ? await findApiKeyById(sql, id) : null;
}

/** A day (midnight UTC) or a moment. */
function readDate(text: string): number {
  const date = /^\d{4}-\d{2}-\d{2}(T.*)?$/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(date)) return date;
  throw new AccountError('invalid', `--expires must be a day such as 2027-01-31, not "${text}".`);
}
