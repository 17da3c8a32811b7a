import { parseTime } from '@natter/sdk';
import * as v from 'valibot';
import {
  type ApiKey,
  addApiKey,
  findApiKeyById,
  findProject,
  isUuid,
  KEY_PERMISSIONS,
  listApiKeys,
  listProjects,
  revokeApiKey,
  rotateApiKey,
} from '../../accounts/index.ts';
import { DeskError } from '../../staff/index.ts';
import { audit, type ConsoleCall, type ConsoleRoute, consoleRoute, requireAccount } from '../console-call.ts';
import { keyView, newKeySchema, newSecretView, rotateKeySchema } from './operations-schemas.ts';

const HOUR_MS = 3_600_000;

const toTime = (atMs: number | null): string | null => (atMs === null ? null : new Date(atMs).toISOString());

/** The keys of the account's own code. Keys that cover every account are the operator's, and are not among them. */
export const KEY_ROUTES: readonly ConsoleRoute[] = [
  consoleRoute(
    {
      ...{ id: 'consoleKeys', method: 'GET', path: '/keys', role: 'admin' },
      summary: 'The API keys of the account with scope and last use, the revoked ones last.',
      answer: v.object({ keys: v.array(keyView), permissions: v.array(v.string()) }),
    },
    async (call) => {
      const { database } = call.server;
      const account = await requireAccount(call);
      const [keys, projects] = await Promise.all([
        listApiKeys(database, account),
        listProjects(database, account),
      ]);
      const slugs = new Map(projects.map(({ id, slug }) => [id, slug]));
      return {
        keys: keys.map((key) => viewKey(key, slugs, call.server.clock.now())),
        permissions: KEY_PERMISSIONS,
      };
    },
  ),
  consoleRoute(
    {
      ...{ id: 'consoleKeyAdd', method: 'POST', path: '/keys', role: 'admin' },
      summary: 'Add an API key. The answer has its text, once.',
      body: newKeySchema,
      answer: newSecretView,
    },
    async (call) => {
      const { server, body } = call;
      const account = await requireAccount(call);
      const project =
        body.project === null ? null : await findProject(server.database, account, body.project);
      if (body.project !== null && project === null)
        throw new DeskError(404, 'PROJECT_NOT_FOUND', 'There is no such project: see GET /console/api/me.');
      const expiresAtMs = body.expires_at === null ? null : parseTime(body.expires_at);
      if (expiresAtMs !== null && expiresAtMs <= server.clock.now())
        throw new DeskError(400, 'INVALID', 'expires_at must lie in the future');
      const { apiKey, key } = await addApiKey(
        server.database,
        {
          ...{ name: body.name, account, permissions: body.permissions, expiresAtMs },
          isLegacy: body.is_legacy,
          project: project ?? undefined,
        },
        server.clock.now(),
      );
      await audit(call, 'add_key', apiKey.name);
      return { id: apiKey.id, name: apiKey.name, secret: key };
    },
  ),
  consoleRoute(
    {
      ...{ id: 'consoleKeyRotate', method: 'POST', path: '/keys/{id}/rotate', role: 'admin' },
      summary:
        'Replace a key by one with the same name and scope. The old one works for another overlap_hours.',
      body: rotateKeySchema,
      answer: newSecretView,
    },
    async (call) => {
      const { server, body } = call;
      const old = await requireKey(call);
      const overlapMs = body.overlap_hours * HOUR_MS;
      const { apiKey, key } = await rotateApiKey(server.database, old, overlapMs, server.clock.now());
      await audit(call, 'rotate_key', apiKey.name);
      return { id: apiKey.id, name: apiKey.name, secret: key };
    },
  ),
  consoleRoute(
    {
      ...{ id: 'consoleKeyRevoke', method: 'POST', path: '/keys/{id}/revoke', role: 'admin' },
      summary: 'Revoke a key: it no longer works.',
    },
    async (call) => {
      const { id, name } = await requireKey(call);
      const wasInUse = await revokeApiKey(call.server.database, id, call.server.clock.now());
      if (wasInUse) await audit(call, 'revoke_key', name);
      return {};
    },
  ),
];

/** The key of the path, of the person's own account. */
async function requireKey(call: ConsoleCall<unknown, unknown>): Promise<ApiKey> {
  const id = call.params['id'] ?? '';
  const key = isUuid(id) ? await findApiKeyById(call.server.database, id) : null;
  if (key !== null && key.accountId === call.person.accountId) return key;
  throw new DeskError(404, 'NOT_FOUND', 'There is no such key: see GET /console/api/keys.');
}

function viewKey(key: ApiKey, slugs: ReadonlyMap<string, string>, nowMs: number) {
  const { id, name, service, permissions, isLegacy, region, keyHint, projectId } = key;
  return {
    ...{ id, name, service, permissions, region },
    project: projectId === null ? null : (slugs.get(projectId) ?? projectId),
    is_legacy: isLegacy,
    hint: keyHint,
    state: stateOf(key, nowMs),
    created_at: toTime(key.createdAtMs) ?? '',
    last_used_at: toTime(key.lastUsedAtMs),
    expires_at: toTime(key.expiresAtMs),
    revoked_at: toTime(key.revokedAtMs),
  };
}

function stateOf({ revokedAtMs, expiresAtMs, replacedAtMs }: ApiKey, nowMs: number) {
  if (revokedAtMs !== null) return 'revoked';
  if (expiresAtMs !== null && expiresAtMs <= nowMs) return 'expired';
  return replacedAtMs === null ? 'active' : 'replaced';
}
